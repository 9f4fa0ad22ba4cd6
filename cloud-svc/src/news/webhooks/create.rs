//! `POST /v1/webhooks`: register an endpoint that receives changes.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use serde::Serialize;
use shared_model::{
    Error, Random,
    json_column::Json,
    rule::{Array, NonEmptyText, Text},
};
use shared_runtime::{Answer, Body};
use utoipa::ToSchema;

use super::{
    event_type::EventType,
    signing_secret::Secrets,
    store, url,
    webhook::{Webhook, WebhookAnswer, WebhookRecord, WebhookSettings, WebhookState},
};
use crate::{
    base::{
        codes,
        ids::{EventId, WebhookId},
        permissions::ManageWebhooks,
    },
    workspace::command::Command,
};

pub type Events = Array<EventType, 1, { EventType::ALL.len() }>;

shared_model::json_object! {
    /// A webhook to create.
    #[derive(Debug)]
    pub struct CreateWebhook {
        /// An https URL on port 443 of a public host.
        pub url: String as NonEmptyText<2048>,
        /// The events that the endpoint receives; `*` for all.
        pub events: Vec<EventType> as Events,
        /// A note of the owner.
        pub description: Option<String> as Text<500>,
    }
    example = {"url": "https://hooks.example.com/fourfold", "events": ["file.updated", "file.purged"], "description": "Search index"};
}

/// A new webhook and its secret.
#[derive(Debug, Serialize, ToSchema)]
pub struct CreatedWebhook {
    pub webhook: WebhookRecord,
    /// The owner's settings.
    pub settings: WebhookSettings,
    /// Signs the deliveries. Shown only here, and when this command is repeated with the same key.
    #[schema(example = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=")]
    pub signing_secret: String,
}

pub async fn create(
    command: Command<ManageWebhooks>,
    Body(CreateWebhook { url, events, description }): Body<CreateWebhook>,
) -> Result<Answer<CreatedWebhook>, Error> {
    url::check(&url, &command.context.outbound)?;
    let context = command.context.clone();
    let (random, secrets) = (&context.random, Secrets::from_context(&context));
    // Random ids and secrets are made here, because the transaction may run again.
    let id = WebhookId::from_bytes(random.bytes16());
    let (secret, challenge) = (secrets.make(id, random), challenge(random));
    let event = EventId::from_bytes(random.bytes16());
    let events = distinct(events);
    let answer = command.run(move |conn, by| {
        if store::is_full(conn, &by.author)? {
            return Err(codes::WEBHOOK_LIMIT.refusal().into());
        }
        let webhook = Webhook {
            id,
            workspace_id: by.workspace(),
            grant_id: by.author.grant_id.clone(),
            url: url.clone(),
            events: Json(events.clone()),
            description: description.clone().unwrap_or_default(),
            state: WebhookState::Pending,
            failures: 0,
            failing_since: None,
            last_error: String::new(),
            secret: secret.clone(),
            old_secret: None,
            old_secret_until: None,
            challenge: Some(challenge.clone()),
            // Set when the webhook becomes active.
            place: 0,
            created_at: by.at,
            deliveries_cancelled_at: None,
        };
        store::insert(conn, &webhook)?;
        let webhook = store::set_pending(conn, webhook, challenge.clone(), event, by.at)?;
        let WebhookAnswer { webhook, settings } = webhook.into();
        let created = CreatedWebhook { webhook, settings, signing_secret: secret.clone() };
        Ok(Answer::ok(&created)?.header("location", by.links.url(&format!("/v1/webhooks/{id}"))))
    });
    secrets.show(answer.await?, &context)
}

/// 43 random characters.
pub fn challenge(random: &Random) -> String {
    BASE64_URL_SAFE_NO_PAD.encode([random.bytes16(), random.bytes16()].concat())
}

/// Each event once, in the order of its first occurrence.
pub fn distinct(events: Vec<EventType>) -> Vec<EventType> {
    let mut distinct = Vec::new();
    for event in events {
        if !distinct.contains(&event) {
            distinct.push(event);
        }
    }
    distinct
}
