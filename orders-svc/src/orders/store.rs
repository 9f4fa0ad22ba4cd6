//! Where orders rest: one row each, its lines, payment and timeline as JSON, for they are read and written whole.

use diesel::prelude::*;
use shared_model::{Currency, Moment};
use shared_runtime::{Conn, Failure};

use super::{Amounts, Order, OrderState, Record, Schema};
use crate::{
    ids::{OrderId, RoomId, SubscriptionId},
    schema::orders,
};

#[derive(Queryable, Insertable, AsChangeset)]
#[diesel(table_name = orders, treat_none_as_null = true)]
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
    placed_at: Option<Moment>,
    updated_at: Moment,
    completed_at: Option<Moment>,
    cancelled_at: Option<Moment>,
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

/// The order that has this number.
pub fn find_number(conn: &mut Conn, number: &str) -> QueryResult<Option<OrderId>> {
    orders::table.filter(orders::number.eq(number)).select(orders::id).first(conn).optional()
}

/// Records an order that is not there yet.
pub fn insert(conn: &mut Conn, record: &Record) -> Result<(), Failure> {
    diesel::insert_into(orders::table).values(Row::of(record)?).execute(conn)?;
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
            schema: Schema::OrderV1,
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
