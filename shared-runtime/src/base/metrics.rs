//! The metrics of one service. Each service has a recorder of its own, so that several in one process show each its own
//! (`metrics::counter!` and the like, which record for the process, are banned by clippy).

use std::{fmt, sync::Arc, time::Duration};

use metrics::{Counter, Gauge, Histogram, Key, Label, Level, Metadata, Recorder as _, SharedString};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use metrics_process::Collector;

/// What is measured: a name (`_total` of counters, the unit of others), and a sentence for whoever reads it.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// Its name.
    pub name: &'static str,
    /// What it says.
    pub help: &'static str,
}

/// Upper bounds of the buckets of everything that is measured in seconds.
const SECONDS: [f64; 17] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 30.0, 60.0];
/// How often the samples of histograms are put into their buckets: until then each takes memory.
const UPKEEP: Duration = Duration::from_secs(5);

const BUILD_INFO: Metric = Metric { name: "build_info", help: "1, with the version and the commit that were built." };
/// The version of all crates.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// What `FOURFOLD_COMMIT` was in the environment of the build.
pub const COMMIT: &str = match option_env!("FOURFOLD_COMMIT") {
    Some(commit) => commit,
    None => "unknown",
};

/// The metrics of one service.
#[derive(Clone)]
pub struct Metrics(Arc<Inner>);

struct Inner {
    recorder: PrometheusRecorder,
    handle: PrometheusHandle,
    process: Collector,
}

impl Metrics {
    /// Those of the service of this name, which is the label `surface` of all.
    pub fn of(surface: &'static str) -> Self {
        let recorder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)
            .expect("the list of buckets is not empty")
            .add_global_label("surface", surface)
            .build_recorder();
        let process = Collector::default();
        metrics::with_local_recorder(&recorder, || process.describe());
        let metrics = Self(Arc::new(Inner { handle: recorder.handle(), recorder, process }));
        metrics.gauge(&BUILD_INFO, &[("version", VERSION), ("commit", COMMIT)]).set(1.0);
        metrics
    }

    /// A counter, 0 from now on. The same name and labels give the same one.
    pub fn counter(&self, metric: &Metric, labels: &[(&'static str, &str)]) -> Counter {
        self.0.recorder.describe_counter(metric.name.into(), None, metric.help.into());
        self.0.recorder.register_counter(&key(metric, labels), &METADATA)
    }

    /// A gauge, 0 until it is set.
    pub fn gauge(&self, metric: &Metric, labels: &[(&'static str, &str)]) -> Gauge {
        self.0.recorder.describe_gauge(metric.name.into(), None, metric.help.into());
        self.0.recorder.register_gauge(&key(metric, labels), &METADATA)
    }

    /// A histogram of seconds.
    pub fn histogram(&self, metric: &Metric, labels: &[(&'static str, &str)]) -> Histogram {
        self.0.recorder.describe_histogram(metric.name.into(), None, metric.help.into());
        self.0.recorder.register_histogram(&key(metric, labels), &METADATA)
    }

    /// All of them as Prometheus reads them, with those of the process as they are now.
    pub fn render(&self) -> String {
        metrics::with_local_recorder(&self.0.recorder, || self.0.process.collect());
        self.0.handle.render()
    }

    /// Keeps the memory of histograms small, however seldom somebody asks for them: a background task.
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

fn key(metric: &Metric, labels: &[(&'static str, &str)]) -> Key {
    let labels = labels.iter().map(|(name, value)| Label::new(*name, SharedString::from((*value).to_owned())));
    Key::from_parts(metric.name, labels.collect::<Vec<_>>())
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Metrics")
    }
}
