//! The metrics of one service. Each service has its own recorder, so that several in one process stay apart. Clippy
//! bans `metrics::counter!` and the like, which record for the whole process.

use std::{fmt, sync::Arc, time::Duration};

use metrics::{Counter, Gauge, Histogram, Key, Label, Level, Metadata, Recorder as _, SharedString};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use metrics_process::Collector;

/// A metric: its name ends with `_total` or a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    pub name: &'static str,
    pub kind: MetricKind,
    /// Besides `surface`.
    pub labels: &'static [&'static str],
    pub help: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricKind {
    Counter,
    Gauge,
    Histogram,
}

impl Metric {
    pub const fn counter(name: &'static str, labels: &'static [&'static str], help: &'static str) -> Self {
        Self { name, kind: MetricKind::Counter, labels, help }
    }

    pub const fn gauge(name: &'static str, labels: &'static [&'static str], help: &'static str) -> Self {
        Self { name, kind: MetricKind::Gauge, labels, help }
    }

    pub const fn histogram(name: &'static str, labels: &'static [&'static str], help: &'static str) -> Self {
        Self { name, kind: MetricKind::Histogram, labels, help }
    }
}

// One set of buckets for all durations, from the fastest read to the request timeout.
const SECONDS: [f64; 17] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 30.0, 60.0];
// Until then each sample of a histogram takes memory.
const UPKEEP: Duration = Duration::from_secs(5);

pub const BUILD_INFO: Metric = Metric::gauge(
    "build_info",
    &["version", "commit"],
    "1, with the version and the commit (FOURFOLD_COMMIT) that were built.",
);
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// `FOURFOLD_COMMIT` at the time of the build.
pub const COMMIT: &str = match option_env!("FOURFOLD_COMMIT") {
    Some(commit) => commit,
    None => "unknown",
};

#[derive(Clone)]
pub struct Metrics(Arc<Inner>);

struct Inner {
    recorder: PrometheusRecorder,
    handle: PrometheusHandle,
    process: Collector,
}

impl Metrics {
    /// `name` is the label `surface` of all its metrics.
    pub fn for_service(name: &'static str) -> Self {
        let recorder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)
            .expect("the list of buckets is not empty")
            .add_global_label("surface", name)
            .build_recorder();
        let process = Collector::default();
        metrics::with_local_recorder(&recorder, || process.describe());
        let metrics = Self(Arc::new(Inner { handle: recorder.handle(), recorder, process }));
        metrics.gauge(&BUILD_INFO, &[("version", VERSION), ("commit", COMMIT)]).set(1.0);
        metrics
    }

    /// A counter that starts at 0. The same name and labels return the same counter.
    pub fn counter(&self, metric: &Metric, labels: &[(&'static str, &str)]) -> Counter {
        self.0.recorder.describe_counter(metric.name.into(), None, metric.help.into());
        self.0.recorder.register_counter(&key(metric, MetricKind::Counter, labels), &METADATA)
    }

    pub fn gauge(&self, metric: &Metric, labels: &[(&'static str, &str)]) -> Gauge {
        self.0.recorder.describe_gauge(metric.name.into(), None, metric.help.into());
        self.0.recorder.register_gauge(&key(metric, MetricKind::Gauge, labels), &METADATA)
    }

    pub fn histogram(&self, metric: &Metric, labels: &[(&'static str, &str)]) -> Histogram {
        self.0.recorder.describe_histogram(metric.name.into(), None, metric.help.into());
        self.0.recorder.register_histogram(&key(metric, MetricKind::Histogram, labels), &METADATA)
    }

    /// All metrics in Prometheus' text format, including those of the process.
    pub fn render(&self) -> String {
        metrics::with_local_recorder(&self.0.recorder, || self.0.process.collect());
        self.0.handle.render()
    }

    /// Sorts samples into buckets every few seconds, so that histograms stay small when nobody reads the metrics. Never
    /// ends.
    pub fn upkeep(&self) -> impl Future<Output = ()> + Send + use<> {
        let handle = self.0.handle.clone();
        async move {
            loop {
                tokio::time::sleep(UPKEEP).await;
                handle.run_upkeep();
            }
        }
    }
}

static METADATA: Metadata<'static> = Metadata::new(module_path!(), Level::INFO, None);

fn key(metric: &Metric, kind: MetricKind, labels: &[(&'static str, &str)]) -> Key {
    // The reference is written from the declaration.
    debug_assert_eq!(metric.kind, kind, "{} is used as declared", metric.name);
    debug_assert!(metric.labels.iter().eq(labels.iter().map(|(name, _)| name)), "{} has its labels", metric.name);
    let labels = labels.iter().map(|(name, value)| Label::new(*name, SharedString::from((*value).to_owned())));
    Key::from_parts(metric.name, labels.collect::<Vec<_>>())
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Metrics")
    }
}
