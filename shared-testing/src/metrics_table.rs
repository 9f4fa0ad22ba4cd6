//! Compares the metrics that a service declares with those that it exports.

use std::collections::BTreeSet;

use shared_runtime::{base::metrics::MetricKind, service::Service};

use crate::service_process::ServiceProcess;

/// A started service must export exactly the metrics that it declares, each with its type and description. Those of the
/// process come from a crate.
pub async fn assert_complete(process: &ServiceProcess, service: &Service) {
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
