//! Logs and metrics. What is logged: docs/logging.md. Never a token, a body, a key or a path with a capability in it.

use std::{
    io::IsTerminal as _,
    sync::OnceLock,
    time::{Duration, Instant},
};

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::EnvFilter;

/// Starts logging to standard error: for people on a terminal, as JSON lines elsewhere. `RUST_LOG` chooses what, else
/// `default`. A second call changes nothing.
pub fn start_logging(default: &str) {
    let chosen = std::env::var("RUST_LOG").ok();
    let filter = chosen.as_deref().and_then(|text| EnvFilter::try_new(text).ok());
    let mut filter = filter.unwrap_or_else(|| EnvFilter::new(default));
    if !chosen.is_some_and(|text| text.contains("actix_http")) {
        // It calls every stranger's garbage an error, and traces whole URLs.
        filter = filter.add_directive("actix_http=off".parse().expect("a directive"));
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

/// The process's metrics, shared by all services in it.
pub fn metrics() -> &'static PrometheusHandle {
    static METRICS: OnceLock<PrometheusHandle> = OnceLock::new();
    METRICS.get_or_init(|| {
        let seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0];
        let builder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &seconds)
            .expect("the list of buckets is not empty");
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        // Only a recorder of somebody else's could be in the way: a test's, which then keeps its own.
        if metrics::set_global_recorder(recorder).is_err() {
            tracing::warn!("metrics are recorded elsewhere");
        }
        handle
    })
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

/// Counts an answer and its time.
pub fn answered(surface: &'static str, operation: &'static str, status: u16, started: Stopwatch) {
    let class = match status {
        200..300 => "2xx",
        300..400 => "3xx",
        400..500 => "4xx",
        _ => "5xx",
    };
    metrics::histogram!("http_request_seconds", "surface" => surface, "operation" => operation, "status" => class)
        .record(started.0.elapsed());
}

/// Counts a refusal by its code.
pub fn refused(surface: &'static str, code: &'static str) {
    metrics::counter!("http_refusals_total", "surface" => surface, "code" => code).increment(1);
}

/// Counts a failure of ours.
pub fn failed(surface: &'static str) {
    metrics::counter!("http_failures_total", "surface" => surface).increment(1);
}

/// Counts bytes of a streamed answer as they are handed to the connection.
pub fn streamed(surface: &'static str, operation: &'static str, bytes: u64) {
    metrics::counter!("http_streamed_bytes_total", "surface" => surface, "operation" => operation).increment(bytes);
}
