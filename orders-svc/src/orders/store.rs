//! Where orders rest: one row each, its lines, payment and timeline as JSON, for they are read and written whole.

use diesel::{connection::SimpleConnection as _, prelude::*};
use shared_model::{Currency, Failure, Timestamp};
use shared_runtime::{Conn, http::list::Position, on_each};

use super::{Amounts, Order, OrderSchema, OrderState, Record};
use crate::{
    ids::{OrderId, RoomId, SubscriptionId},
    schema::orders,
};

#[derive(Queryable, Insertable, AsChangeset)]
#[diesel(table_name = orders, treat_none_as_null = true, treat_none_as_default_value = false)]
struct Row {
    id: OrderId,
    owner: String,
    number: String,
    state: OrderState,
    version: i64,
    currency: Currency,
    subtotal_minor: i64,
    discount_minor: i64,
    tax_minor: i64,
    total_minor: i64,
    paid_minor: i64,
    refunded_minor: i64,
    due_minor: i64,
    lines: String,
    payment: String,
    timeline: String,
    subscription_id: Option<SubscriptionId>,
    room_id: Option<RoomId>,
    placed_at: Option<Timestamp>,
    updated_at: Timestamp,
    completed_at: Option<Timestamp>,
    cancelled_at: Option<Timestamp>,
}

/// An order that `owner` has placed; a draft is none.
pub fn find_placed(conn: &mut Conn, owner: &str, id: OrderId) -> Result<Option<Order>, Failure> {
    let row: Option<Row> = orders::table
        .filter(orders::id.eq(id))
        .filter(orders::owner.eq(owner))
        .filter(orders::state.ne(OrderState::Draft))
        .first(conn)
        .optional()?;
    Ok(row.map(Row::record).transpose()?.map(|record| record.order))
}

/// The recorded version of an order, whosever it is.
pub fn find(conn: &mut Conn, id: OrderId) -> Result<Option<Record>, Failure> {
    let row: Option<Row> = orders::table.find(id).first(conn).optional()?;
    row.map(Row::record).transpose()
}

/// Has this transaction find rows by index: a plan that PostgreSQL made while the table was small, and keeps, would read
/// all of it for every batch.
pub fn use_indexes(conn: &mut Conn) -> QueryResult<()> {
    match conn {
        Conn::Postgres(conn) => conn.batch_execute("SET LOCAL enable_seqscan = off"),
        Conn::Sqlite(_) => Ok(()),
    }
}

/// Tells PostgreSQL that the table has another size than before, so that nobody goes on with a plan for a small one.
pub fn note_size(conn: &mut Conn) -> QueryResult<()> {
    match conn {
        Conn::Postgres(conn) => conn.batch_execute("ANALYZE orders"),
        Conn::Sqlite(_) => Ok(()),
    }
}

/// The recorded versions of those of these orders that are there.
pub fn find_all(conn: &mut Conn, ids: &[OrderId]) -> Result<Vec<Record>, Failure> {
    let rows: Vec<Row> = on_each!(conn, |c| orders::table.filter(orders::id.eq_any(ids)).load(c))?;
    rows.into_iter().map(Row::record).collect()
}

/// Those of these numbers that are given, each with its order.
pub fn find_numbers(conn: &mut Conn, numbers: &[&str]) -> QueryResult<Vec<(String, OrderId)>> {
    on_each!(conn, |c| orders::table
        .filter(orders::number.eq_any(numbers))
        .select((orders::number, orders::id))
        .load(c))
}

/// At most `limit` orders that `owner` has placed, newest first, which come after a place in that list.
pub fn list_placed(conn: &mut Conn, owner: &str, after: Position<OrderId>, limit: i64) -> Result<Vec<Order>, Failure> {
    let id = after.id.as_ref().map_or("", OrderId::as_str);
    let rows: Vec<Row> = orders::table
        .filter(orders::owner.eq(owner))
        // A draft has no placed_at.
        .filter(orders::placed_at.le(after.at))
        .filter(orders::placed_at.lt(after.at).or(orders::id.lt(id)))
        .order((orders::placed_at.desc(), orders::id.desc()))
        .limit(limit)
        .load(conn)?;
    rows.into_iter().map(|row| Ok(row.record()?.order)).collect()
}

/// At most `limit` orders of everyone, by id, which come after one.
pub fn list_all(conn: &mut Conn, after: Option<OrderId>, limit: i64) -> Result<Vec<Record>, Failure> {
    let id = after.as_ref().map_or("", OrderId::as_str);
    let rows: Vec<Row> = orders::table.filter(orders::id.gt(id)).order(orders::id).limit(limit).load(conn)?;
    rows.into_iter().map(Row::record).collect()
}

/// Records an order that is not there yet.
pub fn insert(conn: &mut Conn, record: &Record) -> Result<(), Failure> {
    diesel::insert_into(orders::table).values(Row::of(record)?).execute(conn)?;
    Ok(())
}

/// Records orders that are not there yet, as fast as the database takes them.
pub fn insert_all(conn: &mut Conn, records: &[&Record]) -> Result<(), Failure> {
    let rows = records.iter().map(|record| Row::of(record)).collect::<Result<Vec<_>, _>>()?;
    match conn {
        Conn::Postgres(conn) if !rows.is_empty() => {
            diesel::copy_from(orders::table).from_insertable(rows).execute(conn)?;
        }
        Conn::Postgres(_) => {}
        // One statement, prepared once, costs less here than one long text for all.
        Conn::Sqlite(conn) => {
            for row in rows {
                diesel::insert_into(orders::table).values(row).execute(conn)?;
            }
        }
    }
    Ok(())
}

/// Puts a version in the place of the recorded one.
pub fn replace(conn: &mut Conn, record: &Record) -> Result<(), Failure> {
    diesel::update(orders::table.find(record.order.id)).set(Row::of(record)?).execute(conn)?;
    Ok(())
}

impl Row {
    fn of(Record { owner, order }: &Record) -> Result<Self, Failure> {
        Ok(Self {
            id: order.id,
            owner: owner.clone(),
            number: order.number.clone(),
            state: order.state,
            version: order.version,
            currency: order.currency,
            subtotal_minor: order.amounts.subtotal_minor,
            discount_minor: order.amounts.discount_minor,
            tax_minor: order.amounts.tax_minor,
            total_minor: order.amounts.total_minor,
            paid_minor: order.amounts.paid_minor,
            refunded_minor: order.amounts.refunded_minor,
            due_minor: order.amounts.due_minor,
            lines: serde_json::to_string(&order.lines)?,
            payment: serde_json::to_string(&order.payment)?,
            timeline: serde_json::to_string(&order.timeline)?,
            subscription_id: order.subscription_id,
            room_id: order.room_id,
            placed_at: order.placed_at,
            updated_at: order.updated_at,
            completed_at: order.completed_at,
            cancelled_at: order.cancelled_at,
        })
    }

    fn record(self) -> Result<Record, Failure> {
        let order = Order {
            schema: OrderSchema::OrderV1,
            id: self.id,
            number: self.number,
            state: self.state,
            version: self.version,
            currency: self.currency,
            amounts: Amounts {
                subtotal_minor: self.subtotal_minor,
                discount_minor: self.discount_minor,
                tax_minor: self.tax_minor,
                total_minor: self.total_minor,
                paid_minor: self.paid_minor,
                refunded_minor: self.refunded_minor,
                due_minor: self.due_minor,
            },
            lines: serde_json::from_str(&self.lines)?,
            payment: serde_json::from_str(&self.payment)?,
            timeline: serde_json::from_str(&self.timeline)?,
            subscription_id: self.subscription_id,
            room_id: self.room_id,
            placed_at: self.placed_at,
            updated_at: self.updated_at,
            completed_at: self.completed_at,
            cancelled_at: self.cancelled_at,
        };
        Ok(Record { owner: self.owner, order })
    }
}
