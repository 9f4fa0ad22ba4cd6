//! `POST /v1/webhooks/{webhook_id}/verify`: have the challenge sent again, or answer it by hand.

use shared_model::{Error, rule::NonEmptyText};
use shared_runtime::{Answer, Body, Path};

use super::{
    load_in_state, store,
    webhook::{WebhookAnswer, WebhookState},
};
use crate::{
    base::{
        ids::{EventId, WebhookId},
        permissions::ManageWebhooks,
    },
    workspace::command::Command,
};

shared_model::json_object! {
    /// What is sent.
    #[derive(Debug)]
    pub struct VerifyWebhook {
        /// The challenge that the endpoint has received, where it cannot answer by itself; absent: send it again.
        pub challenge: Option<String> as NonEmptyText<64>,
    }
    example = {};
}

/// Sends the challenge of a pending webhook again, or makes it active when its owner knows the challenge.
pub async fn verify(
    command: Command<ManageWebhooks>,
    Path((id,)): Path<(WebhookId,)>,
    Body(VerifyWebhook { challenge }): Body<VerifyWebhook>,
) -> Result<Answer<WebhookAnswer>, Error> {
    let context = command.context.clone();
    let event = EventId::from_bytes(context.random.bytes16());
    command
        .run(move |conn, by| {
            let webhook = load_in_state::in_state(conn, by, &context, id, &[WebhookState::Pending])?;
            let sent = webhook.challenge.clone().unwrap_or_default();
            let webhook = match &challenge {
                None => store::set_pending(conn, webhook, sent, event, by.at)?,
                Some(challenge) if *challenge == sent => store::set_active(conn, webhook, by.at)?,
                Some(_) => {
                    let why = "The challenge is not the one that was sent to the endpoint.";
                    return Err(load_in_state::refused(&context, id, why.to_owned()).into());
                }
            };
            Ok(WebhookAnswer::ok(webhook)?)
        })
        .await
}
