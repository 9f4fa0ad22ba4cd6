//! Looks at the metrics of a started service: which they are, and how many.

use std::collections::BTreeSet;

use shared_runtime::{base::metrics::MetricKind, service::Service};

use crate::service_process::ServiceProcess;

// Prometheus keeps each series of each process.
const SERIES_AT_START: usize = 1_500;

/// A service must export exactly the metrics that it declares, each with its type and description. Those of the process
/// come from a crate.
pub async fn assert_complete(process: &ServiceProcess, service: &Service) {
    // Refusals and times have no series before the first.
    be_refused(process).await;
    let metrics = process.metrics().await;
    let shown: BTreeSet<&str> = metrics
        .lines()
        .filter_map(|line| line.strip_prefix("# ").filter(|line| line.starts_with(['H', 'T'])))
        .filter(|line| !line[5..].starts_with("process_"))
        .collect();
    let lines = service.all_metrics().into_iter().flat_map(|metric| {
        let kind = match metric.kind {
            MetricKind::Counter => "counter",
            MetricKind::Gauge => "gauge",
            MetricKind::Histogram => "histogram",
        };
        [format!("HELP {} {}", metric.name, metric.help), format!("TYPE {} {kind}", metric.name)]
    });
    let declared: BTreeSet<String> = lines.collect();
    assert_eq!(shown, declared.iter().map(String::as_str).collect());
}

/// A service must start with few series. Those that alerts count (`deploy/prometheus/alerts.yml`) must be among them,
/// as 0; others must appear with their first request.
pub async fn assert_few_at_start(process: &ServiceProcess, service: &Service) {
    let metrics = process.metrics().await;
    let count = metrics.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).count();
    assert!(count <= SERIES_AT_START, "{count} series at the start:\n{metrics}");
    let at_start: BTreeSet<&str> = metrics.lines().collect();
    let surface = service.surface.name;
    for contract in service.routes().contracts() {
        let labels = format!("surface=\"{surface}\",operation=\"{}\"", contract.id);
        let failures = format!("http_failures_total{{{labels}}} 0");
        let requests = [200, 500, 503].map(|status| format!("http_requests_total{{{labels},status=\"{status}\"}} 0"));
        for line in requests.iter().chain([&failures]) {
            assert!(at_start.contains(line.as_str()), "no {line} at the start:\n{metrics}");
        }
    }
    let refused = format!("{{surface=\"{surface}\",operation=\"unknown\",code=\"not_found\"}}");
    let timed = format!("{{surface=\"{surface}\",operation=\"unknown\",status=\"4xx\"}}");
    let late = [format!("http_refusals_total{refused}"), format!("http_request_seconds_count{timed}")];
    for series in &late {
        assert!(!metrics.contains(series), "{series} at the start:\n{metrics}");
    }
    be_refused(process).await;
    let metrics = process.metrics().await;
    for series in &late {
        let line = format!("{series} 1");
        assert!(metrics.lines().any(|own| own == line), "no {line} after the first:\n{metrics}");
    }
}

/// Sends a request that no operation takes.
async fn be_refused(process: &ServiceProcess) {
    process.anyone().get("/no/such/path").await.refused(404, "not_found");
}
