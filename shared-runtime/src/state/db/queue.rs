//! The bounded queue before the executor threads: it is never long, and nobody waits in it for long.

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
    measures::SideState,
    outage,
    work::{Output, QueuedWork, Work},
};
use crate::{base::metrics::Metrics, state::db::Conn};

/// How long work may wait before a thread begins it.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long its caller waits for it when it has begun. A statement may take less (`statement_timeout`), so this is for a
/// server that neither answers nor hangs up: a machine that froze, a process that was stopped.
const ANSWER: Duration = Duration::from_secs(4);

/// What an executor thread is told.
enum Message {
    Run(Box<dyn QueuedWork>),
    Stop,
}

/// The callers' end of a queue.
#[derive(Clone)]
pub(super) struct Queue {
    sender: Sender<Message>,
    closed: Arc<AtomicBool>,
    side: SideState,
}

impl Queue {
    /// A queue that holds this much work, and an executor thread's end of it.
    pub(super) fn bounded(capacity: usize, side: SideState) -> (Self, Arrivals) {
        let (sender, receiver) = crossbeam_channel::bounded(capacity);
        (Self { sender, closed: Arc::new(AtomicBool::new(false)), side }, Arrivals { receiver, stopped: false })
    }

    /// Queues the work and waits for its outcome. When it returns because the wait was too long, the work will not run.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        closure: impl Fn(&mut Conn) -> Result<Output<T>, Error> + Send + 'static,
    ) -> Result<T, Error> {
        if self.is_closed() {
            return Err(Failure::unavailable("the database is closed").into());
        }
        let (outage, answers) = (&self.side.outage, self.side.answers());
        let (work, mut receipt) = Work::queued(closure, self.side.clone());
        self.sender.try_send(Message::Run(work)).map_err(|error| match error {
            TrySendError::Full(_) => self.side.has_no_place(),
            TrySendError::Disconnected(_) => Failure::unavailable("the database is closed"),
        })?;
        let outcome = match tokio::time::timeout(PATIENCE, &mut receipt.outcome).await {
            Ok(outcome) => outcome,
            Err(_) if !receipt.claimed.swap(true, Ordering::AcqRel) => {
                if let Some(measures) = self.side.measures() {
                    measures.wait.record(PATIENCE);
                }
                return Err(self.side.has_no_time(answers).into());
            }
            Err(_) => tokio::time::timeout(ANSWER, receipt.outcome).await.map_err(|_| {
                let what = "the database did not answer in time; what became of it is not known";
                outage.trouble(Failure::unavailable(what))
            })?,
        };
        match outcome {
            Ok(Err(Error::Failed(failure))) if outage::is_of_all(&failure) => Err(outage.trouble(failure).into()),
            Ok(Err(Error::Failed(failure))) => Err(failure.into()),
            Ok(answer) => {
                self.side.answered();
                answer
            }
            Err(_) => Err(Failure::unavailable("the database was closed before it answered").into()),
        }
    }

    /// Records the times of its work from now on.
    pub(super) fn measure(&self, metrics: &Metrics) {
        self.side.measure(metrics);
    }

    /// How much work waits in it.
    pub(super) fn len(&self) -> usize {
        self.sender.len()
    }

    /// Takes no more work and tells one thread to end after what is queued already. Blocks while the queue is full.
    pub(super) fn stop(&self) {
        self.closed.store(true, Ordering::Release);
        if self.sender.send(Message::Stop).is_err() {
            tracing::debug!("an executor thread has ended already");
        }
    }

    /// Whether it takes no more work.
    pub(super) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }
}

/// An executor thread's end of a queue. Work that nobody waits for any more is passed over.
#[derive(Clone)]
pub(super) struct Arrivals {
    receiver: Receiver<Message>,
    stopped: bool,
}

impl Arrivals {
    /// The next work; `None` when it is time to stop or nobody can ask any more.
    pub(super) fn wait(&mut self) -> Option<Box<dyn QueuedWork>> {
        while !self.stopped {
            let message = self.receiver.recv().ok()?;
            if let Some(work) = self.claim(message) {
                return Some(work);
            }
        }
        None
    }

    /// The next work if it is there already.
    pub(super) fn now(&mut self) -> Option<Box<dyn QueuedWork>> {
        while !self.stopped {
            let message = self.receiver.try_recv().ok()?;
            if let Some(work) = self.claim(message) {
                return Some(work);
            }
        }
        None
    }

    fn claim(&mut self, message: Message) -> Option<Box<dyn QueuedWork>> {
        match message {
            Message::Run(mut work) => work.claim().then_some(work),
            Message::Stop => {
                self.stopped = true;
                None
            }
        }
    }
}
