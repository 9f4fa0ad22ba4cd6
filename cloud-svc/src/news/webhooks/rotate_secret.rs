//! `POST /v1/webhooks/{webhook_id}/rotate-secret`: sign with another secret.

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

/// How long the secret before signs as well.
const BOTH_SIGN: Duration = Duration::from_secs(86_400);

/// A webhook with its new secret.
#[derive(Debug, Serialize, ToSchema)]
pub struct RotatedSecret {
    pub webhook: WebhookRecord,
    /// What signs its deliveries from now on. It is shown only here, and where this command is sent again with the same key.
    #[schema(example = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=")]
    pub signing_secret: String,
    /// Until when the secret before signs as well.
    pub previous_secret_expires_at: Timestamp,
}

/// Makes a new secret; for 24 hours deliveries have a signature of each. A secret before those two signs no longer.
pub async fn rotate(
    command: Command<ManageWebhooks>,
    Path((id,)): Path<(WebhookId,)>,
    Body(Empty {}): Body<Empty>,
) -> Result<Answer<RotatedSecret>, Error> {
    let context = command.context.clone();
    let secrets = Secrets::of(&context);
    let secret = secrets.make(id, &context.random);
    let answer = command.run(move |conn, by| {
        let webhook = load_in_state::in_state(conn, by, &context, id, &[Pending, Active, Disabled])?;
        let until = by.at.plus(BOTH_SIGN);
        let webhook = store::set_secret(conn, webhook, secret.clone(), until)?.into();
        let signing_secret = secret.clone();
        Ok(Answer::ok(&RotatedSecret { webhook, signing_secret, previous_secret_expires_at: until })?)
    });
    Ok(answer.await?.map_payload(|payload| secrets.show(payload))?)
}
