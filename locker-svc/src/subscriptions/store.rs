//! Where subscriptions rest, each with the room that it pays for.

use std::{fmt, str::FromStr};

use diesel::prelude::*;
use shared_model::{InvalidCursor, Moment};
use shared_runtime::Conn;

use super::{Record, Subscription};
use crate::{
    ids::{RoomId, SubscriptionId},
    schema::{rooms, subscriptions},
};

/// A place in a list, newest first: what comes after it was created earlier, or at the same instant with a smaller id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    created_at: Moment,
    id: Option<SubscriptionId>,
}

impl Position {
    /// Before the newest.
    pub const START: Self = Self { created_at: Moment::from_micros(i64::MAX), id: None };

    /// Right after this one.
    pub fn of(subscription: &Subscription) -> Self {
        Self { created_at: subscription.created_at, id: Some(subscription.id) }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.created_at.micros(), self.id.as_ref().map_or("", SubscriptionId::as_str))
    }
}

impl FromStr for Position {
    type Err = InvalidCursor;

    fn from_str(text: &str) -> Result<Self, InvalidCursor> {
        let (micros, id) = text.split_once(' ').ok_or(InvalidCursor)?;
        let micros = micros.parse().map_err(|_| InvalidCursor)?;
        let id = id.parse().map_err(|_| InvalidCursor)?;
        Ok(Self { created_at: Moment::from_micros(micros), id: Some(id) })
    }
}

type Columns = (
    subscriptions::id,
    subscriptions::room_id,
    subscriptions::state,
    subscriptions::version,
    subscriptions::sku,
    subscriptions::currency,
    subscriptions::monthly_pence,
    subscriptions::setup_pence,
    subscriptions::current_period_start,
    subscriptions::current_period_end,
    subscriptions::cancelled_at,
    subscriptions::order_id,
    subscriptions::created_at,
    subscriptions::updated_at,
);

/// The columns of a [`Subscription`], in its order.
const COLUMNS: Columns = (
    subscriptions::id,
    subscriptions::room_id,
    subscriptions::state,
    subscriptions::version,
    subscriptions::sku,
    subscriptions::currency,
    subscriptions::monthly_pence,
    subscriptions::setup_pence,
    subscriptions::current_period_start,
    subscriptions::current_period_end,
    subscriptions::cancelled_at,
    subscriptions::order_id,
    subscriptions::created_at,
    subscriptions::updated_at,
);

/// At most `limit` subscriptions of `owner` that come after a place in the list.
pub fn list_owned(conn: &mut Conn, owner: &str, after: Position, limit: i64) -> QueryResult<Vec<Subscription>> {
    use subscriptions::dsl;
    let id = after.id.as_ref().map_or("", SubscriptionId::as_str);
    dsl::subscriptions
        .filter(dsl::owner.eq(owner))
        .filter(dsl::created_at.le(after.created_at))
        .filter(dsl::created_at.lt(after.created_at).or(dsl::id.lt(id)))
        .order((dsl::created_at.desc(), dsl::id.desc()))
        .limit(limit)
        .select(COLUMNS)
        .load(conn)
}

/// At most `limit` records in the order of their ids, after this one.
pub fn batch(conn: &mut Conn, after: Option<SubscriptionId>, limit: i64) -> QueryResult<Vec<Record>> {
    use subscriptions::dsl;
    let after = after.as_ref().map_or("", SubscriptionId::as_str);
    let rows: Vec<(String, Subscription)> = dsl::subscriptions
        .filter(dsl::id.gt(after))
        .order(dsl::id)
        .limit(limit)
        .select((dsl::owner, COLUMNS))
        .load(conn)?;
    Ok(rows.into_iter().map(|(owner, subscription)| Record { owner, subscription }).collect())
}

/// The owner and the recorded version of a subscription.
pub fn find(conn: &mut Conn, id: SubscriptionId) -> QueryResult<Option<Record>> {
    use subscriptions::dsl;
    let found: Option<(String, Subscription)> =
        dsl::subscriptions.find(id).select((dsl::owner, COLUMNS)).first(conn).optional()?;
    Ok(found.map(|(owner, subscription)| Record { owner, subscription }))
}

/// Records a subscription that is not there yet.
pub fn insert(conn: &mut Conn, record: &Record) -> QueryResult<()> {
    diesel::insert_into(subscriptions::table)
        .values((subscriptions::owner.eq(&record.owner), &record.subscription))
        .execute(conn)?;
    Ok(())
}

/// Puts a version in the place of the recorded one.
pub fn replace(conn: &mut Conn, subscription: &Subscription) -> QueryResult<()> {
    diesel::update(subscriptions::table.find(subscription.id)).set(subscription).execute(conn)?;
    Ok(())
}

/// Whom a room belongs to.
pub fn room_owner(conn: &mut Conn, room: RoomId) -> QueryResult<Option<String>> {
    rooms::table.find(room).select(rooms::owner).first(conn).optional()
}

/// Records a room.
pub fn insert_room(conn: &mut Conn, room: RoomId, owner: &str) -> QueryResult<()> {
    diesel::insert_into(rooms::table).values((rooms::id.eq(room), rooms::owner.eq(owner))).execute(conn)?;
    Ok(())
}
