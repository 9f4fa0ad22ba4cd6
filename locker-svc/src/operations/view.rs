//! An operation as its owner sees it.

use serde::Serialize;
use serde_json::value::RawValue;
use shared_model::{Failure, Timestamp};
use utoipa::ToSchema;

use super::operation::{LongRunningOperation, OperationKind, OperationStatus};
use crate::{
    codes::OPERATION_POLL_SECONDS,
    connection_tests::probe::ProbeReport,
    ids::{OperationId, OrderId, RoomId},
};

/// Where an operation stands, and what came of it.
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
    /// Its id.
    pub operation_id: OperationId,
    /// What is done.
    pub kind: OperationKind,
    /// Where it stands.
    pub status: OperationStatus,
    /// The room that it is about.
    pub room_id: RoomId,
    /// The unpaid order that the room had when it was queued.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_id: Option<OrderId>,
    /// When it was asked for.
    pub queued_at: Timestamp,
    /// When a worker first began.
    #[schema(required)]
    pub started_at: Option<Timestamp>,
    /// When it ended.
    #[schema(required)]
    pub finished_at: Option<Timestamp>,
    /// Seconds to wait before reading it again; 0 when it has ended.
    pub poll_after_seconds: u64,
    /// What came of it, when it succeeded or failed.
    #[schema(required, value_type = Option<ProbeReport>)]
    pub result: Option<Box<RawValue>>,
}

impl OperationView {
    /// The view of a stored operation.
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
            result: operation.result.map(RawValue::from_string).transpose()?,
        })
    }
}
