//! One task of the process appends the events that wait, up to 256 in each transaction.
//!
//! The runtime's writer lets writes share a commit too. Here a batch also shares its statements. It reads what all
//! events need once, and changes the log's head once.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use shared_model::{Error, Failure};
use shared_runtime::{
    Conn, Context,
    base::fault::{Fault, Place},
};
use tokio::sync::{mpsc, oneshot};

use super::append::{self, AppendResult, QueuedEvent};

// Bounds the time that one transaction holds the lock of the log.
const MAX_BATCH: usize = 256;
// Four full batches.
const MAX_QUEUED: usize = 1024;
const WAIT_TIMEOUT: Duration = Duration::from_secs(10);

/// The queue in front of the log. The task ends when the last handle is dropped.
pub struct Sequencer {
    queue: mpsc::Sender<Waiting>,
    // Set when the log line about a full queue has been written, so that an overload writes one line and not
    // thousands.
    is_full: Arc<AtomicBool>,
    is_halted: Arc<AtomicBool>,
}

struct Waiting {
    event: QueuedEvent,
    reply: oneshot::Sender<Result<AppendResult, Failure>>,
}

impl Sequencer {
    pub fn start(context: Context) -> Self {
        let (queue, waiting) = mpsc::channel(MAX_QUEUED);
        let is_full = Arc::<AtomicBool>::default();
        let is_halted = Arc::<AtomicBool>::default();
        tokio::spawn(run(context, waiting, Arc::clone(&is_full), Arc::clone(&is_halted)));
        Self { queue, is_full, is_halted }
    }

    /// Appends one event, and returns after the commit. An event whose publisher disconnects before its batch begins is
    /// dropped.
    pub async fn append(&self, event: QueuedEvent) -> Result<AppendResult, Failure> {
        self.require_running()?;
        let (reply, result) = oneshot::channel();
        // Never waits for room in the queue: a full queue is 503 immediately, so memory is bounded and publishers back
        // off.
        self.queue.try_send(Waiting { event, reply }).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => self.overloaded(),
            mpsc::error::TrySendError::Closed(_) => Failure::unavailable("the sequencer of the log has ended"),
        })?;
        match tokio::time::timeout(WAIT_TIMEOUT, result).await {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(Failure::unavailable("the sequencer of the log has ended")),
            // The batch may still commit. A repeated request then gets 409 with the receipt.
            Err(_) => Err(Failure::unavailable("the log did not append in time; the event may still be appended")),
        }
    }

    /// From now on every event is 503, also those that wait. The log was found to be damaged, and nothing may be built
    /// on it. Other processes find it by a check of their own.
    pub fn halt(&self) {
        self.is_halted.store(true, Ordering::Release);
    }

    /// 503 after [`Self::halt`].
    pub fn require_running(&self) -> Result<(), Failure> {
        if self.is_halted.load(Ordering::Acquire) {
            return Err(damaged());
        }
        Ok(())
    }

    fn overloaded(&self) -> Failure {
        if !self.is_full.swap(true, Ordering::AcqRel) {
            tracing::error!(
                waiting = MAX_QUEUED,
                "the log cannot keep up: publishers get 503, without a log line for each, until it can"
            );
        }
        Failure::unavailable("too many publishers are waiting").already_logged()
    }
}

fn damaged() -> Failure {
    Failure::unavailable("the log is damaged").already_logged()
}

async fn run(
    context: Context,
    mut waiting: mpsc::Receiver<Waiting>,
    is_full: Arc<AtomicBool>,
    is_halted: Arc<AtomicBool>,
) {
    let mut batch = Vec::with_capacity(MAX_BATCH);
    // A batch is what has queued up during the batch before it. So an idle log answers promptly and a busy one shares
    // its commits, without a timer.
    while waiting.recv_many(&mut batch, MAX_BATCH).await > 0 {
        let (events, replies): (Vec<_>, Vec<_>) = batch
            .drain(..)
            .filter(|waiting| !waiting.reply.is_closed())
            .map(|Waiting { event, reply }| (event, reply))
            .unzip();
        if !events.is_empty() {
            let results = if is_halted.load(Ordering::Acquire) {
                Err(damaged().into())
            } else {
                append_batch(&context, events).await
            };
            reply_all(replies, results);
        }
        // At half, not at the first free place: a queue at its limit would write two lines for each batch.
        if waiting.len() < MAX_QUEUED / 2 && is_full.swap(false, Ordering::AcqRel) {
            tracing::info!("the log keeps up again");
        }
    }
}

async fn append_batch(context: &Context, events: Vec<QueuedEvent>) -> Result<Vec<AppendResult>, Error> {
    // Events have no other key that a test could choose.
    let fault = Fault::of_any(events.iter().map(|event| event.signer_key_id.as_str()));
    let transaction = move |conn: &mut Conn| {
        fault.strike(Place::Before)?;
        let results = append::append(conn, &events)?;
        fault.strike(Place::Inside)?;
        Ok(results)
    };
    let results = context.write(transaction).await?;
    fault.strike(Place::After)?;
    Ok(results)
}

fn reply_all(replies: Vec<oneshot::Sender<Result<AppendResult, Failure>>>, results: Result<Vec<AppendResult>, Error>) {
    let results: Vec<Result<AppendResult, Failure>> = match results {
        Ok(results) => results.into_iter().map(Ok).collect(),
        Err(error) => {
            if !error.is_already_logged() {
                tracing::error!(?error, publishers = replies.len(), "a batch was not appended to the log");
            }
            // It is safe for each publisher to try again. If the commit succeeded after all, the next request gets the
            // receipt.
            replies.iter().map(|_| Err(Failure::unavailable("a batch was not appended").already_logged())).collect()
        }
    };
    for (reply, result) in replies.into_iter().zip(results) {
        if reply.send(result).is_err() {
            tracing::debug!("a publisher disconnected before its answer");
        }
    }
}
