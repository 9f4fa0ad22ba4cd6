//! Where operations rest.

use diesel::prelude::*;
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, on_each};

use super::{Ending, Operation, OperationKind, OperationStatus};
use crate::{
    ids::{OperationId, OrderId, RoomId},
    image_digest::ImageDigest,
    model_check::Outcome,
    schema::operations,
};

#[derive(Queryable, Insertable)]
#[diesel(table_name = operations)]
struct Row {
    id: OperationId,
    kind: OperationKind,
    owner: String,
    room_id: RoomId,
    status: OperationStatus,
    image_digest: ImageDigest,
    order_id: Option<OrderId>,
    result: Option<String>,
    queued_at: Timestamp,
    started_at: Option<Timestamp>,
    finished_at: Option<Timestamp>,
}

impl Row {
    fn of(operation: &Operation) -> Result<Self, Failure> {
        Ok(Self {
            id: operation.id,
            kind: operation.kind,
            owner: operation.owner.clone(),
            room_id: operation.room_id,
            status: operation.status,
            image_digest: operation.image_digest.clone(),
            order_id: operation.order_id,
            result: operation.result.as_ref().map(serde_json::to_string).transpose()?,
            queued_at: operation.queued_at,
            started_at: operation.started_at,
            finished_at: operation.finished_at,
        })
    }

    fn into_operation(self) -> Result<Operation, Failure> {
        Ok(Operation {
            id: self.id,
            kind: self.kind,
            owner: self.owner,
            room_id: self.room_id,
            status: self.status,
            image_digest: self.image_digest,
            order_id: self.order_id,
            result: self.result.as_deref().map(serde_json::from_str).transpose()?,
            queued_at: self.queued_at,
            started_at: self.started_at,
            finished_at: self.finished_at,
        })
    }
}

/// Records an operation, unless the room has an active one of the kind: whether it did. It inserts without a look, so that
/// of those who come together one is recorded and the others see it.
pub fn insert(conn: &mut Conn, operation: &Operation) -> Result<bool, Failure> {
    let row = Row::of(operation)?;
    let inserted =
        on_each!(conn, |c| diesel::insert_into(operations::table).values(row).on_conflict_do_nothing().execute(c))?;
    Ok(inserted == 1)
}

/// The active operation of a room.
pub fn active(conn: &mut Conn, room: RoomId, kind: OperationKind) -> QueryResult<Option<OperationId>> {
    use operations::dsl;
    dsl::operations
        .filter(dsl::room_id.eq(room).and(dsl::kind.eq(kind)).and(dsl::finished_at.is_null()))
        .select(dsl::id)
        .first(conn)
        .optional()
}

/// The operation, when this owner asked for it.
pub fn find_owned(conn: &mut Conn, owner: &str, id: OperationId) -> Result<Option<Operation>, Failure> {
    let found = operations::table.find(id).filter(operations::owner.eq(owner)).first::<Row>(conn).optional()?;
    found.map(Row::into_operation).transpose()
}

/// The operation, for the worker that does it.
pub fn find(conn: &mut Conn, id: OperationId) -> Result<Option<Operation>, Failure> {
    operations::table.find(id).first::<Row>(conn).optional()?.map(Row::into_operation).transpose()
}

/// Marks it as running, since `now` unless it was begun before.
pub fn begin(conn: &mut Conn, operation: &Operation, now: Timestamp) -> QueryResult<()> {
    use operations::dsl;
    diesel::update(dsl::operations.find(operation.id).filter(dsl::finished_at.is_null()))
        .set((dsl::status.eq(OperationStatus::Running), dsl::started_at.eq(operation.started_at.unwrap_or(now))))
        .execute(conn)?;
    Ok(())
}

/// Ends it; one that has ended stays as it is.
pub fn finish(conn: &mut Conn, id: OperationId, ending: &Ending, now: Timestamp) -> Result<(), Failure> {
    use operations::dsl;
    let (status, result) = match ending {
        Ending::Checked(checked) => {
            let is_ok = checked.outcome == Outcome::Ok;
            let status = if is_ok { OperationStatus::Succeeded } else { OperationStatus::Failed };
            (status, Some(serde_json::to_string(checked)?))
        }
        Ending::Cancelled => (OperationStatus::Cancelled, None),
        Ending::Expired => (OperationStatus::Expired, None),
    };
    diesel::update(dsl::operations.find(id).filter(dsl::finished_at.is_null()))
        .set((dsl::status.eq(status), dsl::result.eq(result), dsl::finished_at.eq(now)))
        .execute(conn)?;
    Ok(())
}
