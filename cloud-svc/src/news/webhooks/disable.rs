//! `POST /v1/webhooks/{webhook_id}/disable`: stop deliveries until the webhook is enabled.

use shared_model::Error;
use shared_runtime::{Answer, Body, Path};

use super::{
    load_in_state, store,
    webhook::{
        WebhookAnswer,
        WebhookState::{Active, Disabled, Pending},
    },
};
use crate::{
    base::{empty::Empty, ids::WebhookId, permissions::ManageWebhooks},
    workspace::command::Command,
};

pub async fn disable(
    command: Command<ManageWebhooks>,
    Path((id,)): Path<(WebhookId,)>,
    Body(Empty {}): Body<Empty>,
) -> Result<Answer<WebhookAnswer>, Error> {
    let context = command.context.clone();
    command
        .run(move |conn, by| {
            let webhook = load_in_state::in_state(conn, by, &context, id, &[Pending, Active, Disabled])?;
            let webhook = match webhook.state {
                // A repeated command changes nothing.
                Disabled => webhook,
                _ => store::set_disabled(conn, webhook, by.at)?,
            };
            Ok(WebhookAnswer::ok(webhook)?)
        })
        .await
}
