//! Stopping: the first SIGTERM or SIGINT stops gracefully. Another one, a second or more later, ends the process at
//! once with a different exit code.

use std::{process, time::Duration};

use shared_model::Failure;
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    task::JoinHandle,
    time::Instant,
};

use super::server::{Running, Serving};
use crate::base::failpoint;

pub const HARD_STOP: i32 = 130;
// Busy clients learn from their next answer that the connection closes. After this time idle connections are closed
// too.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(1);

// Shells, `timeout` and containers send a signal to a process and again to its group. A second one within this time is
// the same.
const SAME_SIGNAL_WINDOW: Duration = Duration::from_secs(1);

pub struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    pub fn listen() -> Result<Self, Failure> {
        let listen =
            |kind| signal(kind).map_err(|error| Failure::fault("cannot listen for signals").from_source(error));
        Ok(Self { terminate: listen(SignalKind::terminate())?, interrupt: listen(SignalKind::interrupt())? })
    }

    pub async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }

    /// Waits for `stop`; another signal ends the process immediately.
    pub async fn unless_again(&mut self, stop: impl Future<Output = ()>) {
        let first = Instant::now();
        let again = async {
            while first.elapsed() < SAME_SIGNAL_WINDOW {
                self.next().await;
            }
        };
        tokio::select! {
            () = stop => {}
            () = again => {
                tracing::warn!("stopped immediately; requests in flight are lost");
                process::exit(HARD_STOP);
            }
        }
    }
}

impl Running {
    /// Stops: not ready, and every answer closes its connection. Then no new connections; requests in flight may
    /// finish within `stop_timeout`. Jobs are handed back immediately.
    pub async fn stop(self) {
        self.context.readiness.off();
        let api = async {
            if let Some(api) = self.api {
                let longer = failpoint::value("shutdown::last_answers_ms").and_then(|text| text.parse().ok());
                self.connections.all_closed(longer.map_or(DRAIN_TIMEOUT, Duration::from_millis)).await;
                api.stop().await;
            }
        };
        let workers = async {
            if let Some(workers) = self.workers {
                workers.stop().await;
            }
        };
        // At the same time: jobs need not wait for slow downloads.
        tokio::join!(api, workers);
        // They have no state of their own to lose.
        self.background_tasks.iter().for_each(JoinHandle::abort);
        self.ops.stop().await;
        // Last, because everything before may still write.
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
            Err(error) => tracing::error!(%error, "a listener's task panicked"),
        }
    }
}
