//! Named places where a test makes a service hang, or replaces a value. Tests set `FAILPOINTS` (`name=action;…`, the
//! syntax of the crate `fail`). Without the feature `failpoints` they compile to nothing.

/// Reads `FAILPOINTS`. Call it once, at the start of the process.
pub fn configure() {
    #[cfg(feature = "failpoints")]
    // Dropping the scenario would clear the failpoints.
    std::mem::forget(fail::FailScenario::setup());
}

/// Never returns when the failpoint is set to `return`, so that a test can kill the process here.
pub async fn hang(name: &str) {
    if value(name).is_some() {
        std::future::pending::<()>().await;
    }
}

/// The argument of a failpoint that is set to `return(argument)`.
pub fn value(name: &str) -> Option<String> {
    #[cfg(feature = "failpoints")]
    fail::fail_point!(name, |argument| Some(argument.unwrap_or_default()));
    #[cfg(not(feature = "failpoints"))]
    let _ = name;
    None
}
