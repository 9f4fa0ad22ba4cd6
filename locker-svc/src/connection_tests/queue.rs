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
    operations::{self, LongRunningOperation, OperationKind, OperationStatus},
    permissions::Chat,
    rooms::{self, Room},
};

shared_model::text_enum! {
    /// How a test was queued.
    pub enum ReceiptStatus {
        /// Waiting for a worker.
        Queued = "queued",
        /// The same, and the room has an order that is placed and not paid yet.
        CheckoutQueued = "checkout_queued",
    }
}

/// The queued operation, to be polled.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct OperationReceipt {
    /// The operation, to be read at `/api/v1/operations/{id}`.
    pub operation_id: OperationId,
    /// How it was queued; the operation itself has the present status.
    pub status: ReceiptStatus,
    /// Seconds to wait before reading the operation; 0 when it has ended already.
    pub poll_after_seconds: u64,
    /// The room.
    pub room_id: RoomId,
    /// The room's order that is placed and not paid yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_id: Option<OrderId>,
}

/// Queues a test: 202, and 200 when a replay finds it ended.
pub async fn queue(
    caller: Caller<Chat>,
    once: Once,
    _: NoBody,
    Path((room,)): Path<(RoomId,)>,
    context: Context,
) -> Result<Answer<OperationReceipt>, Error> {
    let id = OperationId::from_bytes(context.random.bytes16());
    let test = NewTest { id, room, owner: caller.subject.clone(), at: context.clock.now() };
    let links = context.clone();
    let answer = context.once(once, move |conn| transaction(conn, &links, &test)).await?;
    match answer.replayed_payload() {
        Some(payload) => {
            let receipt = serde_json::from_str(payload)?;
            replay(&context, receipt, answer).await
        }
        None => Ok(answer),
    }
}

/// A test to be queued, with its id and time, so that the transaction can run again with the same.
struct NewTest {
    id: OperationId,
    room: RoomId,
    owner: String,
    at: Timestamp,
}

/// Queues a test of the owner's room: checks 404, then the conflicts in a fixed order.
fn transaction(conn: &mut Conn, context: &Context, test: &NewTest) -> Result<Answer<OperationReceipt>, Error> {
    let room = rooms::find_owned(conn, &test.owner, test.room)?.ok_or_else(code::not_found)?;
    let image_digest = admit(conn, &room, test.at)?;
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
    if !operations::store::insert(conn, operation)? {
        return Err(in_progress(conn, context, room.id)?.into());
    }
    jobs::enqueue(conn, job::KIND, test.id.as_str(), "", test.at)?;
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

/// The image that the room is pinned to, when the room can be tested.
fn admit(conn: &mut Conn, room: &Room, now: Timestamp) -> Result<ImageDigest, Error> {
    if !room.state.is_open() {
        let why = format!("The room is {}; its model can be tested while it is onboarding or active.", room.state);
        return Err(ROOM_STATE_CONFLICT.because(why).into());
    }
    if room.model_base_url.is_none() {
        return Err(MODEL_NOT_CONFIGURED.refusal().into());
    }
    match &room.image_digest {
        Some(digest) if attestations::is_attested(conn, digest, now)? => Ok(digest.clone()),
        _ => Err(IMAGE_NOT_VERIFIED.refusal().into()),
    }
}

fn in_progress(conn: &mut Conn, context: &Context, room: RoomId) -> Result<Refusal, Failure> {
    let active = operations::store::active(conn, room, OperationKind::ModelTest)?;
    let active = active.ok_or_else(|| Failure::fault("the unique index refused an operation, but none is active"))?;
    let next = NextAction::Poll { href: href(context, active), after_seconds: OPERATION_POLL_SECONDS };
    Ok(OPERATION_IN_PROGRESS.refusal().next(next))
}

/// A replay: the first answer while the operation is active, 200 once it has ended.
async fn replay(
    context: &Context,
    receipt: OperationReceipt,
    answer: Answer<OperationReceipt>,
) -> Result<Answer<OperationReceipt>, Error> {
    let id = receipt.operation_id;
    let operation = context.read(move |conn| Ok(operations::store::find(conn, id)?)).await?;
    if operation.is_none_or(|operation| operation.finished_at.is_none()) {
        return Ok(answer);
    }
    let ended = OperationReceipt { poll_after_seconds: 0, ..receipt };
    Ok(Answer::ok(&ended)?.replay().header("location", href(context, id)))
}

fn href(context: &Context, id: OperationId) -> String {
    context.href(&format!("/api/v1/operations/{id}"))
}
