//! Failpoints: named places where a test makes a service hang, or replaces a value. A test configures them by the
//! environment variable `FAILPOINTS`, `name=action;…`, in the syntax of the crate `fail`. Without the feature `failpoints`
//! they compile to nothing.

/// Reads `FAILPOINTS`. Called once, when the process starts.
pub fn configure() {
    #[cfg(feature = "failpoints")]
    // The scenario would clear the failpoints when it is dropped.
    std::mem::forget(fail::FailScenario::setup());
}

/// Never returns when the failpoint is set to `return`: a test can then kill the process at this place.
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
