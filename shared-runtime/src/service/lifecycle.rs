//! Signals: the first stops gracefully, the second ends the process at once, with an exit code of its own.

use std::process;

use shared_model::Failure;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The exit code of a stop that did not wait.
pub const HARD_STOP: i32 = 130;

/// SIGTERM and SIGINT.
pub struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    /// Listens from now on.
    pub fn listen() -> Result<Self, Failure> {
        let listen =
            |kind| signal(kind).map_err(|error| Failure::fault("cannot listen for signals").from_source(error));
        Ok(Self { terminate: listen(SignalKind::terminate())?, interrupt: listen(SignalKind::interrupt())? })
    }

    /// Returns at the next signal.
    pub async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }

    /// Waits for `stop`, unless another signal comes: then the process ends at once.
    pub async fn unless_again(&mut self, stop: impl Future<Output = ()>) {
        tokio::select! {
            () = stop => {}
            () = self.next() => {
                tracing::warn!("stopped at once, requests in flight are lost");
                process::exit(HARD_STOP);
            }
        }
    }
}
