//! Loads a webhook that its grant is about to change.

use shared_model::{Error, NextAction, Refusal, code};
use shared_runtime::{Conn, Context};

use super::{
    store,
    webhook::{Webhook, WebhookState},
};
use crate::{
    base::{codes, ids::WebhookId},
    workspace::command::ChangeContext,
};

/// The grant's webhook; 404, or 409 if it is in none of these states.
pub fn in_state(
    conn: &mut Conn,
    by: &ChangeContext,
    context: &Context,
    id: WebhookId,
    states: &[WebhookState],
) -> Result<Webhook, Error> {
    let webhook = store::find(conn, &by.author, id)?.ok_or_else(code::not_found)?;
    if states.contains(&webhook.state) {
        return Ok(webhook);
    }
    let states: Vec<_> = states.iter().map(|state| state.as_str()).collect();
    let why = format!("The webhook is {}; it must be {}.", webhook.state.as_str(), states.join(" or "));
    Err(refused(context, id, why).into())
}

pub fn refused(context: &Context, id: WebhookId, why: String) -> Refusal {
    let href = context.href(&format!("/v1/webhooks/{id}"));
    codes::WEBHOOK_STATE.because(why).next(NextAction::Refresh { href, etag: None })
}
