//! One task of the process appends what waits, a batch in each transaction, so that the cost of a commit is shared.
//!
//! The runtime's writer lets writes share a commit too; here they share the statements: what all of a batch need to know
//! is read at once, and the head of the log changes once.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use shared_model::{Error, Failure};
use shared_runtime::{Conn, Context};
use tokio::sync::{mpsc, oneshot};

/// Entries that one transaction appends at most.
const BATCH: usize = 256;
/// Entries that may wait before more are refused.
const QUEUED: usize = 1024;
/// How long an entry waits before its publisher is told to come again.
const PATIENCE: Duration = Duration::from_secs(10);

/// Appends a batch; the outcome of each entry, in their order. It may run more than once.
type Transaction<E, O> = fn(&mut Conn, &[E]) -> Result<Vec<O>, Failure>;

/// The way to the task. It ends when nobody holds this any more.
pub struct Sequencer<E, O> {
    queue: mpsc::Sender<Waiting<E, O>>,
    /// Whether it is in the log that the queue is full.
    is_full: Arc<AtomicBool>,
}

struct Waiting<E, O> {
    entry: E,
    back: oneshot::Sender<Result<O, Failure>>,
}

impl<E: Send + Sync + 'static, O: Send + 'static> Sequencer<E, O> {
    /// Starts the task.
    pub fn start(context: Context, transaction: Transaction<E, O>) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUED);
        let is_full = Arc::<AtomicBool>::default();
        tokio::spawn(run(context, transaction, waiting, Arc::clone(&is_full)));
        Self { queue, is_full }
    }

    /// The outcome of an entry, once it is committed. A publisher that hangs up before its turn has appended nothing.
    pub async fn append(&self, entry: E) -> Result<O, Failure> {
        let (back, outcome) = oneshot::channel();
        self.queue.try_send(Waiting { entry, back }).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => self.refused(),
            mpsc::error::TrySendError::Closed(_) => Failure::unavailable("the sequencer of the log has ended"),
        })?;
        match tokio::time::timeout(PATIENCE, outcome).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) => Err(Failure::unavailable("the sequencer of the log has ended")),
            Err(_) => Err(Failure::unavailable("the log did not append in time; what became of it is not known")),
        }
    }

    fn refused(&self) -> Failure {
        if !self.is_full.swap(true, Ordering::AcqRel) {
            tracing::error!(
                waiting = QUEUED,
                "the log does not keep up: publishers are answered 503, and not logged each, until it does"
            );
        }
        Failure::unavailable("too many publishers wait").already_logged()
    }
}

async fn run<E: Send + Sync + 'static, O: Send + 'static>(
    context: Context,
    transaction: Transaction<E, O>,
    mut waiting: mpsc::Receiver<Waiting<E, O>>,
    is_full: Arc<AtomicBool>,
) {
    let mut batch = Vec::with_capacity(BATCH);
    while waiting.recv_many(&mut batch, BATCH).await > 0 {
        let (entries, backs): (Vec<_>, Vec<_>) = batch
            .drain(..)
            .filter(|waiting| !waiting.back.is_closed())
            .map(|Waiting { entry, back }| (entry, back))
            .unzip();
        if !entries.is_empty() {
            let outcome = context.write(move |conn| Ok(transaction(conn, &entries)?)).await;
            answer(backs, outcome);
        }
        if waiting.len() < QUEUED / 2 && is_full.swap(false, Ordering::AcqRel) {
            tracing::info!("the log keeps up again");
        }
    }
}

/// Tells each its outcome, or all that there is none.
fn answer<O>(backs: Vec<oneshot::Sender<Result<O, Failure>>>, outcome: Result<Vec<O>, Error>) {
    let outcomes: Vec<Result<O, Failure>> = match outcome {
        Ok(outcomes) => outcomes.into_iter().map(Ok).collect(),
        Err(error) => {
            if !error.is_already_logged() {
                tracing::error!(?error, publishers = backs.len(), "a batch was not appended to the log");
            }
            // Each publishes again: a batch that was committed all the same answers with the receipt then.
            backs.iter().map(|_| Err(Failure::unavailable("a batch was not appended").already_logged())).collect()
        }
    };
    for (back, outcome) in backs.into_iter().zip(outcomes) {
        if back.send(outcome).is_err() {
            tracing::debug!("a publisher hung up before its answer");
        }
    }
}
