//! Deletes old deliveries and revoked webhooks, revokes webhooks whose grants have ended, and writes which deliveries
//! are cancelled.

use std::time::Duration;

use diesel::{
    dsl::sql,
    prelude::*,
    sql_types::{BigInt, Bool},
};
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, on_each, state::sweep::Sweep};

use super::{
    store,
    webhook::{Webhook, WebhookState},
};
use crate::base::{
    ids::WebhookId,
    tables::{webhook_deliveries as deliveries, webhooks},
};

/// How long a revoked webhook and a finished delivery can be read.
const RETENTION: Duration = Duration::from_secs(2_592_000);
// No token lives longer, so a grant without a token for this long has ended.
pub const UNUSED_GRANT: Duration = Duration::from_secs(2_592_000);

pub const DELIVERIES: Sweep = Sweep { name: "webhook deliveries", delete_batch: delete_deliveries };
pub const WEBHOOKS: Sweep = Sweep { name: "revoked webhooks", delete_batch: delete_webhooks };
pub const ENDED: Sweep = Sweep { name: "webhooks of ended grants", delete_batch: revoke_ended };
pub const CANCELLED: Sweep = Sweep { name: "cancelled webhook deliveries", delete_batch: write_cancelled };

fn delete_deliveries(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<usize, Failure> {
    let over = deliveries::finished_at.lt(now.minus(RETENTION));
    let ids: Vec<i64> = deliveries::table.filter(over).select(deliveries::id).limit(limit).load(conn)?;
    Ok(on_each!(conn, |c| diesel::delete(deliveries::table.filter(deliveries::id.eq_any(ids))).execute(c))?)
}

fn delete_webhooks(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<usize, Failure> {
    let old = webhooks::revoked_at.lt(now.minus(RETENTION));
    let ids: Vec<WebhookId> = webhooks::table.filter(old).select(webhooks::id).limit(limit).load(conn)?;
    // Their deliveries go with them (ON DELETE CASCADE).
    Ok(on_each!(conn, |c| diesel::delete(webhooks::table.filter(webhooks::id.eq_any(ids))).execute(c))?)
}

fn revoke_ended(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<usize, Failure> {
    let expired = now.minus(UNUSED_GRANT);
    let has_ended = sql::<Bool>(
        "(EXISTS (SELECT 1 FROM revocations WHERE revocations.grant_id = webhooks.grant_id) OR \
         EXISTS (SELECT 1 FROM grants WHERE grants.grant_id = webhooks.grant_id AND grants.expires_at <= ",
    );
    let ended: Vec<Webhook> = webhooks::table
        .filter(webhooks::state.ne(WebhookState::Revoked))
        .filter(has_ended.bind::<BigInt, _>(expired).sql("))"))
        .select(Webhook::as_select())
        .limit(limit)
        .load(conn)?;
    let count = ended.len();
    for webhook in ended {
        store::set_revoked(conn, webhook, now)?;
    }
    Ok(count)
}

fn write_cancelled(conn: &mut Conn, _: Timestamp, limit: i64) -> Result<usize, Failure> {
    let stopped: Vec<Webhook> = webhooks::table
        .filter(webhooks::deliveries_cancelled_at.is_not_null())
        .select(Webhook::as_select())
        .order(webhooks::id)
        .limit(limit)
        .load(conn)?;
    let mut done = 0;
    for webhook in stopped {
        if done >= limit {
            break;
        }
        // The webhook counts too: the sweep stops after a batch below the limit, and many webhooks may have no rows.
        done += 1 + store::write_cancelled(conn, &webhook, limit - done)?;
    }
    Ok(usize::try_from(done).unwrap_or_default())
}
