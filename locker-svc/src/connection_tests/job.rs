//! The job of a test: marks it as running, verifies the image again, probes the endpoint, stores the result. Each write is
//! fenced, so that a worker that has lost its lease changes nothing.

use std::time::Duration;

use shared_model::{Error, Failure, Timestamp};
use shared_runtime::{
    Conn, Context,
    base::failpoint,
    jobs::{End, Interrupted, Job, JobKind, Lease, Settled},
};

use super::probe::{self, ModelEndpoint, ProbeLimits, ProbeOutcome, ProbeReport};
use crate::{
    attestations,
    ids::OperationId,
    operations::{Ending, store},
    rooms::{self, Room},
};

/// The name of the job's kind.
pub const KIND: &str = "model_test";
/// How long a test may wait for a worker; then it expires.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(900);

/// The job: after three attempts the operation expires.
pub fn job() -> JobKind {
    JobKind::new(KIND, run, give_up)
}

async fn run(context: Context, lease: Lease) -> Result<Settled, Interrupted> {
    let id = operation_id(&lease)?;
    let now = context.clock.now();
    let ending = match lease.write(&context, move |conn| begin(conn, id, now)).await? {
        Decision::End(ending) => ending,
        Decision::Probe(room) => {
            failpoint::hang("connection_tests::running").await;
            let report = probe_room(&context, &room).await?;
            failpoint::hang("connection_tests::probed").await;
            Ending::Done(Box::new(report))
        }
    };
    let now = context.clock.now();
    let settled = lease.settle(&context, move |conn| {
        store::finish(conn, id, &ending, now)?;
        Ok(End::Done)
    });
    settled.await
}

/// What to do with a claimed test.
enum Decision {
    Probe(Box<Room>),
    End(Ending),
}

/// Marks the test as running, unless it ends before it begins.
fn begin(conn: &mut Conn, id: OperationId, now: Timestamp) -> Result<Decision, Error> {
    let missing = || Failure::fault("a job lacks its operation or room");
    let operation = store::find(conn, id)?.ok_or_else(missing)?;
    let room = rooms::find(conn, operation.room_id)?.ok_or_else(missing)?;
    if now >= operation.queued_at.plus(QUEUE_TIMEOUT) {
        return Ok(Decision::End(Ending::Expired));
    }
    if !room.state.is_open() {
        return Ok(Decision::End(Ending::Cancelled));
    }
    store::begin(conn, &operation, now)?;
    let is_pinned = room.image_digest.as_ref() == Some(&operation.image_digest);
    Ok(if is_pinned && attestations::is_attested(conn, &operation.image_digest, now)? {
        Decision::Probe(Box::new(room))
    } else {
        Decision::End(Ending::Done(Box::new(ProbeReport::new(ProbeOutcome::ImageChanged))))
    })
}

async fn probe_room(context: &Context, room: &Room) -> Result<ProbeReport, Failure> {
    let endpoint = ModelEndpoint::of(room, &rooms::key_encryptor(&context.secret))?;
    Ok(match endpoint {
        Some(endpoint) => probe::probe(&endpoint, &context.outbound, ProbeLimits::default()).await,
        None => ProbeReport::new(ProbeOutcome::ConfigInvalid),
    })
}

/// After the last attempt: `expired` says nothing about the model, because no worker could finish the probe.
fn give_up(conn: &mut Conn, job: &Job, now: Timestamp) -> Result<End, Error> {
    store::finish(conn, operation_id(job)?, &Ending::Expired, now)?;
    Ok(End::Done)
}

fn operation_id(job: &Job) -> Result<OperationId, Failure> {
    job.key.parse().map_err(|_| Failure::fault("the key of a job is not an operation id"))
}
