//! The worker of a process: claims jobs that are due, runs up to [`CONCURRENCY`] at a time, hands them back when stopped.

use std::{collections::HashMap, sync::Arc, time::Duration};

use shared_model::Error;
use tokio::{
    sync::watch,
    task::{Id, JoinHandle, JoinSet},
};

use super::{
    kind::JobKind,
    measures::JobMeasures,
    run,
    store::{self, Claim, Job, LeaseToken},
};
use crate::{
    base::{
        backoff::{Backoff, jittered},
        failpoint,
    },
    context::Context,
};

/// Jobs that one process runs at a time.
const CONCURRENCY: usize = 4;
/// The longest pause between two claims: other processes enqueue jobs without a notice, and jobs become due.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// How long a stop waits for work beside the jobs.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);

/// The running worker of this process.
pub struct Workers {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
    beside: Vec<JoinHandle<()>>,
}

impl Workers {
    /// Starts to work on jobs of these kinds. Needs a tokio runtime.
    pub fn start(context: Context, kinds: Vec<JobKind>) -> Self {
        let (stop, stopped) = watch::channel(false);
        let lease = failpoint::value("jobs::lease_ms").and_then(|text| text.parse().ok()).map(Duration::from_millis);
        let kinds = kinds.into_iter().map(|kind| Arc::new(JobKind { lease: lease.unwrap_or(kind.lease), ..kind }));
        let kinds: Vec<_> = kinds.collect();
        for kind in &kinds {
            // There from now on, as 0.
            JobMeasures::of(kind.name, &context.metrics);
        }
        let worker = Worker {
            context,
            kinds,
            holder: format!("{}-{:016x}", std::process::id(), rand::random::<u64>()),
            stopped,
            jobs: JoinSet::new(),
            running: HashMap::new(),
            outage: Backoff::of_outage(),
            is_trouble_logged: false,
        };
        Self { stop, task: tokio::spawn(worker.work()), beside: Vec::new() }
    }

    /// With other work in the background, which ends soon after it is told to stop.
    pub fn beside<W>(mut self, work: impl FnOnce(watch::Receiver<bool>) -> W) -> Self
    where
        W: Future<Output = ()> + Send + 'static,
    {
        self.beside.push(tokio::spawn(work(self.stop.subscribe())));
        self
    }

    /// Stops: claims nothing more, cancels what runs and hands the leases back, so that another process can start at once.
    pub async fn stop(self) {
        self.stop.send_replace(true);
        if let Err(error) = self.task.await {
            tracing::error!(%error, "the worker broke");
        }
        for mut task in self.beside {
            match tokio::time::timeout(STOP_TIMEOUT, &mut task).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => tracing::error!(%error, "work in the background broke"),
                Err(_) => {
                    tracing::warn!("work in the background was left behind by the stop");
                    task.abort();
                }
            }
        }
    }
}

struct Worker {
    context: Context,
    kinds: Vec<Arc<JobKind>>,
    holder: String,
    stopped: watch::Receiver<bool>,
    jobs: JoinSet<()>,
    /// The ids of the jobs that run.
    running: HashMap<Id, i64>,
    outage: Backoff,
    /// Trouble that is more than the database's outage, which is told elsewhere.
    is_trouble_logged: bool,
}

impl Worker {
    async fn work(mut self) {
        if self.kinds.is_empty() {
            return;
        }
        let mut stopped = self.stopped.clone();
        loop {
            let pause = self.claim_and_run().await;
            let ended = tokio::select! {
                biased;
                _ = stopped.wait_for(|stopped| *stopped) => break,
                ended = self.jobs.join_next_with_id(), if !self.jobs.is_empty() => ended,
                () = self.context.db.enqueued() => None,
                () = tokio::time::sleep(pause) => None,
            };
            if let Some(ended) = ended {
                self.ended(ended);
            }
        }
        while let Some(ended) = self.jobs.join_next_with_id().await {
            self.ended(ended);
        }
    }

    /// Claims as many jobs as there are free places and runs them; returns the longest pause before the next claim.
    async fn claim_and_run(&mut self) -> Duration {
        let free = CONCURRENCY - self.jobs.len();
        if free == 0 {
            return POLL_INTERVAL;
        }
        match self.claim(free).await {
            Ok(claimed) => {
                if std::mem::take(&mut self.is_trouble_logged) {
                    tracing::info!("the worker claims jobs again");
                }
                self.outage.reset();
                for (kind, job) in claimed {
                    self.run(kind, job);
                }
                jittered(POLL_INTERVAL)
            }
            Err(error) => {
                if !error.is_already_logged() && !std::mem::replace(&mut self.is_trouble_logged, true) {
                    tracing::warn!(?error, "the worker cannot claim jobs");
                }
                self.outage.pause()
            }
        }
    }

    /// Claims what is due, kind after kind, in one transaction.
    async fn claim(&mut self, free: usize) -> Result<Vec<(Arc<JobKind>, Job)>, Error> {
        // Each time another kind comes first, so that none starves.
        self.kinds.rotate_left(1);
        let (kinds, holder) = (self.kinds.clone(), self.holder.clone());
        let except: Vec<i64> = self.running.values().copied().collect();
        let now = self.context.clock.now();
        let claimed = self.context.write(move |conn| {
            let mut claimed = Vec::new();
            for kind in &kinds {
                let limit = free - claimed.len();
                if limit > 0 {
                    let claim =
                        Claim { kind: kind.name, holder: &holder, now, lease: kind.lease, limit, except: &except };
                    claimed.extend(store::claim(conn, &claim)?.into_iter().map(|job| (Arc::clone(kind), job)));
                }
            }
            Ok(claimed)
        });
        claimed.await
    }

    fn run(&mut self, kind: Arc<JobKind>, job: Job) {
        let token = LeaseToken { id: job.id, epoch: job.epoch, holder: self.holder.clone() };
        let id = job.id;
        let task = self.jobs.spawn(run::run(self.context.clone(), kind, job, token, self.stopped.clone()));
        self.running.insert(task.id(), id);
    }

    fn ended(&mut self, ended: Result<(Id, ()), tokio::task::JoinError>) {
        let task = match ended {
            Ok((task, ())) => task,
            Err(error) => {
                // Handlers are caught where they run; their lease expires.
                tracing::error!(%error, "running a job broke");
                error.id()
            }
        };
        self.running.remove(&task);
    }
}
