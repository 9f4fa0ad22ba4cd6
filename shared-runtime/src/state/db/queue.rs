//! The bounded queue before the database threads: it is never long, and nobody waits in it for long.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use crossbeam_channel::{Receiver, Sender, TrySendError};
use shared_model::{Error, Failure};

use super::job::{Job, Task};
use crate::state::db::Conn;

/// How long a job may wait before a thread begins it.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a database thread is told to do.
pub(super) enum Order {
    /// Run it outside a transaction.
    Read(Box<dyn Job>),
    /// Run it in a transaction of its own effect.
    Write(Box<dyn Job>),
    /// End.
    Stop,
}

/// The callers' end of a queue.
#[derive(Clone)]
pub(super) struct Queue {
    sender: Sender<Order>,
    closed: Arc<AtomicBool>,
}

impl Queue {
    /// A queue that holds this many jobs, and the threads' end of it.
    pub(super) fn bounded(capacity: usize) -> (Self, Receiver<Order>) {
        let (sender, receiver) = crossbeam_channel::bounded(capacity);
        (Self { sender, closed: Arc::new(AtomicBool::new(false)) }, receiver)
    }

    /// Queues the work and waits for its outcome. When it returns because the wait was too long, the work will not run.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        order: fn(Box<dyn Job>) -> Order,
        work: impl Fn(&mut Conn) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        if self.is_closed() {
            return Err(Failure::unavailable("the database is closed").into());
        }
        let (job, mut ticket) = Task::job(work);
        self.sender.try_send(order(job)).map_err(|error| match error {
            TrySendError::Full(_) => Failure::unavailable("too much work is queued for the database"),
            TrySendError::Disconnected(_) => Failure::unavailable("the database is closed"),
        })?;
        let answer = match tokio::time::timeout(PATIENCE, &mut ticket.answer).await {
            Ok(answer) => answer,
            Err(_) if !ticket.claimed.swap(true, Ordering::AcqRel) => {
                return Err(Failure::unavailable("no database connection was free in time").into());
            }
            Err(_) => ticket.answer.await,
        };
        answer.unwrap_or_else(|_| Err(Failure::unavailable("the database was closed before it answered").into()))
    }

    /// Takes no more work and tells one thread to end after what is queued already. Blocks while the queue is full.
    pub(super) fn stop(&self) {
        self.closed.store(true, Ordering::Release);
        if self.sender.send(Order::Stop).is_err() {
            tracing::debug!("a database thread has ended already");
        }
    }

    /// Whether it takes no more work.
    pub(super) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }
}
