//! Queries of orders. Lines, payment and timeline are JSON in the row, because they are always read and written as a
//! whole.

use diesel::{connection::SimpleConnection as _, prelude::*};
use shared_model::Failure;
use shared_runtime::{Conn, http::list::Position, on_each};

use super::{
    order::{Order, OrderRecord},
    state::OrderState,
};
use crate::{ids::OrderId, tables::orders};

/// An order of this owner that is not a draft.
pub fn find_placed(conn: &mut Conn, owner: &str, id: OrderId) -> Result<Option<Order>, Failure> {
    let placed = orders::table
        .filter(orders::id.eq(id))
        .filter(orders::owner.eq(owner))
        .filter(orders::state.ne(OrderState::Draft))
        .select(Order::as_select());
    Ok(placed.first(conn).optional()?)
}

pub fn find(conn: &mut Conn, id: OrderId) -> Result<Option<OrderRecord>, Failure> {
    Ok(orders::table.find(id).select(OrderRecord::as_select()).first(conn).optional()?)
}

// PostgreSQL stores a plan that it made while the table was small. That plan reads the whole table for every batch of
// an import.
pub fn prefer_indexes(conn: &mut Conn) -> Result<(), Failure> {
    match conn {
        Conn::Postgres(conn) => Ok(conn.batch_execute("SET LOCAL enable_seqscan = off")?),
        Conn::Sqlite(_) => Ok(()),
    }
}

// Otherwise PostgreSQL plans for an empty table until autovacuum runs, minutes after a large import.
pub fn update_statistics(conn: &mut Conn) -> Result<(), Failure> {
    match conn {
        Conn::Postgres(conn) => Ok(conn.batch_execute("ANALYZE orders")?),
        Conn::Sqlite(_) => Ok(()),
    }
}

pub fn find_all(conn: &mut Conn, ids: &[OrderId]) -> Result<Vec<OrderRecord>, Failure> {
    Ok(on_each!(conn, |c| orders::table.filter(orders::id.eq_any(ids)).select(OrderRecord::as_select()).load(c))?)
}

/// The numbers that are already used, each with its order.
pub fn find_taken_numbers(conn: &mut Conn, numbers: &[&str]) -> Result<Vec<(String, OrderId)>, Failure> {
    let taken = on_each!(conn, |c| orders::table
        .filter(orders::number.eq_any(numbers))
        .select((orders::number, orders::id))
        .load(c));
    Ok(taken?)
}

/// At most `limit` orders of this owner after a position in the list, newest first.
pub fn list_placed(conn: &mut Conn, owner: &str, after: Position<OrderId>, limit: i64) -> Result<Vec<Order>, Failure> {
    let id = after.id.as_ref().map_or("", OrderId::as_str);
    let placed = orders::table
        .filter(orders::owner.eq(owner))
        // Excludes drafts, whose `placed_at` is NULL.
        .filter(orders::placed_at.le(after.at))
        .filter(orders::placed_at.lt(after.at).or(orders::id.lt(id)))
        .order((orders::placed_at.desc(), orders::id.desc()))
        .limit(limit)
        .select(Order::as_select());
    Ok(placed.load(conn)?)
}

/// At most `limit` orders of all owners after this id, sorted by id.
pub fn list_batch(conn: &mut Conn, after: Option<OrderId>, limit: i64) -> Result<Vec<OrderRecord>, Failure> {
    let id = after.as_ref().map_or("", OrderId::as_str);
    let all = orders::table.filter(orders::id.gt(id)).order(orders::id).limit(limit).select(OrderRecord::as_select());
    Ok(all.load(conn)?)
}

pub fn insert(conn: &mut Conn, record: &OrderRecord) -> Result<(), Failure> {
    on_each!(conn, |c| diesel::insert_into(orders::table).values(record).execute(c))?;
    Ok(())
}

// An import may have very many lines, so each database gets its fastest way to insert.
pub fn insert_all(conn: &mut Conn, records: &[&OrderRecord]) -> Result<(), Failure> {
    match conn {
        Conn::Postgres(_) if records.is_empty() => {}
        Conn::Postgres(conn) => {
            // COPY does not support embedded structs, so every column is listed.
            let rows: Vec<_> = records
                .iter()
                .map(|OrderRecord { owner, order }| {
                    (
                        orders::owner.eq(owner),
                        orders::id.eq(order.id),
                        orders::number.eq(&order.number),
                        orders::state.eq(order.state),
                        orders::version.eq(order.version),
                        orders::currency.eq(order.currency),
                        orders::subtotal_minor.eq(order.amounts.subtotal_minor),
                        orders::discount_minor.eq(order.amounts.discount_minor),
                        orders::tax_minor.eq(order.amounts.tax_minor),
                        orders::total_minor.eq(order.amounts.total_minor),
                        orders::paid_minor.eq(order.amounts.paid_minor),
                        orders::refunded_minor.eq(order.amounts.refunded_minor),
                        orders::due_minor.eq(order.amounts.due_minor),
                        orders::lines.eq(&order.lines),
                        orders::payment.eq(&order.payment),
                        orders::timeline.eq(&order.timeline),
                        orders::subscription_id.eq(order.subscription_id),
                        orders::room_id.eq(order.room_id),
                        orders::placed_at.eq(order.placed_at),
                        orders::updated_at.eq(order.updated_at),
                        orders::completed_at.eq(order.completed_at),
                        orders::cancelled_at.eq(order.cancelled_at),
                    )
                })
                .collect();
            diesel::copy_from(orders::table).from_insertable(rows).execute(conn)?;
        }
        // On SQLite a prepared statement for each row is faster than one long statement.
        Conn::Sqlite(conn) => {
            for record in records {
                diesel::insert_into(orders::table).values(*record).execute(conn)?;
            }
        }
    }
    Ok(())
}

pub fn replace(conn: &mut Conn, record: &OrderRecord) -> Result<(), Failure> {
    on_each!(conn, |c| diesel::update(orders::table.find(record.order.id)).set(record).execute(c))?;
    Ok(())
}
