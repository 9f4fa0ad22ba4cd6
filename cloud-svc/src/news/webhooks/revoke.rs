//! `POST /v1/webhooks/{webhook_id}/revoke`: end a webhook for good.

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

pub async fn revoke(
    command: Command<ManageWebhooks>,
    Path((id,)): Path<(WebhookId,)>,
    Body(Empty {}): Body<Empty>,
) -> Result<Answer<WebhookAnswer>, Error> {
    command
        .run(move |conn, by| {
            let webhook = store::find(conn, &by.author, id)?.ok_or_else(code::not_found)?;
            let webhook = match webhook.state {
                // `revoked_at` must not move: the sweep deletes the row by it.
                WebhookState::Revoked => webhook,
                _ => store::set_revoked(conn, webhook, by.at)?,
            };
            Ok(WebhookAnswer::ok(webhook)?)
        })
        .await
}
