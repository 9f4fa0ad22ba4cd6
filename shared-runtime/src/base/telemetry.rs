//! Logging to standard error (docs/operate/monitor.md). Never log a token, a body, a key, or a path that grants access.

use std::{
    io::IsTerminal as _,
    time::{Duration, Instant},
};

use tracing_subscriber::{EnvFilter, filter::LevelFilter};

pub const DEFAULT_FILTER: &str = "info,actix_server=warn";

/// Parses a filter in EnvFilter's notation, and refuses two common mistakes.
pub fn filter(text: &str) -> Result<EnvFilter, &'static str> {
    const RULE: &str = "must be levels like info, or pairs like info,cloud_svc=debug, with underscores \
                        (off, error, warn, info, debug, trace)";
    // EnvFilter reads a misspelled level such as `infoo` as a module name, and then logs nothing else.
    let is_bare = |directive: &&str| !directive.contains(['=', '[']);
    let mut bare = text.split(',').map(str::trim).filter(|directive| !directive.is_empty()).filter(is_bare);
    // Targets are module paths, so `cloud-svc` would match nothing.
    let has_hyphen = |directive: &str| directive.split(['=', '[']).next().is_some_and(|target| target.contains('-'));
    if bare.any(|word| word.parse::<LevelFilter>().is_err()) || text.split(',').any(has_hyphen) {
        return Err(RULE);
    }
    EnvFilter::try_new(text).map_err(|_| RULE)
}

/// Starts logging: for people on a terminal, as JSON lines elsewhere. Without a valid `chosen` it uses `default`. A
/// second call does nothing.
pub fn start_logging(chosen: Option<&str>, default: &str) {
    let mut filter = chosen.and_then(|text| filter(text).ok()).unwrap_or_else(|| EnvFilter::new(default));
    if !chosen.is_some_and(|text| text.contains("actix_http")) {
        // actix-http logs any malformed request as an error, and at trace whole URLs.
        filter = filter.add_directive("actix_http=off".parse().expect("a directive"));
    }
    if !chosen.is_some_and(|text| text.contains("rmcp")) {
        // rmcp logs each client that connects, warns about what clients send, and traces whole messages.
        filter = filter.add_directive("rmcp=error".parse().expect("a directive"));
    }
    // Otherwise the code that logs a line panics if the disk is full.
    let logs =
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).log_internal_errors(false);
    let started = if std::io::stderr().is_terminal() {
        logs.compact().try_init()
    } else {
        logs.json().flatten_event(true).with_current_span(true).with_span_list(false).try_init()
    };
    if started.is_err() {
        tracing::debug!("logging was started before");
    }
}

pub struct Stopwatch(Instant);

impl Stopwatch {
    #[expect(clippy::disallowed_methods, reason = "a duration on the machine's own clock, for metrics alone")]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_that_would_silence_the_log_by_mistake_are_refused() {
        for text in ["infoo", "infoo=bar=1", "cloud_svc=inf", "info,cloud_svc", "info;debug", "info,cloud-svc=debug"] {
            assert!(filter(text).is_err(), "{text}");
        }
        for text in
            [DEFAULT_FILTER, "off", "INFO", "warn,cloud_svc=debug", "shared_runtime::http=trace", "[request]=debug"]
        {
            assert!(filter(text).is_ok(), "{text}");
        }
    }
}
