//! `POST /v1/webhooks/{webhook_id}/ping`: send a webhook a test message.

use serde::Serialize;
use shared_model::Error;
use shared_runtime::{Answer, Body, Path, state::db::announce};
use utoipa::ToSchema;

use super::{
    deliveries::{self, delivery::NewDelivery},
    load_in_state, message,
    webhook::{WebhookRecord, WebhookState},
};
use crate::{
    base::{
        empty::Empty,
        ids::{EventId, WebhookId},
        permissions::ManageWebhooks,
    },
    workspace::command::Command,
};

/// A ping that will be sent.
#[derive(Debug, Serialize, ToSchema)]
pub struct Pinged {
    pub webhook: WebhookRecord,
    /// The `webhook-id` of the ping in the list of deliveries.
    pub event_id: EventId,
}

pub async fn ping(
    command: Command<ManageWebhooks>,
    Path((id,)): Path<(WebhookId,)>,
    Body(Empty {}): Body<Empty>,
) -> Result<Answer<Pinged>, Error> {
    let context = command.context.clone();
    let event_id = EventId::from_bytes(context.random.bytes16());
    command
        .run(move |conn, by| {
            let webhook = load_in_state::in_state(conn, by, &context, id, &[WebhookState::Active])?;
            let body = message::ping(id, by.workspace(), by.at)?;
            let new = NewDelivery { event: event_id, kind: message::PING, sequence: None, body };
            deliveries::store::insert(conn, id, &[new], by.at)?;
            // A ping is not a change, so nothing else wakes the dispatcher.
            announce(by.workspace().number());
            Ok(Answer::ok(&Pinged { webhook: webhook.into(), event_id })?)
        })
        .await
}
