//! The number of open connections, on all listeners and workers.

use std::time::Duration;

use metrics::Gauge;
use tokio::sync::watch;

#[derive(Clone, Debug)]
pub struct OpenConnections(watch::Sender<usize>);

impl Default for OpenConnections {
    fn default() -> Self {
        Self(watch::Sender::new(0))
    }
}

impl OpenConnections {
    /// Counts one connection until the result is dropped.
    pub(super) fn one_more(&self, of_listener: &Gauge) -> OpenConnection {
        self.0.send_modify(|count| *count += 1);
        of_listener.increment(1.0);
        OpenConnection { all: self.clone(), of_listener: of_listener.clone() }
    }

    /// Returns when none is open, or after `at_most`.
    pub async fn all_closed(&self, at_most: Duration) {
        let mut count = self.0.subscribe();
        // `wait_for` fails only without a sender, and `self` is one.
        let _ = tokio::time::timeout(at_most, count.wait_for(|count| *count == 0)).await;
    }
}

pub(super) struct OpenConnection {
    all: OpenConnections,
    of_listener: Gauge,
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.all.0.send_modify(|count| *count -= 1);
        self.of_listener.decrement(1.0);
    }
}
