//! Attacks by one hostile client, and a measurement of how new clients are served meanwhile.

mod handshakes;
mod idle;
mod new_clients;
mod pipelining;
mod stalling;

use std::thread::{self, JoinHandle};

pub use handshakes::unfinished_handshakes;
pub use idle::{IdleConnections, idle_connections};
pub use new_clients::{NewClients, new_clients};
pub use pipelining::pipelining;
pub use stalling::{Afterwards, Stalled, stalling};

/// Runs an attack on its own thread, so that it does not slow down the measurement.
pub fn beside<F: Future>(attack: impl FnOnce() -> F + Send + 'static) -> JoinHandle<F::Output>
where
    F::Output: Send + 'static,
{
    thread::spawn(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(attack())
    })
}
