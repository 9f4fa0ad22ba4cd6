//! The worker of a process. It claims due jobs, runs up to [`CONCURRENCY`] at a time, and returns them when it stops.

use std::{collections::HashMap, sync::Arc, time::Duration};

use shared_model::{Error, Failure};
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
    state::db::{Conn, LaneKey},
};

// Small: jobs are mostly waits for other services, and many processes can work at the same time.
const CONCURRENCY: usize = 4;
// Jobs become due without a notice, and other processes enqueue jobs.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

// For background work that is not a job.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);

pub struct Workers {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
    other_work: Vec<JoinHandle<()>>,
}

impl Workers {
    /// Starts the worker. Needs a tokio runtime.
    pub fn start(context: Context, kinds: Vec<JobKind>) -> Self {
        let (stop, stopped) = watch::channel(false);
        let lease = failpoint::value("jobs::lease_ms").and_then(|text| text.parse().ok()).map(Duration::from_millis);
        let kinds = kinds.into_iter().map(|kind| Arc::new(JobKind { lease: lease.unwrap_or(kind.lease), ..kind }));
        let kinds: Vec<_> = kinds.collect();
        for kind in &kinds {
            // Every series exists from now on, as 0.
            JobMeasures::for_kind(kind.name, &context.metrics);
        }
        let worker = Worker {
            context,
            kinds,
            // With a random part: after a restart in a container the process id is often the same.
            holder: format!("{}-{:016x}", std::process::id(), rand::random::<u64>()),
            stopped,
            jobs: JoinSet::new(),
            running: HashMap::new(),
            outage: Backoff::for_outage(),
            is_trouble_logged: false,
        };
        Self { stop, task: tokio::spawn(worker.work()), other_work: Vec::new() }
    }

    /// With other background work, which must end soon after its receiver says so.
    pub fn beside<W>(mut self, work: impl FnOnce(watch::Receiver<bool>) -> W) -> Self
    where
        W: Future<Output = ()> + Send + 'static,
    {
        self.other_work.push(tokio::spawn(work(self.stop.subscribe())));
        self
    }

    /// Stops claiming, cancels what runs, and hands the leases back.
    pub async fn stop(self) {
        self.stop.send_replace(true);
        if let Err(error) = self.task.await {
            tracing::error!(%error, "the worker's task panicked");
        }
        for mut task in self.other_work {
            match tokio::time::timeout(STOP_TIMEOUT, &mut task).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => tracing::error!(%error, "background work panicked"),
                Err(_) => {
                    tracing::warn!("background work did not end before the stop");
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
    /// Ids of running jobs.
    running: HashMap<Id, i64>,
    outage: Backoff,
    /// The cause is not an outage, which the database logs itself.
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
        // Every job notices the stop itself and returns its lease.
        while let Some(ended) = self.jobs.join_next_with_id().await {
            self.ended(ended);
        }
    }

    /// Claims and runs as many jobs as possible; returns the longest pause before the next claim.
    async fn claim_and_run(&mut self) -> Duration {
        // Claims no more than it can run: a claimed job that waits here would keep its lease from other workers.
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

    /// Claims jobs of all kinds: a look at what is due, then one transaction.
    async fn claim(&mut self, free: usize) -> Result<Vec<(Arc<JobKind>, Job)>, Error> {
        // Another kind is first each time, so that none starves.
        self.kinds.rotate_left(1);
        let (kinds, holder) = (self.kinds.clone(), self.holder.clone());
        let except: Vec<i64> = self.running.values().copied().collect();
        let is_after_failure = !self.outage.is_fresh();
        let now = self.context.clock.now();
        // A read waits for no lane, and mostly nothing is due. After a failure it could miss the jobs of a lost claim,
        // because their leases are valid.
        if !is_after_failure {
            let (names, except) = (kinds.iter().map(|kind| kind.name).collect::<Vec<_>>(), except.clone());
            if !self.context.read(move |conn| Ok(store::is_due(conn, &names, now, &except)?)).await? {
                return Ok(Vec::new());
            }
        }
        let claim = move |conn: &mut Conn| -> Result<Vec<(Arc<JobKind>, Job)>, Error> {
            // The claim that failed may be committed, and only its answer lost.
            if is_after_failure {
                store::release_lost_claims(conn, &holder, &except)?;
            }
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
        };
        let claimed = match is_after_failure {
            true => self.context.db.write(claim).await?,
            false => self.context.db.write_in(lane_of_claims(), claim).await?,
        };
        match failpoint::value("jobs::claim_unheard") {
            Some(_) => Err(Failure::unavailable("a test loses the answer of a claim").into()),
            None => Ok(claimed),
        }
    }

    fn run(&mut self, kind: Arc<JobKind>, job: Job) {
        let (id, lane) = (job.id, (kind.lane)(&job.key));
        let token = LeaseToken { id, epoch: job.epoch, holder: self.holder.clone(), lane };
        let task = self.jobs.spawn(run::run(self.context.clone(), kind, job, token, self.stopped.clone()));
        self.running.insert(task.id(), id);
    }

    fn ended(&mut self, ended: Result<(Id, ()), tokio::task::JoinError>) {
        let task = match ended {
            Ok((task, ())) => task,
            Err(error) => {
                // Panics of handlers are caught where they run, so this is a bug of ours. The lease expires.
                tracing::error!(%error, "the task of a job panicked");
                error.id()
            }
        };
        self.running.remove(&task);
    }
}

/// The lane of the claims of all processes.
// Jobs belong to any workspace, so by the rule of `Db::write_in` a claim would run alone. But then it waits for every
// lane, and every later write waits for it. In a lane it is safe too:
// - A claim is one statement. It skips rows that others have locked, and locks a row before it decides about it.
// - Other lanes insert a job unless its key exists, or write a row of which they hold the lease. After they have waited
//   for a claim, PostgreSQL checks both again: the key exists, and the lease is another one.
// - A claim waits for no row. But another member of its batch may wait for a lane that waits for the claim. Two lanes
//   that revoke grants are an example. PostgreSQL ends this deadlock after a second, and the batch runs again. Lanes
//   are few, so commands of many workspaces share this one. If it is so busy that a claim is refused, the next claim
//   runs alone: few writes wait in that queue.
fn lane_of_claims() -> LaneKey {
    LaneKey::from_name(b"jobs")
}
