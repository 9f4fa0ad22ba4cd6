//! What one hostile client does with connections, and how new clients fare meanwhile.

mod handshakes;
mod idle;
mod new_clients;
mod pipelining;

use std::thread::{self, JoinHandle};

pub use handshakes::unfinished_handshakes;
pub use idle::{IdleConnections, idle_connections};
pub use new_clients::{NewClients, new_clients};
pub use pipelining::pipelining;

/// Runs an attack on a thread of its own, so that it does not slow those down who measure what it does.
pub fn beside<F: Future>(attack: impl FnOnce() -> F + Send + 'static) -> JoinHandle<F::Output>
where
    F::Output: Send + 'static,
{
    thread::spawn(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(attack())
    })
}
