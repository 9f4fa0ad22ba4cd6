//! A webhook that its grant is about to change.

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

/// The grant's webhook in one of these states: 404, 409.
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
    let why =
        format!("The webhook is {}; this can be done while it is {}.", webhook.state.as_str(), states.join(" or "));
    Err(refused(context, id, why).into())
}

/// 409, for this reason.
pub fn refused(context: &Context, id: WebhookId, why: String) -> Refusal {
    let href = context.href(&format!("/v1/webhooks/{id}"));
    codes::WEBHOOK_STATE.because(why).next(NextAction::Refresh { href, etag: None })
}
