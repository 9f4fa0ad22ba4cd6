//! Jobs and their workers, on whichever backend this run has. Several workers on one context are as many processes.

use std::{collections::BTreeSet, time::Duration};

use shared_model::{Envelope, Error, Failure, Timestamp, code};
use shared_runtime::{
    Conn, Context, Surface,
    context::settings::Role,
    jobs::{self, AttemptError, Job, JobEnd, JobKind, Lease, Workers},
    service::Service,
    state::db::{LaneKey, Migrations},
};
use shared_testing::{Stage, held_lane, servers};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

pub static SURFACE: Surface = Surface {
    name: "factory",
    title: "A factory",
    about: "Nothing but a test.",
    version: "v1",
    envelope: Envelope::DataMeta,
    invalid_field: &code::INVALID_FIELD,
    wrong_method: &code::METHOD_NOT_ALLOWED,
    body_bytes: 1024,
    port: 8085,
    claims: &[],
    codes: &[],
};

const KIND: &str = "errand";
/// The transaction of a job leaves a job of this kind, which nobody works on, as its effect.
const TRACE: &str = "trace";
const LEASE: Duration = Duration::from_secs(30);

/// A stage on which nobody works until a test says so.
pub async fn stage() -> Stage {
    let service = Service::new(&SURFACE, |_| {}, Migrations::NONE);
    Stage::of(service).settings(|settings| settings.role = Role::Api).await
}

async fn enqueue(context: &Context, key: &'static str) {
    let now = context.clock.now();
    context.write(move |conn| Ok(jobs::enqueue(conn, KIND, key, "", now)?)).await.expect("enqueued");
}

fn trace(conn: &mut Conn, key: &str) -> Result<JobEnd, Error> {
    jobs::enqueue(conn, TRACE, key, "", Timestamp::from_seconds(0))?;
    Ok(JobEnd::Done)
}

fn never_given_up(_: &mut Conn, job: &Job, _: Timestamp) -> Result<JobEnd, Error> {
    panic!("{job:?} is not to be given up");
}

/// How many jobs there are of each kind.
async fn count(stage: &Stage, kind: &'static str) -> i64 {
    let waiting = stage.context.read(|conn| Ok(jobs::waiting(conn)?)).await.expect("a count");
    waiting.into_iter().find(|(name, ..)| name == kind).map_or(0, |(_, count, _)| count)
}

/// A worker that takes jobs and leaves them to the test.
fn holding(stage: &Stage) -> (Workers, UnboundedReceiver<Lease>) {
    let (taken, leases) = unbounded_channel();
    let kind = JobKind::new(
        KIND,
        move |_, lease| {
            let taken = taken.clone();
            async move {
                taken.send(lease).expect("the test waits");
                std::future::pending().await
            }
        },
        never_given_up,
    );
    (Workers::start(stage.context.clone(), vec![kind.lease(LEASE)]), leases)
}

async fn next<T>(received: &mut UnboundedReceiver<T>) -> T {
    received.recv().await.expect("the worker lives")
}

/// Tells that a handler was dropped.
struct Dropped(UnboundedSender<()>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.send(()).expect("the test waits");
    }
}

#[shared_testing::test]
async fn four_workers_take_each_of_forty_jobs_once() {
    let stage = stage().await;
    let now = stage.now();
    let forty = move |conn: &mut Conn| {
        (0..40).try_for_each(|number| Ok(jobs::enqueue(conn, KIND, &number.to_string(), "", now)?))
    };
    stage.context.write(forty).await.expect("enqueued");
    let (done, mut keys) = unbounded_channel();
    let settle = move |context: Context, lease: Lease| {
        let done = done.clone();
        async move {
            let key = lease.key.clone();
            let traced = key.clone();
            let settled = lease.settle(&context, move |conn| trace(conn, &traced)).await?;
            done.send(key).expect("the test waits");
            Ok(settled)
        }
    };
    let kind = JobKind::new(KIND, settle, never_given_up);
    let workers: Vec<_> = (0..4).map(|_| Workers::start(stage.context.clone(), vec![kind.clone()])).collect();
    let mut seen = BTreeSet::new();
    for _ in 0..40 {
        assert!(seen.insert(next(&mut keys).await), "a job is done once");
    }
    for worker in workers {
        worker.stop().await;
    }
    assert!(keys.try_recv().is_err());
    assert_eq!((count(&stage, KIND).await, count(&stage, TRACE).await), (0, 40));
}

#[shared_testing::test]
async fn an_expired_lease_is_taken_over_and_its_first_holder_writes_nothing() {
    let stage = stage().await;
    enqueue(&stage.context, "one").await;
    let (first, mut first_leases) = holding(&stage);
    let late = next(&mut first_leases).await;
    assert_eq!(late.attempts, 1);
    late.write(&stage.context, |conn| trace(conn, "in time")).await.expect("the lease is held");
    let (second, mut second_leases) = holding(&stage);
    stage.clock.advance(LEASE);
    let present = next(&mut second_leases).await;
    assert_eq!((present.key.as_str(), present.attempts), ("one", 2));
    let outcome = late.write(&stage.context, |conn| trace(conn, "too late")).await;
    assert!(matches!(outcome, Err(AttemptError::LeaseLost)), "{outcome:?}");
    let outcome = late.settle(&stage.context, |conn| trace(conn, "too late")).await;
    assert!(matches!(outcome, Err(AttemptError::LeaseLost)), "{outcome:?}");
    assert_eq!((count(&stage, KIND).await, count(&stage, TRACE).await), (1, 1));
    present.settle(&stage.context, |conn| trace(conn, "present")).await.expect("the lease is held");
    assert_eq!((count(&stage, KIND).await, count(&stage, TRACE).await), (0, 2));
    first.stop().await;
    second.stop().await;
}

#[shared_testing::test]
async fn a_job_whose_lease_is_lost_is_cancelled_by_its_heartbeat() {
    let stage = stage().await;
    enqueue(&stage.context, "one").await;
    let (taken, mut leases) = unbounded_channel();
    let (dropped, mut drops) = unbounded_channel();
    let hold = move |_, lease| {
        let (taken, dropped) = (taken.clone(), Dropped(dropped.clone()));
        async move {
            taken.send(lease).expect("the test waits");
            let _dropped = dropped;
            std::future::pending().await
        }
    };
    let kind = JobKind::new(KIND, hold, never_given_up).lease(Duration::from_millis(30));
    let worker = Workers::start(stage.context.clone(), vec![kind]);
    let lease = next(&mut leases).await;
    // Behind its back the job ends.
    lease.settle(&stage.context, |_| Ok(JobEnd::Done)).await.expect("the lease is held");
    next(&mut drops).await;
    worker.stop().await;
}

#[shared_testing::test]
async fn a_worker_that_is_stopped_hands_its_jobs_back_uncharged() {
    let stage = stage().await;
    enqueue(&stage.context, "one").await;
    for _ in 0..5 {
        let (worker, mut leases) = holding(&stage);
        let lease = next(&mut leases).await;
        assert_eq!(lease.attempts, 1);
        worker.stop().await;
        let outcome = lease.settle(&stage.context, |conn| trace(conn, "too late")).await;
        assert!(matches!(outcome, Err(AttemptError::LeaseLost)), "{outcome:?}");
    }
    assert_eq!((count(&stage, KIND).await, count(&stage, TRACE).await), (1, 0));
}

#[shared_testing::test]
async fn a_claim_whose_answer_is_lost_costs_no_attempt_and_no_lease() {
    let stage = stage().await;
    enqueue(&stage.context, "one").await;
    fail::cfg("jobs::claim_unheard", "1*return").expect("an action");
    let (worker, mut leases) = holding(&stage);
    // The clock stands still, so the lost lease cannot expire.
    let first = next(&mut leases).await;
    assert_eq!((first.key.as_str(), first.attempts), ("one", 1));
    // The next claim fails while the worker runs this job.
    fail::cfg("jobs::claim_unheard", "1*return").expect("an action");
    enqueue(&stage.context, "two").await;
    let second = next(&mut leases).await;
    assert_eq!((second.key.as_str(), second.attempts), ("two", 1));
    first.settle(&stage.context, |conn| trace(conn, "one")).await.expect("its lease is held");
    worker.stop().await;
    fail::remove("jobs::claim_unheard");
}

#[shared_testing::test]
async fn a_job_that_fails_and_panics_is_given_up_after_its_attempts() {
    let stage = stage().await;
    enqueue(&stage.context, "one").await;
    let (tried, mut attempts) = unbounded_channel();
    let (given_up, mut last) = unbounded_channel();
    let fail = move |_, lease: Lease| {
        let tried = tried.clone();
        async move {
            tried.send(lease.attempts).expect("the test waits");
            if lease.attempts == 2 {
                panic!("on purpose");
            }
            Err(Failure::fault("on purpose").into())
        }
    };
    let give_up = move |conn: &mut Conn, job: &Job, _| {
        given_up.send(job.attempts).expect("the test waits");
        trace(conn, &job.key)
    };
    let kind = JobKind::new(KIND, fail, give_up).attempts(3).backoff(|_| Duration::ZERO);
    let worker = Workers::start(stage.context.clone(), vec![kind]);
    assert_eq!(next(&mut last).await, 3);
    worker.stop().await;
    assert_eq!([next(&mut attempts).await, next(&mut attempts).await, next(&mut attempts).await], [1, 2, 3]);
    assert!(attempts.try_recv().is_err());
    assert_eq!((count(&stage, KIND).await, count(&stage, TRACE).await), (0, 1));
}

#[shared_testing::test]
async fn a_job_whose_workers_all_died_is_given_up_unseen() {
    let stage = stage().await;
    enqueue(&stage.context, "one").await;
    // This one never says anything again: its heartbeats are ten seconds away, and the clock runs ahead of them.
    let (_dead, mut leases) = holding(&stage);
    let lease = next(&mut leases).await;
    stage.clock.advance(LEASE);
    let (given_up, mut last) = unbounded_channel();
    let run = |_, lease: Lease| async move { panic!("{lease:?} has had its attempts") };
    let give_up = move |conn: &mut Conn, job: &Job, _| {
        given_up.send(job.key.clone()).expect("the test waits");
        trace(conn, &job.key)
    };
    let worker = Workers::start(stage.context.clone(), vec![JobKind::new(KIND, run, give_up).attempts(1)]);
    assert_eq!(next(&mut last).await, "one");
    worker.stop().await;
    assert!(lease.write(&stage.context, |_| Ok(())).await.is_err());
    assert_eq!((count(&stage, KIND).await, count(&stage, TRACE).await), (0, 1));
}

#[shared_testing::test]
async fn a_recurring_job_runs_again_when_it_is_due() {
    let stage = stage().await;
    let (done, mut rounds) = unbounded_channel();
    let again = move |context: Context, lease: Lease| {
        let done = done.clone();
        async move {
            let (attempts, at) = (lease.attempts, context.clock.now().plus(Duration::from_secs(60)));
            let settled = lease.settle(&context, move |_| Ok(JobEnd::Again(at))).await?;
            done.send(attempts).expect("the test waits");
            Ok(settled)
        }
    };
    enqueue(&stage.context, "the one").await;
    let kind = JobKind::new(KIND, again, never_given_up);
    let workers = [(), ()].map(|()| Workers::start(stage.context.clone(), vec![kind.clone()]));
    for _ in 0..3 {
        assert_eq!(next(&mut rounds).await, 1, "each time it has all its attempts");
        assert!(rounds.try_recv().is_err());
        stage.clock.advance(Duration::from_secs(60));
    }
    for worker in workers {
        worker.stop().await;
    }
    assert_eq!(count(&stage, KIND).await, 1);
}

/// SQLite has one lane.
#[shared_testing::test]
#[ignore = "needs PostgreSQL"]
async fn jobs_are_claimed_and_done_while_the_lane_of_a_workspace_is_busy() {
    servers::needed();
    let stage = stage().await;
    // Of four lanes. The third one is that of the claims.
    let [busy, own] = [3, 2].map(LaneKey::for_workspace);
    assert_eq!([busy, own, LaneKey::from_name(b"jobs")].map(|lane| lane.index(4)), [0, 1, 2]);
    let work = async {
        let (done, mut keys) = unbounded_channel();
        let settle = move |context: Context, lease: Lease| {
            let done = done.clone();
            async move {
                let key = lease.key.clone();
                lease.write(&context, |_| Ok(())).await?;
                let settled = lease.settle(&context, |_| Ok(JobEnd::Done)).await?;
                done.send(key).expect("the test waits");
                Ok(settled)
            }
        };
        let kind = JobKind::new(KIND, settle, never_given_up).lane(|_| Some(LaneKey::for_workspace(2)));
        let worker = Workers::start(stage.context.clone(), vec![kind]);
        let now = stage.now();
        for key in ["one", "two"] {
            let enqueue = move |conn: &mut Conn| Ok(jobs::enqueue(conn, KIND, key, "", now)?);
            stage.context.db.write_in(own, enqueue).await.expect("its lane is free");
            assert_eq!(next(&mut keys).await, key);
        }
        worker.stop().await;
    };
    held_lane::while_held(&stage, busy, work).await;
    assert_eq!(count(&stage, KIND).await, 0);
}

#[shared_testing::test]
async fn a_job_is_ensured_once_and_only_with_its_transaction() {
    let stage = stage().await;
    let now = stage.now();
    let ensure = move |conn: &mut Conn| Ok(jobs::ensure(conn, KIND, "one", "", now)?);
    assert!(stage.context.write(ensure).await.expect("a transaction"));
    assert!(!stage.context.write(ensure).await.expect("a transaction"));
    let refused = stage.context.write(move |conn| {
        jobs::enqueue(conn, KIND, "two", "", now)?;
        Err::<(), _>(code::NOT_FOUND.refusal().into())
    });
    assert!(refused.await.is_err());
    assert_eq!(count(&stage, KIND).await, 1);
}

#[shared_testing::test]
async fn jobs_that_are_not_due_or_of_an_unknown_kind_stay() {
    let stage = stage().await;
    let now = stage.now();
    let later = move |conn: &mut Conn| {
        jobs::enqueue(conn, KIND, "later", "", now.plus(Duration::from_secs(5)))?;
        Ok(jobs::enqueue(conn, TRACE, "unknown", "", now)?)
    };
    stage.context.write(later).await.expect("enqueued");
    let (worker, mut leases) = holding(&stage);
    enqueue(&stage.context, "now").await;
    assert_eq!(next(&mut leases).await.key, "now");
    assert!(leases.try_recv().is_err());
    stage.clock.advance(Duration::from_secs(5));
    assert_eq!(next(&mut leases).await.key, "later");
    worker.stop().await;
}

#[shared_testing::test]
async fn a_job_of_a_clock_that_was_ahead_is_made_due_unless_it_is_leased() {
    let stage = stage().await;
    let (now, later) = (stage.now(), stage.now().plus(Duration::from_secs(1200)));
    let (worker, mut leases) = holding(&stage);
    enqueue(&stage.context, "leased").await;
    let leased = next(&mut leases).await;
    let ahead = move |conn: &mut Conn| Ok(jobs::enqueue(conn, KIND, "ahead", "", later)?);
    stage.context.write(ahead).await.expect("enqueued");
    let make_due = move |conn: &mut Conn| {
        jobs::make_due(conn, KIND, "leased", now)?;
        Ok(jobs::make_due(conn, KIND, "ahead", now)?)
    };
    stage.context.write(make_due).await.expect("changed");
    assert_eq!(next(&mut leases).await.key, "ahead");
    assert!(leases.try_recv().is_err());
    leased.write(&stage.context, |_| Ok(())).await.expect("still leased");
    worker.stop().await;
}
