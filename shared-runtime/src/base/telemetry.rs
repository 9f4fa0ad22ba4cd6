//! Logs. What is logged: docs/logging.md. Never a token, a body, a key or a path with a capability in it.

use std::{
    io::IsTerminal as _,
    time::{Duration, Instant},
};

use tracing_subscriber::{EnvFilter, filter::LevelFilter};

/// What a service logs unless `RUST_LOG` says otherwise.
pub const DEFAULT: &str = "info,actix_server=warn";

/// What is logged, in EnvFilter's notation. A bare word must be a level: EnvFilter takes `infoo` for the name of a
/// module, and then shows nothing else. A target is the path of a Rust module, so `cloud-svc` is none; whether there is
/// such a module is not checked.
pub fn filter(text: &str) -> Result<EnvFilter, &'static str> {
    const RULE: &str = "must be levels like info, or pairs like info,cloud_svc=debug, with underscores \
                        (off, error, warn, info, debug, trace)";
    let is_bare = |directive: &&str| !directive.contains(['=', '[']);
    let mut bare = text.split(',').map(str::trim).filter(|directive| !directive.is_empty()).filter(is_bare);
    let has_hyphen = |directive: &str| directive.split(['=', '[']).next().is_some_and(|target| target.contains('-'));
    if bare.any(|word| word.parse::<LevelFilter>().is_err()) || text.split(',').any(has_hyphen) {
        return Err(RULE);
    }
    EnvFilter::try_new(text).map_err(|_| RULE)
}

/// Starts logging to standard error: for people on a terminal, as JSON lines elsewhere. `chosen` says what, else
/// `default`; a mistake in it is told with those of the other settings. A second call changes nothing.
pub fn start_logging(chosen: Option<&str>, default: &str) {
    let mut filter = chosen.and_then(|text| filter(text).ok()).unwrap_or_else(|| EnvFilter::new(default));
    if !chosen.is_some_and(|text| text.contains("actix_http")) {
        // It calls every stranger's garbage an error, and traces whole URLs.
        filter = filter.add_directive("actix_http=off".parse().expect("a directive"));
    }
    if !chosen.is_some_and(|text| text.contains("rmcp")) {
        // It says when a client comes and goes, warns of what strangers send, and traces whole messages.
        filter = filter.add_directive("rmcp=error".parse().expect("a directive"));
    }
    let logs = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let started = if std::io::stderr().is_terminal() {
        logs.compact().try_init()
    } else {
        logs.json().flatten_event(true).with_current_span(true).with_span_list(false).try_init()
    };
    if started.is_err() {
        tracing::debug!("logging was started before");
    }
}

/// Measures how long an answer took.
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts now.
    #[expect(clippy::disallowed_methods, reason = "a duration on the machine's own clock, for metrics alone")]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// The time since then.
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_silence_the_log_by_mistake_is_none() {
        for text in ["infoo", "infoo=bar=1", "cloud_svc=inf", "info,cloud_svc", "info;debug", "info,cloud-svc=debug"] {
            assert!(filter(text).is_err(), "{text}");
        }
        for text in [DEFAULT, "off", "INFO", "warn,cloud_svc=debug", "shared_runtime::http=trace", "[request]=debug"] {
            assert!(filter(text).is_ok(), "{text}");
        }
    }
}
