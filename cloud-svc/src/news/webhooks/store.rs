//! The rows of webhooks, which are written in the lane of their workspace.

use diesel::{
    dsl::sql,
    prelude::*,
    sql_types::{BigInt, Bool},
};
use shared_model::{Failure, Timestamp, json_column::Json};
use shared_runtime::{
    Conn, on_each,
    state::db::{announce, prepared},
};

use super::{
    deliveries::{
        self,
        delivery::{Cancelled, NewDelivery},
    },
    event_type::EventType,
    message,
    webhook::{Webhook, WebhookState},
};
use crate::{
    base::{
        author::Author,
        ids::{EventId, WebhookId, WorkspaceId},
        limits::WEBHOOKS,
        tables::{webhooks, workspaces},
    },
    workspace::{
        changes::{self, Change, ChangeType},
        store::take_number,
    },
};

/// Rows of cancelled deliveries that one transaction writes: others wait meanwhile.
pub const CANCELLED_TOGETHER: i64 = 500;

/// The actor that disables webhooks that nothing can be sent to.
const DISPATCHER: &str = r#"{"type":"service","id":"webhooks","display_name":"Webhooks"}"#;

pub fn insert(conn: &mut Conn, webhook: &Webhook) -> Result<(), Failure> {
    diesel::insert_into(webhooks::table)
        .values((
            webhooks::id.eq(webhook.id),
            webhooks::workspace_id.eq(webhook.workspace_id),
            webhooks::grant_id.eq(&webhook.grant_id),
            webhooks::url.eq(&webhook.url),
            webhooks::events.eq(serde_json::to_string(&webhook.events)?),
            webhooks::description.eq(&webhook.description),
            webhooks::state.eq(webhook.state),
            webhooks::failures.eq(0),
            webhooks::last_error.eq(""),
            webhooks::secret.eq(&webhook.secret),
            webhooks::challenge.eq(&webhook.challenge),
            webhooks::place.eq(webhook.place),
            webhooks::created_at.eq(webhook.created_at),
        ))
        .execute(conn)?;
    Ok(())
}

pub fn is_full(conn: &mut Conn, author: &Author) -> Result<bool, Failure> {
    let count: i64 = webhooks::table
        .filter(webhooks::workspace_id.eq(author.workspace).and(webhooks::grant_id.eq(&author.grant_id)))
        .filter(webhooks::state.ne(WebhookState::Revoked))
        .count()
        .get_result(conn)?;
    Ok(count >= WEBHOOKS)
}

pub fn find(conn: &mut Conn, author: &Author, id: WebhookId) -> Result<Option<Webhook>, Failure> {
    let found = webhooks::table
        .find(id)
        .filter(webhooks::workspace_id.eq(author.workspace).and(webhooks::grant_id.eq(&author.grant_id)));
    Ok(found.select(Webhook::as_select()).first(conn).optional()?)
}

/// A webhook of any grant, for the dispatcher.
pub fn any(conn: &mut Conn, id: WebhookId) -> Result<Option<Webhook>, Failure> {
    Ok(webhooks::table.find(id).select(Webhook::as_select()).first(conn).optional()?)
}

/// The webhooks of the grant, newest first, without revoked ones.
pub fn list(conn: &mut Conn, author: &Author) -> Result<Vec<Webhook>, Failure> {
    let of_grant = webhooks::table
        .filter(webhooks::workspace_id.eq(author.workspace).and(webhooks::grant_id.eq(&author.grant_id)))
        .filter(webhooks::state.ne(WebhookState::Revoked));
    let newest = of_grant.order((webhooks::created_at.desc(), webhooks::id)).select(Webhook::as_select());
    Ok(newest.limit(WEBHOOKS).load(conn)?)
}

pub fn set_settings(
    conn: &mut Conn,
    webhook: Webhook,
    events: Option<Vec<EventType>>,
    description: Option<String>,
) -> Result<Webhook, Failure> {
    let events = events.map_or(webhook.events, Json);
    let webhook = Webhook { events, description: description.unwrap_or(webhook.description), ..webhook };
    let values = (
        webhooks::events.eq(serde_json::to_string(&webhook.events)?),
        webhooks::description.eq(webhook.description.as_str()),
    );
    prepared(diesel::update(webhooks::table.find(webhook.id)).set(values)).execute(conn)?;
    Ok(webhook)
}

/// Until `until` the previous secret signs as well.
pub fn set_secret(conn: &mut Conn, webhook: Webhook, secret: String, until: Timestamp) -> Result<Webhook, Failure> {
    let old = Some(webhook.secret);
    let values = (
        webhooks::secret.eq(secret.as_str()),
        webhooks::old_secret.eq(&old),
        webhooks::old_secret_until.eq(Some(until)),
    );
    prepared(diesel::update(webhooks::table.find(webhook.id)).set(values)).execute(conn)?;
    Ok(Webhook { secret, old_secret: old, old_secret_until: Some(until), ..webhook })
}

/// Changes after `place` are delivered, even if they were delivered before.
pub fn set_place(conn: &mut Conn, webhook: Webhook, place: i64) -> Result<Webhook, Failure> {
    announce(webhook.workspace_id.number());
    move_place(conn, webhook, place)
}

/// Deliveries of all changes up to `place` exist now.
pub fn move_place(conn: &mut Conn, webhook: Webhook, place: i64) -> Result<Webhook, Failure> {
    prepared(diesel::update(webhooks::table.find(webhook.id)).set(webhooks::place.eq(place))).execute(conn)?;
    Ok(Webhook { place, ..webhook })
}

/// Sends the webhook a challenge, and no events until it is answered.
pub fn set_pending(
    conn: &mut Conn,
    webhook: Webhook,
    challenge: String,
    event: EventId,
    now: Timestamp,
) -> Result<Webhook, Failure> {
    // A challenge or event from before must not arrive after the new challenge.
    let all = Cancelled { at: webhook.cancelled_at().unwrap_or(now), except: None };
    let count = deliveries::store::cancel_some(conn, webhook.id, all, CANCELLED_TOGETHER)?;
    // If more deliveries are pending, the challenge waits until their rows are written.
    let deliveries_cancelled_at = (count == CANCELLED_TOGETHER).then_some(all.at);
    let body = message::challenge(webhook.id, &challenge, now)?;
    let webhook = Webhook { challenge: Some(challenge), deliveries_cancelled_at, ..webhook };
    let webhook = write(conn, webhook, WebhookState::Pending, now)?;
    let new = NewDelivery { event, kind: message::VERIFICATION, sequence: None, body };
    deliveries::store::insert(conn, webhook.id, &[new], now)?;
    announce(webhook.workspace_id.number());
    Ok(webhook)
}

/// Sends the webhook all events from now on.
pub fn set_active(conn: &mut Conn, webhook: Webhook, now: Timestamp) -> Result<Webhook, Failure> {
    // No event from before may be sent. Few are left: all others were cancelled before the challenge was sent.
    let all = Cancelled { at: now, except: None };
    while deliveries::store::cancel_some(conn, webhook.id, all, CANCELLED_TOGETHER)? == CANCELLED_TOGETHER {}
    let owner = webhook.workspace_id;
    let newest: i64 = workspaces::table.find(owner).select(workspaces::change_sequence).first(conn)?;
    let webhook = set_place(conn, webhook, newest)?.without_failures();
    write(conn, Webhook { challenge: None, deliveries_cancelled_at: None, ..webhook }, WebhookState::Active, now)
}

/// Sends the webhook nothing.
// It is no longer pending, so nobody may read the challenge any more.
pub fn set_disabled(conn: &mut Conn, webhook: Webhook, now: Timestamp) -> Result<Webhook, Failure> {
    end(conn, webhook, WebhookState::Disabled, now)
}

/// Disables a webhook that nothing can be sent to, and logs that as a change of the workspace.
pub fn give_up(conn: &mut Conn, webhook: Webhook, now: Timestamp) -> Result<Webhook, Failure> {
    let owner = webhook.workspace_id;
    let webhook = set_disabled(conn, webhook, now)?;
    let change = Change {
        kind: ChangeType::WebhookDisabled,
        file: None,
        version: None,
        comment: None,
        plan: None,
        webhook: Some(webhook.id),
        actor_json: DISPATCHER,
        at: now,
    };
    let sequence = take_number(conn, owner)?;
    changes::insert(owner, sequence, &change);
    Ok(webhook)
}

/// Sends the webhook nothing, for good.
pub fn set_revoked(conn: &mut Conn, webhook: Webhook, now: Timestamp) -> Result<Webhook, Failure> {
    end(conn, webhook, WebhookState::Revoked, now)
}

/// Which of its pending deliveries are cancelled, although their rows do not say so yet.
pub fn cancelled(conn: &mut Conn, webhook: &Webhook) -> Result<Option<Cancelled>, Failure> {
    let Some(at) = webhook.cancelled_at() else { return Ok(None) };
    // Since then, only a webhook that was enabled again has a new delivery: its challenge.
    let is_enabled = webhook.state == WebhookState::Pending;
    let except = if is_enabled { deliveries::store::newest(conn, webhook.id)? } else { None };
    Ok(Some(Cancelled { at, except }))
}

/// Writes up to `limit` of these rows; returns their number, which is below `limit` when none is left.
pub fn write_cancelled(conn: &mut Conn, webhook: &Webhook, limit: i64) -> Result<i64, Failure> {
    let count = match cancelled(conn, webhook)? {
        Some(which) => deliveries::store::cancel_some(conn, webhook.id, which, limit)?,
        None => 0,
    };
    if count < limit && webhook.deliveries_cancelled_at.is_some() {
        let done = webhooks::deliveries_cancelled_at.eq(None::<Timestamp>);
        prepared(diesel::update(webhooks::table.find(webhook.id)).set(done)).execute(conn)?;
    }
    Ok(count)
}

/// Writes the result of its last attempts.
pub fn set_health(conn: &mut Conn, webhook: &Webhook) -> Result<(), Failure> {
    let values = (
        webhooks::failures.eq(webhook.failures),
        webhooks::failing_since.eq(webhook.failing_since),
        webhooks::last_error.eq(webhook.last_error.as_str()),
    );
    prepared(diesel::update(webhooks::table.find(webhook.id)).set(values)).execute(conn)?;
    Ok(())
}

/// Writes a state in which nothing is sent. That cancels what is pending.
// The rows of deliveries are written later: there may be a million.
fn end(conn: &mut Conn, webhook: Webhook, state: WebhookState, now: Timestamp) -> Result<Webhook, Failure> {
    let deliveries_cancelled_at = webhook.cancelled_at().or(Some(now));
    write(conn, Webhook { challenge: None, deliveries_cancelled_at, ..webhook }, state, now)
}

fn write(conn: &mut Conn, webhook: Webhook, state: WebhookState, now: Timestamp) -> Result<Webhook, Failure> {
    let webhook = Webhook { state, ..webhook };
    set_health(conn, &webhook)?;
    let revoked_at = (state == WebhookState::Revoked).then_some(now);
    let values = (
        webhooks::state.eq(state),
        webhooks::challenge.eq(&webhook.challenge),
        webhooks::revoked_at.eq(revoked_at),
        webhooks::deliveries_cancelled_at.eq(webhook.deliveries_cancelled_at),
    );
    prepared(diesel::update(webhooks::table.find(webhook.id)).set(values)).execute(conn)?;
    Ok(webhook)
}

/// SQL before a time: the first delivery of a row of `webhooks` is due then. Append the time as a parameter, then `)`.
// Asked of each webhook that is sent anything. A walk through all due deliveries takes long when an endpoint has been
// away. The first of them may all be of that endpoint.
const FIRST_IS_DUE: &str = "((SELECT min(webhook_deliveries.due_at) FROM webhook_deliveries
    WHERE webhook_deliveries.webhook_id = webhooks.id AND webhook_deliveries.due_at IS NOT NULL) <= ";

/// Which webhooks the dispatcher looks for.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// In these workspaces, or in all.
    pub of: Option<Vec<WorkspaceId>>,
    /// Not these.
    pub running: Vec<WebhookId>,
    /// Not in these workspaces.
    pub full: Vec<WorkspaceId>,
    /// The webhook that had the last turn: those after it come first.
    pub last: Option<WebhookId>,
    pub limit: i64,
}

// A macro, because diesel's types of such conditions cannot be named.
macro_rules! in_turn {
    ($conn:ident, $query:ident, $wanted:ident) => {{
        let last = $wanted.last.map(|id| id.to_string()).unwrap_or_default();
        let in_turn = $query
            .filter(webhooks::id.ne_all(&$wanted.running).and(webhooks::workspace_id.ne_all(&$wanted.full)))
            .select((webhooks::id, webhooks::workspace_id))
            .order((webhooks::id.le(last), webhooks::id))
            .limit($wanted.limit);
        match &$wanted.of {
            Some(of) => on_each!($conn, |c| in_turn.filter(webhooks::workspace_id.eq_any(of)).load(c))?,
            None => on_each!($conn, |c| in_turn.load(c))?,
        }
    }};
}

/// Webhooks with due deliveries.
pub fn due(conn: &mut Conn, wanted: &Wanted, now: Timestamp) -> Result<Vec<(WebhookId, WorkspaceId)>, Failure> {
    let due = webhooks::table
        .filter(webhooks::state.eq(WebhookState::Active).or(webhooks::state.eq(WebhookState::Pending)))
        .filter(sql::<Bool>(FIRST_IS_DUE).bind::<BigInt, _>(now).sql(")"));
    Ok(in_turn!(conn, due, wanted))
}

/// Active webhooks with changes after their place.
pub fn behind(conn: &mut Conn, wanted: &Wanted) -> Result<Vec<(WebhookId, WorkspaceId)>, Failure> {
    let behind = webhooks::table
        .inner_join(workspaces::table.on(workspaces::id.eq(webhooks::workspace_id)))
        .filter(webhooks::state.eq(WebhookState::Active).and(webhooks::place.lt(workspaces::change_sequence)));
    Ok(in_turn!(conn, behind, wanted))
}
