//! Metrics of connections.

use metrics::{Counter, Gauge};

use crate::base::metrics::{Metric, Metrics};

const OPEN: Metric = Metric { name: "http_connections", help: "Open client connections, by listener." };
const EVICTED: Metric = Metric {
    name: "http_connections_evicted_total",
    help: "Idle connections that were closed to make room for new ones, by listener.",
};
const REFUSED: Metric = Metric {
    name: "http_connections_refused_total",
    help: "New connections that were closed because all others were busy, by listener.",
};
const HANDSHAKES_REFUSED: Metric = Metric {
    name: "tls_handshakes_refused_total",
    help: "Connections that were closed because too many TLS handshakes were in progress.",
};

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
