//! Metrics of deliveries.

use metrics::{Counter, Gauge, Histogram};
use shared_model::Error;
use shared_runtime::{
    Context,
    base::{metrics::Metric, telemetry::Stopwatch},
};

use super::endpoint::FailedAttempt;
use crate::news::webhooks::deliveries;

const ATTEMPTS: Metric =
    Metric::counter("webhook_attempts_total", &["end"], "Attempts at deliveries to webhooks (end: delivered, failed).");
const SECONDS: Metric =
    Metric::histogram("webhook_attempt_seconds", &[], "Duration of attempts at deliveries, up to 15 s.");
const WAITING: Metric = Metric::gauge(
    "webhook_deliveries_waiting",
    &[],
    "Pending deliveries. Every worker reports the same number, at most 15 s old.",
);
const LATE: Metric = Metric::gauge(
    "webhook_deliveries_late_seconds",
    &[],
    "How long the oldest pending delivery has been due. It grows with too few workers.",
);

pub const METRICS: &[&Metric] = &[&ATTEMPTS, &SECONDS, &WAITING, &LATE];

#[derive(Clone)]
pub struct DeliveryMeasures {
    delivered: Counter,
    failed: Counter,
    seconds: Histogram,
    waiting: Gauge,
    late: Gauge,
}

impl DeliveryMeasures {
    pub fn from_context(context: &Context) -> Self {
        let metrics = &context.metrics;
        Self {
            delivered: metrics.counter(&ATTEMPTS, &[("end", "delivered")]),
            failed: metrics.counter(&ATTEMPTS, &[("end", "failed")]),
            seconds: metrics.histogram(&SECONDS, &[]),
            waiting: metrics.gauge(&WAITING, &[]),
            late: metrics.gauge(&LATE, &[]),
        }
    }

    pub fn ended(&self, outcome: &Result<(), FailedAttempt>, started: &Stopwatch) {
        self.seconds.record(started.elapsed());
        if outcome.is_ok() { &self.delivered } else { &self.failed }.increment(1);
    }

    pub async fn observe(&self, context: &Context) -> Result<(), Error> {
        let (count, due) = context.read(|conn| Ok(deliveries::store::waiting(conn)?)).await?;
        let now = context.clock.now();
        let late = (now.micros() - due.unwrap_or(now).micros()).max(0);
        #[expect(clippy::cast_precision_loss, reason = "a gauge is a floating-point number")]
        let (count, late) = (count as f64, late as f64 / 1e6);
        self.waiting.set(count);
        self.late.set(late);
        Ok(())
    }
}
