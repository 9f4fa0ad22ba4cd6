//! The job that runs a queued connection test.
//! Every write is fenced: a worker that has lost its lease changes nothing.

use std::time::Duration;

use shared_model::{Error, Failure, Timestamp};
use shared_runtime::{
    Conn, Context,
    base::failpoint,
    jobs::{AttemptError, Job, JobEnd, JobKind, Lease, Settlement},
};

use super::probe::{self, ModelEndpoint, ProbeLimits, ProbeOutcome, ProbeReport};
use crate::{
    attestations,
    ids::OperationId,
    long_running::{self, Ending},
    rooms::{self, Room},
};

pub const JOB_KIND: &str = "model_test";
// A test that waited longer expires. Its caller has stopped polling, and its result would describe another moment.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(900);

/// The job. After three failed attempts its operation expires.
pub fn job() -> JobKind {
    JobKind::new(JOB_KIND, run, give_up)
}

async fn run(context: Context, lease: Lease) -> Result<Settlement, AttemptError> {
    let id = operation_id(&lease)?;
    let now = context.clock.now();
    // The probe runs outside of any transaction: it takes up to 20 seconds and would hold the writer.
    let ending = match lease.write(&context, move |conn| begin(conn, id, now)).await? {
        Decision::End(ending) => ending,
        Decision::Probe(room) => {
            // Tests kill the worker at these two places.
            failpoint::hang("connection_tests::running").await;
            let report = probe_room(&context, &room).await?;
            failpoint::hang("connection_tests::probed").await;
            ended_with(&report)?
        }
    };
    let now = context.clock.now();
    let settled = lease.settle(&context, move |conn| {
        long_running::finish(conn, id, &ending, now)?;
        Ok(JobEnd::Done)
    });
    // `settle` deletes the job in the same transaction, so a crash repeats the whole test or nothing.
    settled.await
}

enum Decision {
    Probe(Box<Room>),
    End(Ending),
}

// Everything that `queue` checked may have changed while the test waited, so it is checked again here.
fn begin(conn: &mut Conn, id: OperationId, now: Timestamp) -> Result<Decision, Error> {
    let missing = || Failure::fault("a job lacks its operation or room");
    let operation = long_running::find(conn, id)?.ok_or_else(missing)?;
    let room = rooms::find(conn, operation.room_id)?.ok_or_else(missing)?;
    if now >= operation.queued_at.plus(QUEUE_TIMEOUT) {
        return Ok(Decision::End(Ending::Expired));
    }
    if !room.state.is_open() {
        return Ok(Decision::End(Ending::Cancelled));
    }
    long_running::begin(conn, &operation, now)?;
    // The owner asked about this image. A room that was pinned to another one since then must not be tested in its
    // place.
    let is_pinned = room.image_digest.as_ref() == Some(&operation.image_digest);
    Ok(if is_pinned && attestations::is_attested(conn, &operation.image_digest)? {
        Decision::Probe(Box::new(room))
    } else {
        Decision::End(ended_with(&ProbeReport::new(ProbeOutcome::ImageChanged))?)
    })
}

fn ended_with(report: &ProbeReport) -> Result<Ending, Failure> {
    Ok(Ending::Done { succeeded: report.outcome == ProbeOutcome::Ok, result: serde_json::to_string(report)? })
}

async fn probe_room(context: &Context, room: &Room) -> Result<ProbeReport, Failure> {
    let endpoint = match ModelEndpoint::for_room(room, &rooms::key_encryptor(&context.secret)) {
        Ok(endpoint) => endpoint,
        // Another attempt would not read it either.
        Err(failure) => {
            tracing::error!(%failure, room = %room.id, "a model key cannot be decrypted; import the room again");
            let reason = Some("the stored key cannot be read: the operator imports the room again");
            return Ok(ProbeReport { reason, ..ProbeReport::new(ProbeOutcome::ConfigInvalid) });
        }
    };
    Ok(match endpoint {
        Some(endpoint) => probe::probe(&endpoint, &context.outbound, ProbeLimits::default()).await,
        None => ProbeReport::new(ProbeOutcome::ConfigInvalid),
    })
}

// The test expires instead of failing: three workers that crashed or failed say nothing about the model.
fn give_up(conn: &mut Conn, job: &Job, now: Timestamp) -> Result<JobEnd, Error> {
    long_running::finish(conn, operation_id(job)?, &Ending::Expired, now)?;
    Ok(JobEnd::Done)
}

fn operation_id(job: &Job) -> Result<OperationId, Failure> {
    job.key.parse().map_err(|_| Failure::fault("the key of a job is not an operation id"))
}
