//! The test itself, as a job: it is marked as running, the image is verified again, the check runs, the result is written.
//! Each write is fenced, so that a worker that was thought dead changes nothing when it comes back.

use std::time::Duration;

use shared_model::{Error, Failure, Timestamp};
use shared_runtime::{
    Conn, Context,
    base::failpoint,
    jobs::{End, Interrupted, Job, JobKind, Lease, Settled},
};

use super::is_open;
use crate::{
    attestations,
    ids::OperationId,
    model_check::{self, Bounds, Checked, Endpoint, Outcome},
    operations::{Ending, store},
    rooms::{self, Room},
};

/// The kind's name.
pub(super) const KIND: &str = "model_test";
/// How long a test may wait for a worker. After that nobody expects an answer any more.
const PATIENCE: Duration = Duration::from_secs(900);

/// Model tests: three attempts, then the operation expires.
pub fn job() -> JobKind {
    JobKind::new(KIND, run, give_up)
}

async fn run(context: Context, lease: Lease) -> Result<Settled, Interrupted> {
    let id = operation_id(&lease)?;
    let now = context.clock.now();
    let ending = match lease.write(&context, move |conn| begin(conn, id, now)).await? {
        Step::End(ending) => ending,
        Step::Check(room) => {
            failpoint::hang("model_tests::running").await;
            let checked = check(&context, &room).await?;
            failpoint::hang("model_tests::checked").await;
            Ending::Checked(Box::new(checked))
        }
    };
    let now = context.clock.now();
    let settled = lease.settle(&context, move |conn| {
        store::finish(conn, id, &ending, now)?;
        Ok(End::Done)
    });
    settled.await
}

/// What is to be done with a claimed test.
enum Step {
    Check(Box<Room>),
    End(Ending),
}

/// Marks the test as running, unless it has ended before it began.
fn begin(conn: &mut Conn, id: OperationId, now: Timestamp) -> Result<Step, Error> {
    let missing = || Failure::fault("a job without its operation or its room");
    let operation = store::find(conn, id)?.ok_or_else(missing)?;
    let room = rooms::find(conn, operation.room_id)?.ok_or_else(missing)?;
    if now >= operation.queued_at.plus(PATIENCE) {
        return Ok(Step::End(Ending::Expired));
    }
    if !is_open(&room) {
        return Ok(Step::End(Ending::Cancelled));
    }
    store::begin(conn, &operation, now)?;
    let is_pinned = room.image_digest.as_ref() == Some(&operation.image_digest);
    Ok(if is_pinned && attestations::is_attested(conn, &operation.image_digest, now)? {
        Step::Check(Box::new(room))
    } else {
        Step::End(Ending::Checked(Box::new(Checked::without_calling(Outcome::ImageChanged))))
    })
}

async fn check(context: &Context, room: &Room) -> Result<Checked, Failure> {
    let endpoint = Endpoint::of(room, &rooms::key_seal(&context.secret))?;
    Ok(match endpoint {
        Some(endpoint) => model_check::check(&endpoint, &context.outbound, Bounds::default()).await,
        None => Checked::without_calling(Outcome::ConfigInvalid),
    })
}

/// Nothing is known about the model: it is our workers that could not do it.
fn give_up(conn: &mut Conn, job: &Job, now: Timestamp) -> Result<End, Error> {
    store::finish(conn, operation_id(job)?, &Ending::Expired, now)?;
    Ok(End::Done)
}

fn operation_id(job: &Job) -> Result<OperationId, Failure> {
    job.key.parse().map_err(|_| Failure::fault("a job whose key is no operation"))
}
