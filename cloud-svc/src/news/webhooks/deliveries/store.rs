//! The rows of deliveries, which are written in the lane of their workspace. A row has a `due_at` as long as it is
//! pending.

use std::{cmp::Reverse, collections::BTreeSet};

use diesel::{
    dsl::{count_star, min, not, sql},
    prelude::*,
    sql_types::Bool,
};
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, on_each, state::db::prepared, upsert_rows};

use super::delivery::{Cancelled, DeliveryRecord, DeliveryStatus, DueDelivery, NewDelivery};
use crate::base::{
    ids::{EventId, WebhookId},
    tables::{webhook_deliveries as deliveries, webhooks},
};

/// Inserts deliveries that are due now.
pub fn insert(conn: &mut Conn, webhook: WebhookId, new: &[NewDelivery], now: Timestamp) -> Result<(), Failure> {
    // After a replay moved the webhook's place back, the same event comes again: its delivery starts from the
    // beginning.
    let again = (
        deliveries::state.eq(DeliveryStatus::Pending),
        deliveries::attempts.eq(0),
        deliveries::last_error.eq(""),
        deliveries::due_at.eq(Some(now)),
        deliveries::finished_at.eq(None::<Timestamp>),
    );
    let rows = new.iter().map(|new| {
        let row = (
            deliveries::webhook_id.eq(webhook),
            deliveries::event_id.eq(new.event),
            deliveries::kind.eq(new.kind),
            deliveries::sequence.eq(new.sequence),
            deliveries::body.eq(&new.body),
            deliveries::created_at.eq(now),
        );
        (row, again)
    });
    let there_is = (deliveries::webhook_id, deliveries::event_id);
    Ok(upsert_rows!(conn, rows, |row| {
        let made = diesel::insert_into(deliveries::table).values(row);
        made.on_conflict(there_is).do_update().set(again)
    })?)
}

/// Cancels these deliveries, as far as they are pending.
// Without the webhook: SQLite would look for the ids among all of its pending deliveries.
pub fn cancel(conn: &mut Conn, ids: &[i64], at: Timestamp) -> Result<(), Failure> {
    if ids.is_empty() {
        return Ok(());
    }
    let over = (
        deliveries::state.eq(DeliveryStatus::Cancelled),
        deliveries::due_at.eq(None::<Timestamp>),
        deliveries::finished_at.eq(Some(at)),
    );
    let pending = deliveries::table.filter(deliveries::id.eq_any(ids).and(deliveries::due_at.is_not_null()));
    on_each!(conn, |c| diesel::update(pending).set(over).execute(c))?;
    Ok(())
}

/// Writes up to `limit` rows of cancelled deliveries of a webhook; returns their number.
pub fn cancel_some(conn: &mut Conn, webhook: WebhookId, which: Cancelled, limit: i64) -> Result<i64, Failure> {
    let ids: Vec<i64> = deliveries::table
        .filter(deliveries::webhook_id.eq(webhook).and(deliveries::due_at.is_not_null()))
        .filter(deliveries::id.ne(which.excepted()))
        // In the order of the index `webhook_deliveries_due_of_webhook`.
        .order(deliveries::due_at)
        .limit(limit)
        .select(deliveries::id)
        .load(conn)?;
    cancel(conn, &ids, which.at)?;
    Ok(i64::try_from(ids.len()).unwrap_or(i64::MAX))
}

/// The delivery of a webhook that was made last.
pub fn newest(conn: &mut Conn, webhook: WebhookId) -> Result<Option<i64>, Failure> {
    let of_webhook = deliveries::table.filter(deliveries::webhook_id.eq(webhook));
    Ok(of_webhook.order(deliveries::id.desc()).select(deliveries::id).first(conn).optional()?)
}

/// Restarts these deliveries of changes; returns the ids that the webhook has no delivery for.
pub fn again(conn: &mut Conn, webhook: WebhookId, events: &[EventId], now: Timestamp) -> Result<Vec<EventId>, Failure> {
    let of_webhook = deliveries::webhook_id.eq(webhook).and(deliveries::sequence.is_not_null());
    let mut unknown = Vec::new();
    for event in events {
        let values = (
            deliveries::state.eq(DeliveryStatus::Pending),
            deliveries::attempts.eq(0),
            deliveries::last_error.eq(""),
            deliveries::due_at.eq(Some(now)),
            deliveries::finished_at.eq(None::<Timestamp>),
        );
        let one = deliveries::table.filter(of_webhook).filter(deliveries::event_id.eq(event));
        if prepared(diesel::update(one).set(values)).execute(conn)? == 0 {
            unknown.push(*event);
        }
    }
    Ok(unknown)
}

/// Claims up to `limit` due deliveries of a webhook. Until `lease_end` no other task claims them.
pub fn claim(
    conn: &mut Conn,
    webhook: WebhookId,
    now: Timestamp,
    lease_end: Timestamp,
    limit: i64,
) -> Result<Vec<DueDelivery>, Failure> {
    let due: Vec<DueDelivery> = deliveries::table
        .filter(deliveries::webhook_id.eq(webhook).and(deliveries::due_at.le(now)))
        .order((deliveries::due_at, deliveries::id))
        .limit(limit)
        .select(DueDelivery::as_select())
        .load(conn)?;
    if !due.is_empty() {
        let ids: Vec<i64> = due.iter().map(|delivery| delivery.id).collect();
        on_each!(conn, |c| diesel::update(deliveries::table.filter(deliveries::id.eq_any(&ids)))
            // The attempt counts from now on, even if the process dies during it.
            .set((deliveries::due_at.eq(Some(lease_end)), deliveries::attempts.eq(deliveries::attempts + 1)))
            .execute(c))?;
    }
    Ok(due)
}

/// Ends the claims of deliveries that the endpoint accepted; returns those that still belonged to this claim.
pub fn delivered(conn: &mut Conn, ids: &[i64], lease_end: Timestamp, now: Timestamp) -> Result<BTreeSet<i64>, Failure> {
    // The end of the lease identifies the claim: afterwards another process may have claimed the delivery.
    let claimed = deliveries::due_at.eq(lease_end);
    let over = (
        deliveries::state.eq(DeliveryStatus::Delivered),
        deliveries::last_error.eq(""),
        deliveries::due_at.eq(None::<Timestamp>),
        deliveries::finished_at.eq(Some(now)),
    );
    let ended: Vec<i64> =
        on_each!(conn, |c| diesel::update(deliveries::table.filter(deliveries::id.eq_any(ids)).filter(claimed))
            .set(over)
            .returning(deliveries::id)
            .get_results(c))?;
    Ok(ended.into_iter().collect())
}

/// The result of a claimed delivery that the endpoint did not accept.
#[derive(Clone, Copy, Debug)]
pub enum After<'a> {
    /// Another attempt is due at this time.
    Retry(Timestamp, &'a str),
    /// No further attempt.
    Failed(&'a str),
    /// Not attempted: it is due again, and the attempt does not count.
    HandedBack,
}

/// Ends a claim; false if the delivery no longer belonged to it.
pub fn settle(
    conn: &mut Conn,
    id: i64,
    lease_end: Timestamp,
    after: After<'_>,
    now: Timestamp,
) -> Result<bool, Failure> {
    let claimed = deliveries::table.filter(deliveries::id.eq(id).and(deliveries::due_at.eq(lease_end)));
    let updated = match after {
        After::Failed(error) => {
            let over = (
                deliveries::state.eq(DeliveryStatus::Failed),
                deliveries::last_error.eq(error),
                deliveries::due_at.eq(None::<Timestamp>),
                deliveries::finished_at.eq(Some(now)),
            );
            prepared(diesel::update(claimed).set(over)).execute(conn)?
        }
        After::Retry(at, error) => {
            let later = (deliveries::due_at.eq(Some(at)), deliveries::last_error.eq(error));
            prepared(diesel::update(claimed).set(later)).execute(conn)?
        }
        After::HandedBack => {
            let now = (deliveries::due_at.eq(Some(now)), deliveries::attempts.eq(deliveries::attempts - 1));
            prepared(diesel::update(claimed).set(now)).execute(conn)?
        }
    };
    Ok(updated == 1)
}

/// Up to `rows` deliveries of a webhook that come after `after`, newest first.
pub fn list(
    conn: &mut Conn,
    webhook: WebhookId,
    cancelled: Option<Cancelled>,
    status: Option<DeliveryStatus>,
    after: Option<i64>,
    rows: i64,
) -> Result<Vec<DeliveryRecord>, Failure> {
    let mut find = |status, rows| in_state(conn, webhook, status, after, rows);
    let Some(which) = cancelled else { return find(status, rows) };
    let found: Vec<DeliveryRecord> = match status {
        Some(DeliveryStatus::Pending) => {
            let pending = find(status, rows)?.into_iter();
            pending.filter(|delivery| !which.has(delivery.id)).collect()
        }
        Some(DeliveryStatus::Cancelled) => {
            // This order may find a row twice if it changes in between. The other order could miss it.
            let mut found = find(Some(DeliveryStatus::Pending), rows + 1)?;
            found.retain(|delivery| which.has(delivery.id));
            found.extend(find(status, rows)?);
            found.sort_unstable_by_key(|delivery| Reverse(delivery.id));
            found.dedup_by_key(|delivery| delivery.id);
            found.truncate(usize::try_from(rows).unwrap_or(usize::MAX));
            found
        }
        status => find(status, rows)?,
    };
    Ok(found.into_iter().map(|delivery| which.shown(delivery)).collect())
}

/// SQL: failed or cancelled.
const IS_NOT_TAKEN: &str = "webhook_deliveries.state IN ('failed', 'cancelled')";

/// The same of rows in one state, or in all.
fn in_state(
    conn: &mut Conn,
    webhook: WebhookId,
    status: Option<DeliveryStatus>,
    after: Option<i64>,
    rows: i64,
) -> Result<Vec<DeliveryRecord>, Failure> {
    let mut query = deliveries::table
        .filter(deliveries::webhook_id.eq(webhook))
        .select(DeliveryRecord::as_select())
        .order(deliveries::id.desc())
        .limit(rows)
        .into_boxed();
    if let Some(status) = status {
        query = query.filter(deliveries::state.eq(status));
    }
    // Redundant, but a planner needs these conditions to use the partial indexes.
    query = match status {
        Some(DeliveryStatus::Pending) => query.filter(deliveries::due_at.is_not_null()),
        Some(DeliveryStatus::Failed | DeliveryStatus::Cancelled) => query.filter(sql::<Bool>(IS_NOT_TAKEN)),
        Some(DeliveryStatus::Delivered) | None => query,
    };
    if let Some(after) = after {
        query = query.filter(deliveries::id.lt(after));
    }
    Ok(query.load(conn)?)
}

/// The number of pending deliveries, and the earliest time at which one is due.
pub fn waiting(conn: &mut Conn) -> Result<(i64, Option<Timestamp>), Failure> {
    // The challenge of a webhook that was enabled again counts once all cancelled rows say so. Not `ne_all`: for that
    // PostgreSQL compares each row with each of these webhooks.
    let cancelled = webhooks::table.filter(webhooks::deliveries_cancelled_at.is_not_null()).select(webhooks::id);
    let waiting = deliveries::table
        .filter(deliveries::due_at.is_not_null().and(not(deliveries::webhook_id.eq_any(cancelled))))
        .select((count_star(), min(deliveries::due_at)));
    Ok(on_each!(conn, |c| waiting.first(c))?)
}
