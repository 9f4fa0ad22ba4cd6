//! Long-running operations. A command queues one, a worker executes it, and its owner reads it until 30 days after
//! its end.

use std::time::Duration;

use diesel::prelude::*;
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, on_each, state::sweep::Sweep};

use crate::{
    ids::{OperationId, OrderId, RoomId},
    image_digest::ImageDigest,
    tables::operations,
};

shared_model::text_enum! {
    /// The kind of an operation.
    pub enum OperationKind {
        /// A test of the connection to a room's model.
        ModelTest = "model_test",
    }

    /// The status of an operation.
    pub enum OperationStatus {
        Queued = "queued",
        /// Waiting for a worker, and the room has an unpaid order.
        CheckoutQueued = "checkout_queued",
        Running = "running",
        /// The outcome is `ok`.
        Succeeded = "succeeded",
        /// The outcome is not `ok`.
        Failed = "failed",
        /// Not executed, because the room is no longer open.
        Cancelled = "cancelled",
        /// Ended without a result: no worker was free in time, or three of them failed. This says nothing about the room.
        Expired = "expired",
    }
}

#[derive(Clone, Debug, Queryable, Insertable)]
#[diesel(table_name = operations)]
pub struct LongRunningOperation {
    pub id: OperationId,
    pub kind: OperationKind,
    pub owner: String,
    pub room_id: RoomId,
    pub status: OperationStatus,
    /// The image that the room was pinned to when the operation was queued.
    pub image_digest: ImageDigest,
    /// The room's unpaid order at that time.
    pub order_id: Option<OrderId>,
    // JSON whose shape depends on `kind`: this table knows no kind's report, so that a new kind needs no change here.
    pub result: Option<String>,
    pub queued_at: Timestamp,
    // A later attempt does not change it.
    pub started_at: Option<Timestamp>,
    pub finished_at: Option<Timestamp>,
}

#[derive(Clone, Debug)]
pub enum Ending {
    Done {
        /// Decides between the statuses `succeeded` and `failed`.
        succeeded: bool,
        result: String,
    },
    Cancelled,
    Expired,
}

/// Inserts an operation. `false` when the room already has an active one of this kind.
pub fn insert(conn: &mut Conn, operation: LongRunningOperation) -> Result<bool, Failure> {
    // The unique index on active operations decides, because two requests could both read "none" and then insert.
    let inserted = on_each!(conn, |c| diesel::insert_into(operations::table)
        .values(operation)
        .on_conflict_do_nothing()
        .execute(c))?;
    Ok(inserted == 1)
}

pub fn find_active(conn: &mut Conn, room: RoomId, kind: OperationKind) -> Result<Option<OperationId>, Failure> {
    use operations::dsl;
    let active = dsl::operations
        .filter(dsl::room_id.eq(room).and(dsl::kind.eq(kind)).and(dsl::finished_at.is_null()))
        .select(dsl::id);
    Ok(active.first(conn).optional()?)
}

/// Finds an operation of this owner.
pub fn find_owned(conn: &mut Conn, owner: &str, id: OperationId) -> Result<Option<LongRunningOperation>, Failure> {
    Ok(operations::table.find(id).filter(operations::owner.eq(owner)).first(conn).optional()?)
}

// Only for workers, which act for all owners.
pub fn find(conn: &mut Conn, id: OperationId) -> Result<Option<LongRunningOperation>, Failure> {
    Ok(operations::table.find(id).first(conn).optional()?)
}

pub fn begin(conn: &mut Conn, operation: &LongRunningOperation, now: Timestamp) -> Result<(), Failure> {
    use operations::dsl;
    diesel::update(dsl::operations.find(operation.id).filter(dsl::finished_at.is_null()))
        // A retried attempt keeps the first start: the owner is interested in how long the test has taken in all.
        .set((dsl::status.eq(OperationStatus::Running), dsl::started_at.eq(operation.started_at.unwrap_or(now))))
        .execute(conn)?;
    Ok(())
}

/// Ends an operation. Does nothing if it has already ended.
pub fn finish(conn: &mut Conn, id: OperationId, ending: &Ending, now: Timestamp) -> Result<(), Failure> {
    use operations::dsl;
    let (status, result) = match ending {
        Ending::Done { succeeded: true, result } => (OperationStatus::Succeeded, Some(result)),
        Ending::Done { succeeded: false, result } => (OperationStatus::Failed, Some(result)),
        Ending::Cancelled => (OperationStatus::Cancelled, None),
        Ending::Expired => (OperationStatus::Expired, None),
    };
    // The filter makes the first ending final when an expired lease and its successor both finish.
    diesel::update(dsl::operations.find(id).filter(dsl::finished_at.is_null()))
        .set((dsl::status.eq(status), dsl::result.eq(result), dsl::finished_at.eq(now)))
        .execute(conn)?;
    Ok(())
}

/// How long an operation can be read after its end.
pub const RETENTION: Duration = Duration::from_secs(30 * 86_400);

pub const SWEEP: Sweep = Sweep { name: "finished operations", delete_batch };

fn delete_batch(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<usize, Failure> {
    // An alias, because PostgreSQL and SQLite have no DELETE … LIMIT; the batch keeps the transaction short.
    let old = diesel::alias!(operations as old);
    let batch = old
        .filter(old.field(operations::finished_at).le(now.minus(RETENTION)))
        .select(old.field(operations::id))
        .limit(limit);
    Ok(on_each!(conn, |c| diesel::delete(operations::table.filter(operations::id.eq_any(batch))).execute(c))?)
}
