//! Metrics of connections.

use metrics::{Counter, Gauge};

use crate::base::metrics::{Metric, Metrics};

const OPEN: Metric =
    Metric::gauge("http_connections", &["listener"], "Open client connections of a listener (plain, tls).");
const EVICTED: Metric = Metric::counter(
    "http_connections_evicted_total",
    &["listener"],
    "Idle connections that were closed to make room for new ones. Raise the limit of open files.",
);
const REFUSED: Metric = Metric::counter(
    "http_connections_refused_total",
    &["listener"],
    "New connections that were closed because all others were busy.",
);
const HANDSHAKES_REFUSED: Metric = Metric::counter(
    "tls_handshakes_refused_total",
    &[],
    "Connections that were closed because too many TLS handshakes were in progress.",
);

pub const METRICS: [&Metric; 4] = [&OPEN, &EVICTED, &REFUSED, &HANDSHAKES_REFUSED];

#[derive(Clone)]
pub(super) struct ConnectionMeasures {
    pub(super) open: Gauge,
    pub(super) evicted: Counter,
    pub(super) refused: Counter,
    pub(super) handshakes_refused: Counter,
}

impl ConnectionMeasures {
    pub(super) fn for_listener(metrics: &Metrics, listener: &str) -> Self {
        let labels = [("listener", listener)];
        Self {
            open: metrics.gauge(&OPEN, &labels),
            evicted: metrics.counter(&EVICTED, &labels),
            refused: metrics.counter(&REFUSED, &labels),
            handshakes_refused: metrics.counter(&HANDSHAKES_REFUSED, &[]),
        }
    }
}
