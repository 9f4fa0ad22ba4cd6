//! `POST /api/v1/rooms/{room}/onboarding/model-test`: queue the image-verified, bounded check of a room's model.

use serde::{Deserialize, Serialize};
use shared_model::{Error, Failure, NextAction, Refusal, Timestamp, code};
use shared_runtime::{Answer, Caller, Conn, Context, NoBody, Once, Path, jobs};
use utoipa::ToSchema;

use super::{is_open, job};
use crate::{
    attestations,
    codes::{IMAGE_NOT_VERIFIED, MODEL_NOT_CONFIGURED, OPERATION_IN_PROGRESS, ROOM_STATE_CONFLICT},
    ids::{OperationId, OrderId, RoomId},
    image_digest::ImageDigest,
    operations::{self, Operation, OperationKind, OperationStatus, POLL_SECONDS},
    permissions::Chat,
    rooms::{self, Room},
};

shared_model::text_enum! {
    /// What a command was queued behind.
    pub enum ReceiptStatus {
        /// Nothing but other work.
        Queued = "queued",
        /// The same, and the room has an order that is placed and not paid yet.
        CheckoutQueued = "checkout_queued",
    }
}

/// What was queued, and where to see what becomes of it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct OperationReceipt {
    /// The operation, to be read at `/api/v1/operations/{id}`.
    pub operation_id: OperationId,
    /// How it was queued. Where it stands now is told by the operation.
    pub status: ReceiptStatus,
    /// Seconds after which it is worth to look; 0 when it has ended already.
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

/// A test that is about to be queued: everything random is drawn, so that the transaction may run again.
struct NewTest {
    id: OperationId,
    room: RoomId,
    owner: String,
    at: Timestamp,
}

/// Queues a test of the owner's room: 404, then each 409 in its order.
fn transaction(conn: &mut Conn, context: &Context, test: &NewTest) -> Result<Answer<OperationReceipt>, Error> {
    let room = rooms::find_owned(conn, &test.owner, test.room)?.ok_or_else(code::not_found)?;
    let image_digest = admit(conn, &room, test.at)?;
    let (status, receipt_status) = match room.pending_order_id {
        None => (OperationStatus::Queued, ReceiptStatus::Queued),
        Some(_) => (OperationStatus::CheckoutQueued, ReceiptStatus::CheckoutQueued),
    };
    let operation = Operation {
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
    if !operations::store::insert(conn, &operation)? {
        return Err(in_progress(conn, context, room.id)?.into());
    }
    jobs::enqueue(conn, job::KIND, test.id.as_str(), "", test.at)?;
    let receipt = OperationReceipt {
        operation_id: test.id,
        status: receipt_status,
        poll_after_seconds: POLL_SECONDS,
        room_id: room.id,
        order_id: room.pending_order_id,
    };
    let answer = Answer::ok(&receipt)?.accepted().header("retry-after", POLL_SECONDS.to_string());
    Ok(answer.header("location", href(context, test.id)))
}

/// The image that the room is pinned to, when the room can be tested.
fn admit(conn: &mut Conn, room: &Room, now: Timestamp) -> Result<ImageDigest, Error> {
    if !is_open(room) {
        let why = format!("The room is {}; its model can be tested while it is onboarding or active.", room.state);
        return Err(ROOM_STATE_CONFLICT.because(why).next(NextAction::ContactSupport).into());
    }
    if room.model.is_none() {
        return Err(MODEL_NOT_CONFIGURED.refusal().next(NextAction::ContactSupport).into());
    }
    match &room.image_digest {
        Some(digest) if attestations::is_attested(conn, digest, now)? => Ok(digest.clone()),
        _ => Err(IMAGE_NOT_VERIFIED.refusal().next(NextAction::ContactSupport).into()),
    }
}

fn in_progress(conn: &mut Conn, context: &Context, room: RoomId) -> Result<Refusal, Failure> {
    let active = operations::store::active(conn, room, OperationKind::ModelTest)?;
    let active = active.ok_or_else(|| Failure::fault("an operation is in the way that is not there"))?;
    let next = NextAction::Poll { href: href(context, active), after_seconds: POLL_SECONDS };
    Ok(OPERATION_IN_PROGRESS.refusal().next(next).header("retry-after", POLL_SECONDS.to_string()))
}

/// The first answer again while the operation goes on, and 200 once it has ended: there is nothing to wait for.
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
