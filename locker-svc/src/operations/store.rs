//! Stores long-running operations.

use diesel::prelude::*;
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, on_each};

use super::operation::{Ending, LongRunningOperation, OperationKind, OperationStatus};
use crate::{
    connection_tests::probe::ProbeOutcome,
    ids::{OperationId, RoomId},
    schema::operations,
};

/// Inserts an operation; `false` when the room has an active one of the kind. The unique index decides, so that one of
/// several concurrent inserts succeeds.
pub fn insert(conn: &mut Conn, operation: LongRunningOperation) -> Result<bool, Failure> {
    let inserted = on_each!(conn, |c| diesel::insert_into(operations::table)
        .values(operation)
        .on_conflict_do_nothing()
        .execute(c))?;
    Ok(inserted == 1)
}

/// The active operation of a room.
pub fn active(conn: &mut Conn, room: RoomId, kind: OperationKind) -> Result<Option<OperationId>, Failure> {
    use operations::dsl;
    let active = dsl::operations
        .filter(dsl::room_id.eq(room).and(dsl::kind.eq(kind)).and(dsl::finished_at.is_null()))
        .select(dsl::id);
    Ok(active.first(conn).optional()?)
}

/// An operation that this owner asked for.
pub fn find_owned(conn: &mut Conn, owner: &str, id: OperationId) -> Result<Option<LongRunningOperation>, Failure> {
    Ok(operations::table.find(id).filter(operations::owner.eq(owner)).first(conn).optional()?)
}

/// An operation of any owner, for the worker that does it.
pub fn find(conn: &mut Conn, id: OperationId) -> Result<Option<LongRunningOperation>, Failure> {
    Ok(operations::table.find(id).first(conn).optional()?)
}

/// Marks an operation as running, since `now` unless it was begun before.
pub fn begin(conn: &mut Conn, operation: &LongRunningOperation, now: Timestamp) -> Result<(), Failure> {
    use operations::dsl;
    diesel::update(dsl::operations.find(operation.id).filter(dsl::finished_at.is_null()))
        .set((dsl::status.eq(OperationStatus::Running), dsl::started_at.eq(operation.started_at.unwrap_or(now))))
        .execute(conn)?;
    Ok(())
}

/// Ends an operation; one that has ended stays as it is.
pub fn finish(conn: &mut Conn, id: OperationId, ending: &Ending, now: Timestamp) -> Result<(), Failure> {
    use operations::dsl;
    let (status, result) = match ending {
        Ending::Done(report) => {
            let is_ok = report.outcome == ProbeOutcome::Ok;
            let status = if is_ok { OperationStatus::Succeeded } else { OperationStatus::Failed };
            (status, Some(serde_json::to_string(report)?))
        }
        Ending::Cancelled => (OperationStatus::Cancelled, None),
        Ending::Expired => (OperationStatus::Expired, None),
    };
    diesel::update(dsl::operations.find(id).filter(dsl::finished_at.is_null()))
        .set((dsl::status.eq(status), dsl::result.eq(result), dsl::finished_at.eq(now)))
        .execute(conn)?;
    Ok(())
}
