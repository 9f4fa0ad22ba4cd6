//! `POST /v1/webhooks/{webhook_id}/verify`: send the challenge again, or answer it by hand.

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
    /// The answer to a challenge.
    #[derive(Debug)]
    pub struct VerifyWebhook {
        /// The challenge that the endpoint received, if it cannot answer itself; absent: send it again.
        pub challenge: Option<String> as NonEmptyText<64>,
    }
    example = {};
}

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
                // A person who knows the challenge has access to the endpoint, which is all that an automatic answer
                // shows.
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
