//! The bounded queue before the executor threads. Work that waits too long is refused.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use crossbeam_channel::{Receiver, Sender, TrySendError};
use shared_model::{Error, Failure};

use super::{
    closure::Closure,
    queued_work::{Done, QueuedWork},
};
use crate::{
    base::{metrics::Metrics, telemetry::Stopwatch},
    state::db::pool::{outage, side_state::SideState},
};

// Work that waits longer is refused with 503: a client can retry then, and the queue stays short.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(5);
// So a caller with `Patience::Usual` waits for at most 9 s.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(4);
// As long as PostgreSQL lets a statement run (`statement_timeout`). A server that takes longer, and answers nobody else,
// neither answers nor closes: a frozen machine, a stopped process. Work that began later may only be slow.
const LONGEST_STATEMENT: Duration = Duration::from_secs(8);

/// How long the caller of work that has begun waits for its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// As long as a client waits for an answer.
    Usual,
    /// As long as the work takes.
    Endless,
}

enum Message {
    Run(Box<QueuedWork>),
    Stop,
}

#[derive(Clone)]
pub struct Queue {
    sender: Sender<Message>,
    closed: Arc<AtomicBool>,
    side: SideState,
}

impl Queue {
    /// A queue for this much work, and the receiving end of an executor thread.
    pub fn bounded(capacity: usize, side: SideState) -> (Self, WorkReceiver) {
        let (sender, receiver) = crossbeam_channel::bounded(capacity);
        (Self { sender, closed: Arc::new(AtomicBool::new(false)), side }, WorkReceiver { receiver, stopped: false })
    }

    /// Queues the work and waits for its outcome. After a timeout in the queue, the work will not run.
    pub async fn run(&self, closure: Box<dyn Closure>, patience: Patience) -> Result<Done, Error> {
        if self.is_closed() {
            return Err(Failure::unavailable("the database is closed").into());
        }
        let (outage, answers) = (&self.side.outage, self.side.answers());
        let (work, mut receipt) = QueuedWork::new(closure, self.side.clone());
        self.sender.try_send(Message::Run(Box::new(work))).map_err(|error| match error {
            TrySendError::Full(_) => self.side.queue_full(),
            TrySendError::Disconnected(_) => Failure::unavailable("the database is closed"),
        })?;
        let outcome = match tokio::time::timeout(QUEUE_TIMEOUT, &mut receipt.outcome).await {
            Ok(outcome) => outcome,
            // The swap decides the race with the executor: after it the executor skips this work. If the executor was
            // first, wait for its answer.
            Err(_) if receipt.claimed.set(Stopwatch::start()).is_ok() => {
                if let Some(measures) = self.side.measures() {
                    measures.wait.record(QUEUE_TIMEOUT);
                }
                return Err(self.side.wait_timed_out(answers).into());
            }
            Err(_) if patience == Patience::Endless => receipt.outcome.await,
            Err(_) => tokio::time::timeout(ANSWER_TIMEOUT, receipt.outcome).await.map_err(|_| {
                let what = "the database did not answer in time; what became of it is not known";
                let is_long = receipt.claimed.get().is_some_and(|begun| begun.elapsed() >= LONGEST_STATEMENT);
                let is_frozen = is_long && self.side.answers() == answers;
                let failure = Failure::unavailable(what);
                match is_frozen {
                    true => outage.record_failure(failure),
                    false if outage.is_ongoing() => failure.already_logged(),
                    false => failure,
                }
            })?,
        };
        match outcome {
            Ok(Err(Error::Failed(failure))) if outage::affects_all_work(&failure) => {
                Err(outage.record_failure(failure).into())
            }
            Ok(Err(Error::Failed(failure))) => Err(failure.into()),
            Ok(answer) => {
                self.side.answered();
                answer
            }
            Err(_) => Err(Failure::unavailable("the database was closed before it answered").into()),
        }
    }

    pub fn measure(&self, metrics: &Metrics) {
        self.side.measure(metrics);
    }

    pub fn len(&self) -> usize {
        self.sender.len()
    }

    /// How much work of this side was answered.
    pub fn answers(&self) -> u64 {
        self.side.answers()
    }

    /// Refuses new work, and lets one thread end after the queued work. Blocks while the queue is full.
    pub fn stop(&self) {
        self.closed.store(true, Ordering::Release);
        if self.sender.send(Message::Stop).is_err() {
            tracing::debug!("an executor thread has ended already");
        }
    }

    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }
}

#[derive(Clone)]
pub struct WorkReceiver {
    receiver: Receiver<Message>,
    stopped: bool,
}

impl WorkReceiver {
    /// Waits for work; `None` after a stop.
    pub fn recv(&mut self) -> Option<Box<QueuedWork>> {
        while !self.stopped {
            let message = self.receiver.recv().ok()?;
            if let Some(work) = self.claim(message) {
                return Some(work);
            }
        }
        None
    }

    /// The next work, if one is queued.
    pub fn try_recv(&mut self) -> Option<Box<QueuedWork>> {
        while !self.stopped {
            let message = self.receiver.try_recv().ok()?;
            if let Some(work) = self.claim(message) {
                return Some(work);
            }
        }
        None
    }

    fn claim(&mut self, message: Message) -> Option<Box<QueuedWork>> {
        match message {
            // Work whose caller has gone away is skipped.
            Message::Run(mut work) => work.claim().then_some(work),
            Message::Stop => {
                self.stopped = true;
                None
            }
        }
    }
}
