//! `POST /api/v1/rooms/{room}/onboarding/model-test`: queues a test of the connection to a room's model.

use serde::{Deserialize, Serialize};
use shared_model::{Error, Failure, NextAction, Refusal, Timestamp, code};
use shared_runtime::{Answer, Caller, Conn, Context, NoBody, Once, Path, jobs};
use utoipa::ToSchema;

use super::job;
use crate::{
    attestations,
    codes::{
        IMAGE_NOT_VERIFIED, MODEL_NOT_CONFIGURED, OPERATION_IN_PROGRESS, OPERATION_POLL_SECONDS, ROOM_STATE_CONFLICT,
    },
    ids::{OperationId, OrderId, RoomId},
    image_digest::ImageDigest,
    long_running::{self, LongRunningOperation, OperationKind, OperationStatus},
    permissions::Chat,
    rooms::{self, Room},
};

shared_model::text_enum! {
    /// The status of a test when it was queued.
    pub enum ReceiptStatus {
        Queued = "queued",
        /// Waiting for a worker, and the room has an unpaid order.
        CheckoutQueued = "checkout_queued",
    }
}

/// A queued operation.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct OperationReceipt {
    /// Read it at `/api/v1/operations/{id}`.
    pub operation_id: OperationId,
    /// The status when it was queued. The operation has the current status.
    pub status: ReceiptStatus,
    /// Seconds to wait before you read the operation; 0 when it has already ended.
    pub poll_after_seconds: u64,
    pub room_id: RoomId,
    /// The room's unpaid order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_id: Option<OrderId>,
}

/// Queues a test. 202, or 200 when a repeated request finds the test ended.
pub async fn queue(
    caller: Caller<Chat>,
    once: Once,
    Path((room,)): Path<(RoomId,)>,
    _: NoBody,
    context: Context,
) -> Result<Answer<OperationReceipt>, Error> {
    let id = OperationId::from_bytes(context.random.bytes16());
    let test = NewTest { id, room, owner: caller.subject.clone(), at: context.clock.now() };
    let links = context.clone();
    let answer = context.once(once, move |conn| queue_test(conn, &links, &test)).await?;
    match answer.replayed_payload() {
        Some(payload) => {
            let receipt = serde_json::from_str(payload)?;
            replay(&context, receipt, answer).await
        }
        None => Ok(answer),
    }
}

// Id and time are drawn before the transaction, which may run more than once and must store the same values each
// time.
struct NewTest {
    id: OperationId,
    room: RoomId,
    owner: String,
    at: Timestamp,
}

// 404 comes first, so that a stranger learns nothing about the room. The order of the conflicts is part of the
// interface.
fn queue_test(conn: &mut Conn, context: &Context, test: &NewTest) -> Result<Answer<OperationReceipt>, Error> {
    let room = rooms::find_owned(conn, &test.owner, test.room)?.ok_or_else(code::not_found)?;
    let image_digest = check_testable(conn, &room)?;
    let (status, receipt_status) = match room.pending_order_id {
        None => (OperationStatus::Queued, ReceiptStatus::Queued),
        Some(_) => (OperationStatus::CheckoutQueued, ReceiptStatus::CheckoutQueued),
    };
    let operation = LongRunningOperation {
        id: test.id,
        kind: OperationKind::ModelTest,
        owner: room.owner,
        room_id: room.id,
        status,
        image_digest,
        order_id: room.pending_order_id,
        result: None,
        queued_at: test.at,
        started_at: None,
        finished_at: None,
    };
    // The insert decides about "in progress" last: of several parallel commands exactly one may pass.
    if !long_running::insert(conn, operation)? {
        return Err(in_progress(conn, context, room.id)?.into());
    }
    // In the same transaction as the operation: a crash leaves both or neither.
    jobs::enqueue(conn, job::JOB_KIND, test.id.as_str(), "", test.at)?;
    let receipt = OperationReceipt {
        operation_id: test.id,
        status: receipt_status,
        poll_after_seconds: OPERATION_POLL_SECONDS,
        room_id: room.id,
        order_id: room.pending_order_id,
    };
    let answer = Answer::ok(&receipt)?.accepted().header("retry-after", OPERATION_POLL_SECONDS.to_string());
    Ok(answer.header("location", href(context, test.id)))
}

// Testing sends the model's key to the configured URL, so only a room with a trusted image may start it.
fn check_testable(conn: &mut Conn, room: &Room) -> Result<ImageDigest, Error> {
    if !room.state.is_open() {
        let why = format!("The room is {}; its model can be tested while it is onboarding or active.", room.state);
        return Err(ROOM_STATE_CONFLICT.because(why).into());
    }
    if room.model_base_url.is_none() {
        return Err(MODEL_NOT_CONFIGURED.refusal().into());
    }
    match &room.image_digest {
        Some(digest) if attestations::is_attested(conn, digest)? => Ok(digest.clone()),
        _ => Err(IMAGE_NOT_VERIFIED.refusal().into()),
    }
}

fn in_progress(conn: &mut Conn, context: &Context, room: RoomId) -> Result<Refusal, Failure> {
    let active = long_running::find_active(conn, room, OperationKind::ModelTest)?;
    let active = active.ok_or_else(|| Failure::fault("the unique index refused an operation, but none is active"))?;
    let next = NextAction::Poll { href: href(context, active), after_seconds: OPERATION_POLL_SECONDS };
    Ok(OPERATION_IN_PROGRESS.refusal().next(next))
}

// The stored first answer says "queued". Once the test has ended, 202 would make the client poll for nothing.
async fn replay(
    context: &Context,
    receipt: OperationReceipt,
    answer: Answer<OperationReceipt>,
) -> Result<Answer<OperationReceipt>, Error> {
    let id = receipt.operation_id;
    let operation = context.read(move |conn| Ok(long_running::find(conn, id)?)).await?;
    if operation.is_none_or(|operation| operation.finished_at.is_none()) {
        return Ok(answer);
    }
    let ended = OperationReceipt { poll_after_seconds: 0, ..receipt };
    Ok(Answer::ok(&ended)?.replay().header("location", href(context, id)))
}

fn href(context: &Context, id: OperationId) -> String {
    context.href(&format!("/api/v1/operations/{id}"))
}
