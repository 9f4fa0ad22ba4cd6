//! `POST /v1/webhooks/{webhook_id}/enable`: send a disabled webhook a new challenge.

use shared_model::Error;
use shared_runtime::{Answer, Body, Path};

use super::{
    create::challenge,
    load_in_state, store,
    webhook::{
        WebhookAnswer,
        WebhookState::{Active, Disabled, Pending},
    },
};
use crate::{
    base::{
        empty::Empty,
        ids::{EventId, WebhookId},
        permissions::ManageWebhooks,
    },
    workspace::command::Command,
};

pub async fn enable(
    command: Command<ManageWebhooks>,
    Path((id,)): Path<(WebhookId,)>,
    Body(Empty {}): Body<Empty>,
) -> Result<Answer<WebhookAnswer>, Error> {
    let context = command.context.clone();
    let (challenge, event) = (challenge(&context.random), EventId::from_bytes(context.random.bytes16()));
    command
        .run(move |conn, by| {
            let webhook = load_in_state::in_state(conn, by, &context, id, &[Pending, Active, Disabled])?;
            let webhook = match webhook.state {
                Disabled => {
                    // If the old failures still counted, the first new failure would disable it again.
                    let webhook = webhook.without_failures();
                    store::set_pending(conn, webhook, challenge.clone(), event, by.at)?
                }
                // It is enabled already, so the endpoint need not prove itself again.
                _ => webhook,
            };
            Ok(WebhookAnswer::ok(webhook)?)
        })
        .await
}
