//! Queries of subscriptions.

use diesel::prelude::*;
use shared_model::Failure;
use shared_runtime::{Conn, http::list::Position, state::db::columns};

use super::subscription::{Subscription, SubscriptionRecord};
use crate::{ids::SubscriptionId, tables::subscriptions};

/// At most `limit` subscriptions of `owner` after a position in the list, newest first.
pub fn list_owned(
    conn: &mut Conn,
    owner: &str,
    after: Position<SubscriptionId>,
    limit: i64,
) -> Result<Vec<Subscription>, Failure> {
    use subscriptions::dsl;
    let id = after.id.as_ref().map_or("", SubscriptionId::as_str);
    let page = dsl::subscriptions
        .filter(dsl::owner.eq(owner))
        .filter(dsl::created_at.le(after.at))
        .filter(dsl::created_at.lt(after.at).or(dsl::id.lt(id)))
        .order((dsl::created_at.desc(), dsl::id.desc()))
        .limit(limit)
        .select(columns::<Subscription>());
    Ok(page.load(conn)?)
}

/// At most `limit` records after this id, sorted by id.
pub fn list_batch(
    conn: &mut Conn,
    after: Option<SubscriptionId>,
    limit: i64,
) -> Result<Vec<SubscriptionRecord>, Failure> {
    use subscriptions::dsl;
    let after = after.as_ref().map_or("", SubscriptionId::as_str);
    let batch = dsl::subscriptions
        .filter(dsl::id.gt(after))
        .order(dsl::id)
        .limit(limit)
        .select(columns::<SubscriptionRecord>());
    Ok(batch.load(conn)?)
}

pub fn find(conn: &mut Conn, id: SubscriptionId) -> Result<Option<SubscriptionRecord>, Failure> {
    let found = subscriptions::table.find(id).select(columns::<SubscriptionRecord>());
    Ok(found.first(conn).optional()?)
}

pub fn insert(conn: &mut Conn, record: &SubscriptionRecord) -> Result<(), Failure> {
    diesel::insert_into(subscriptions::table).values(record).execute(conn)?;
    Ok(())
}

/// Overwrites the stored version.
pub fn replace(conn: &mut Conn, subscription: &Subscription) -> Result<(), Failure> {
    diesel::update(subscriptions::table.find(subscription.id)).set(subscription).execute(conn)?;
    Ok(())
}
