//! `GET /api/v1/operations/{id}`: a long-running operation of the caller. It is here because every operation is a
//! connection test so far.

use serde::Serialize;
use serde_json::value::RawValue;
use shared_model::{Error, Failure, Timestamp, code};
use shared_runtime::{Answer, Caller, Context, Path};
use utoipa::ToSchema;

use super::probe::ProbeReport;
use crate::{
    codes::OPERATION_POLL_SECONDS,
    ids::{OperationId, OrderId, RoomId},
    long_running::{self, LongRunningOperation, OperationKind, OperationStatus},
    permissions::Chat,
};

/// The status of an operation, and its result.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Operation, example = json!({
    "operation_id": "op_0123456789abcdef0123456789abcdef", "kind": "model_test", "status": "succeeded",
    "room_id": "room_0123456789abcdef0123456789abcdef", "queued_at": "2026-11-21T12:00:00.000000Z",
    "started_at": "2026-11-21T12:00:00.120000Z", "finished_at": "2026-11-21T12:00:01.480000Z", "poll_after_seconds": 0,
    "result": {
        "outcome": "ok", "reason": null, "http_status": 200,
        "phases": {"dns_ms": 12, "connect_ms": 31, "tls_ms": 44, "models_ms": 160, "chat_ms": 1100, "total_ms": 1350},
        "note": "ready", "note_is_untrusted": true,
    },
}))]
pub struct OperationView {
    pub operation_id: OperationId,
    pub kind: OperationKind,
    pub status: OperationStatus,
    pub room_id: RoomId,
    /// The room's unpaid order at the time when the test was queued.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_id: Option<OrderId>,
    pub queued_at: Timestamp,
    /// When a worker first started it.
    #[schema(required)]
    pub started_at: Option<Timestamp>,
    #[schema(required)]
    pub finished_at: Option<Timestamp>,
    /// Seconds to wait before you read it again; 0 when it has ended.
    pub poll_after_seconds: u64,
    /// The report, when `status` is `succeeded` or `failed`.
    #[schema(required, value_type = Option<ProbeReport>)]
    pub result: Option<Box<RawValue>>,
}

pub async fn read(
    caller: Caller<Chat>,
    Path((id,)): Path<(OperationId,)>,
    context: Context,
) -> Result<Answer<OperationView>, Error> {
    let owner = caller.subject.clone();
    let found = context.read(move |conn| Ok(long_running::find_owned(conn, &owner, id)?)).await?;
    let operation = found.ok_or_else(code::not_found)?;
    let view = OperationView::new(operation)?;
    let answer = Answer::ok(&view)?;
    Ok(match view.poll_after_seconds {
        // A header as well as a member, because HTTP clients with built-in retries read only the header.
        0 => answer,
        seconds => answer.header("retry-after", seconds.to_string()),
    })
}

impl OperationView {
    pub fn new(operation: LongRunningOperation) -> Result<Self, Failure> {
        Ok(Self {
            operation_id: operation.id,
            kind: operation.kind,
            status: operation.status,
            room_id: operation.room_id,
            order_id: operation.order_id,
            queued_at: operation.queued_at,
            started_at: operation.started_at,
            finished_at: operation.finished_at,
            poll_after_seconds: if operation.finished_at.is_some() { 0 } else { OPERATION_POLL_SECONDS },
            // Stored JSON goes out unchanged: reports that older releases wrote stay readable.
            result: operation.result.map(RawValue::from_string).transpose()?,
        })
    }
}
