//! What is counted of connections.

use metrics::{Counter, Gauge};

use crate::base::metrics::{Metric, Metrics};

const OPEN: Metric = Metric { name: "http_connections", help: "Clients' connections that are open, by listener." };
const EVICTED: Metric = Metric {
    name: "http_connections_evicted_total",
    help: "Idle connections that made room for new ones, by listener.",
};
const REFUSED: Metric = Metric {
    name: "http_connections_refused_total",
    help: "New connections that were hung up on while all others were busy, by listener.",
};
const HANDSHAKES_REFUSED: Metric = Metric {
    name: "tls_handshakes_refused_total",
    help: "Connections that were hung up on because too many TLS handshakes were under way.",
};

/// The measures of one listener.
#[derive(Clone)]
pub(super) struct ConnectionMeasures {
    pub(super) open: Gauge,
    pub(super) evicted: Counter,
    pub(super) refused: Counter,
    pub(super) handshakes_refused: Counter,
}

impl ConnectionMeasures {
    /// Those of the listener of this name.
    pub(super) fn of(metrics: &Metrics, listener: &str) -> Self {
        let labels = [("listener", listener)];
        Self {
            open: metrics.gauge(&OPEN, &labels),
            evicted: metrics.counter(&EVICTED, &labels),
            refused: metrics.counter(&REFUSED, &labels),
            handshakes_refused: metrics.counter(&HANDSHAKES_REFUSED, &[]),
        }
    }
}
