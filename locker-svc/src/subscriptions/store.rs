//! Where subscriptions rest.

use diesel::prelude::*;
use shared_runtime::{Conn, http::list::Position};

use super::{Record, Subscription};
use crate::{ids::SubscriptionId, schema::subscriptions};

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
pub fn list_owned(
    conn: &mut Conn,
    owner: &str,
    after: Position<SubscriptionId>,
    limit: i64,
) -> QueryResult<Vec<Subscription>> {
    use subscriptions::dsl;
    let id = after.id.as_ref().map_or("", SubscriptionId::as_str);
    dsl::subscriptions
        .filter(dsl::owner.eq(owner))
        .filter(dsl::created_at.le(after.at))
        .filter(dsl::created_at.lt(after.at).or(dsl::id.lt(id)))
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
