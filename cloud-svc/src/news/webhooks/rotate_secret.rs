//! `POST /v1/webhooks/{webhook_id}/rotate-secret`: sign with a new secret.

use std::time::Duration;

use serde::Serialize;
use shared_model::{Error, Timestamp};
use shared_runtime::{Answer, Body, Path};
use utoipa::ToSchema;

use super::{
    load_in_state,
    signing_secret::Secrets,
    store,
    webhook::{
        WebhookRecord,
        WebhookState::{Active, Disabled, Pending},
    },
};
use crate::{
    base::{empty::Empty, ids::WebhookId, permissions::ManageWebhooks},
    workspace::command::Command,
};

// For so long each delivery has two signatures, and the receiver can change its secret without missing any.
const BOTH_SIGN: Duration = Duration::from_secs(86_400);

/// A webhook and its new secret.
#[derive(Debug, Serialize, ToSchema)]
pub struct RotatedSecret {
    pub webhook: WebhookRecord,
    /// Signs deliveries from now on. Shown only here, and when this command is repeated with the same key.
    #[schema(example = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=")]
    pub signing_secret: String,
    /// When the previous secret stops signing: now, if it can no longer be read.
    pub previous_secret_expires_at: Timestamp,
}

// Not twice within that time: a receiver that still has the oldest secret would miss deliveries.
pub async fn rotate(
    command: Command<ManageWebhooks>,
    Path((id,)): Path<(WebhookId,)>,
    Body(Empty {}): Body<Empty>,
) -> Result<Answer<RotatedSecret>, Error> {
    let context = command.context.clone();
    let secrets = Secrets::from_context(&context);
    let secret = secrets.make(id, &context.random);
    let answer = {
        let (context, secrets) = (context.clone(), secrets.clone());
        command.run(move |conn, by| {
            let webhook = load_in_state::in_state(conn, by, &context, id, &[Pending, Active, Disabled])?;
            // After a change of SERVICE_SECRET no secret signs, so there is none to wait for.
            let signs = secrets.signer(&webhook, by.at).is_some();
            if let Some(until) = webhook.old_secret_until.filter(|until| signs && *until > by.at) {
                let why = format!("The previous secret signs until {until}. Rotate after that, or revoke the webhook.");
                return Err(load_in_state::refused(&context, id, why).into());
            }
            let until = if signs { by.at.plus(BOTH_SIGN) } else { by.at };
            let webhook = store::set_secret(conn, webhook, secret.clone(), until)?.into();
            let signing_secret = secret.clone();
            Ok(Answer::ok(&RotatedSecret { webhook, signing_secret, previous_secret_expires_at: until })?)
        })
    };
    secrets.show(answer.await?, &context)
}
