//! `POST /v1/webhooks/{webhook_id}/revoke`: tell a webhook nothing any more.

use shared_model::{Error, code};
use shared_runtime::{Answer, Body, Path};

use super::{
    store,
    webhook::{WebhookAnswer, WebhookState},
};
use crate::{
    base::{empty::Empty, ids::WebhookId, permissions::ManageWebhooks},
    workspace::command::Command,
};

/// Ends a webhook for ever; one that has ended stays as it is.
pub async fn revoke(
    command: Command<ManageWebhooks>,
    Path((id,)): Path<(WebhookId,)>,
    Body(Empty {}): Body<Empty>,
) -> Result<Answer<WebhookAnswer>, Error> {
    command
        .run(move |conn, by| {
            let webhook = store::find(conn, &by.author, id)?.ok_or_else(code::not_found)?;
            let webhook = match webhook.state {
                WebhookState::Revoked => webhook,
                _ => store::set_revoked(conn, webhook, by.at)?,
            };
            Ok(WebhookAnswer::ok(webhook)?)
        })
        .await
}
