//! Stopping: the first SIGTERM or SIGINT stops gracefully, another, a second or more later, ends the
//! process at once, with an exit code of its own.

use std::{process, time::Duration};

use shared_model::Failure;
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    task::JoinHandle,
    time::Instant,
};

use super::server::{Running, Serving};
use crate::base::failpoint;

/// The exit code of a stop that did not wait.
pub const HARD_STOP: i32 = 130;
/// How long clients that use their connections have to be told that these end, before idle ones are hung up on.
const LAST_ANSWERS: Duration = Duration::from_secs(1);

/// A signal that comes so soon after the first is the same one: shells, `timeout` and containers send it to a process and
/// once more to its group.
const SAME: Duration = Duration::from_secs(1);

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

    /// Waits for `stop`, which the first signal has asked for, unless another one comes: then the process ends at once.
    pub async fn unless_again(&mut self, stop: impl Future<Output = ()>) {
        let first = Instant::now();
        let again = async {
            while first.elapsed() < SAME {
                self.next().await;
            }
        };
        tokio::select! {
            () = stop => {}
            () = again => {
                tracing::warn!("stopped at once, requests in flight are lost");
                process::exit(HARD_STOP);
            }
        }
    }
}

impl Running {
    /// Stops: readiness off, every answer is its connection's last; then no new connections, and requests in flight finish
    /// within the settings' `stop_timeout`. Jobs are handed back at once.
    pub async fn stop(self) {
        self.context.readiness.off();
        let api = async {
            if let Some(api) = self.api {
                let longer = failpoint::value("shutdown::last_answers_ms").and_then(|text| text.parse().ok());
                self.connections.all_closed(longer.map_or(LAST_ANSWERS, Duration::from_millis)).await;
                api.stop().await;
            }
        };
        let workers = async {
            if let Some(workers) = self.workers {
                workers.stop().await;
            }
        };
        tokio::join!(api, workers);
        self.background_tasks.iter().for_each(JoinHandle::abort);
        self.ops.stop().await;
        self.context.db.close().await;
        tracing::info!(surface = self.context.surface.name, "stopped");
    }
}

impl Serving {
    async fn stop(self) {
        self.handle.stop(true).await;
        match self.task.await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::error!(%error, "a listener failed while stopping"),
            Err(error) => tracing::error!(%error, "a listener's task broke"),
        }
    }
}
