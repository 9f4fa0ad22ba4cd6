//! Every metric with its labels, and those that the process adds.

use shared_runtime::{
    base::metrics::{Metric, MetricKind, Metrics},
    service::Service,
};

use super::markdown::{code, codes, names, table};

const INTRODUCTION: &str = "\
# Metrics

Every metric has the label `surface`, the service. Series of `http_request_seconds`, of `http_refusals_total`, and of
`http_requests_total` with other statuses than 200, 500 and 503 appear with their first request. `rate()` and
`increase()` do not see this one. All others exist from the start, with counters at 0 for every label value, if the
process does what they measure: those of tokens need an `ISSUER`, those of witnesses `LOG_WITNESSES`, and those of
attempts at jobs a `ROLE` other than `api`. [Alerts](../operate/alerts.md) says which to watch.

";

pub fn page(services: &[Service]) -> String {
    let mut all: Vec<&Metric> = Vec::new();
    for metric in services.iter().flat_map(Service::all_metrics) {
        if !all.contains(&metric) {
            all.push(metric);
        }
    }
    let rows = all.into_iter().map(|metric| {
        let kind = match metric.kind {
            MetricKind::Counter => "counter",
            MetricKind::Gauge => "gauge",
            MetricKind::Histogram => "histogram",
        };
        let services = names(services, |service| service.all_metrics().contains(&metric));
        let labels = codes(metric.labels.iter().copied());
        vec![code(metric.name), kind.to_owned(), labels, services, metric.help.to_owned()]
    });
    let rows: Vec<_> = rows.chain(of_process()).collect();
    format!("{INTRODUCTION}{}", table(&["metric", "type", "labels", "services", "meaning"], rows))
}

/// A crate measures the process; only its descriptions know what.
fn of_process() -> Vec<Vec<String>> {
    let text = Metrics::for_service("reference").render();
    let after = |line: &str, what: &str| {
        let (name, rest) = line.strip_prefix(what)?.split_once(' ')?;
        name.starts_with("process_").then(|| (name.to_owned(), rest.to_owned()))
    };
    let help: Vec<_> = text.lines().filter_map(|line| after(line, "# HELP ")).collect();
    let kinds: Vec<_> = text.lines().filter_map(|line| after(line, "# TYPE ")).collect();
    let kind = |name: &str| kinds.iter().find(|(own, _)| own == name).map_or("", |(_, kind)| kind.as_str());
    let row = |(name, help): &(String, String)| {
        vec![code(name), kind(name).to_owned(), String::new(), "all".to_owned(), help.clone()]
    };
    let mut rows: Vec<_> = help.iter().map(row).collect();
    rows.sort();
    rows
}
