//! The worker of a process: it claims what is due, runs a few jobs at a time, and hands them back when it is stopped.

use std::{collections::HashMap, sync::Arc, time::Duration};

use shared_model::Error;
use tokio::{
    sync::watch,
    task::{Id, JoinHandle, JoinSet},
};

use super::{
    Job, JobKind, Patience, jittered, run,
    store::{self, Claim, LeaseToken},
};
use crate::{base::failpoint, context::Context};

/// Jobs that one process runs at a time.
const CONCURRENCY: usize = 4;
/// How often it looks for what other processes enqueued, and for what has become due, at least.
const POLL: Duration = Duration::from_secs(1);

/// The worker of this process while it works.
pub struct Workers {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Workers {
    /// Begins to work on jobs of these kinds. Needs a runtime.
    pub fn start(context: Context, kinds: Vec<JobKind>) -> Self {
        let (stop, stopped) = watch::channel(false);
        let lease = failpoint::value("jobs::lease_ms").and_then(|text| text.parse().ok()).map(Duration::from_millis);
        let kinds = kinds.into_iter().map(|kind| Arc::new(JobKind { lease: lease.unwrap_or(kind.lease), ..kind }));
        let worker = Worker {
            context,
            kinds: kinds.collect(),
            holder: format!("{}-{:016x}", std::process::id(), rand::random::<u64>()),
            stopped,
            jobs: JoinSet::new(),
            at_work: HashMap::new(),
            outage: Patience::default(),
        };
        Self { stop, task: tokio::spawn(worker.work()) }
    }

    /// Claims nothing more, ends what runs, and hands the leases back, so that another process can go on at once.
    pub async fn stop(self) {
        self.stop.send_replace(true);
        if let Err(error) = self.task.await {
            tracing::error!(%error, "the worker broke");
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
    at_work: HashMap<Id, i64>,
    outage: Patience,
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

    /// Fills the free places; how long to wait before the next look, if nothing happens.
    async fn claim_and_run(&mut self) -> Duration {
        let free = CONCURRENCY - self.jobs.len();
        if free == 0 {
            return POLL;
        }
        match self.claim(free).await {
            Ok(claimed) => {
                if !self.outage.is_fresh() {
                    tracing::info!("the worker has its database again");
                }
                self.outage = Patience::default();
                for (kind, job) in claimed {
                    self.run(kind, job);
                }
                jittered(POLL)
            }
            Err(error) => {
                if self.outage.is_fresh() {
                    tracing::warn!(?error, "the worker waits for its database");
                }
                self.outage.pause()
            }
        }
    }

    /// In one transaction what is due is claimed, kind after kind.
    async fn claim(&mut self, free: usize) -> Result<Vec<(Arc<JobKind>, Job)>, Error> {
        // Another kind is the first each time, so that none starves.
        self.kinds.rotate_left(1);
        let (kinds, holder) = (self.kinds.clone(), self.holder.clone());
        let except: Vec<i64> = self.at_work.values().copied().collect();
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
        self.at_work.insert(task.id(), id);
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
        self.at_work.remove(&task);
    }
}
