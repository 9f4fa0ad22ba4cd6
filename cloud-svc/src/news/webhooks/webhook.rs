//! A webhook: its row, and the record that clients see.

use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use shared_model::{Failure, Timestamp, json_column::Json};
use shared_runtime::Answer;
use utoipa::ToSchema;

use super::event_type::EventType;
use crate::base::{
    ids::{WebhookId, WorkspaceId},
    tables::webhooks,
};

shared_model::text_enum! {
    /// What a webhook receives.
    pub enum WebhookState {
        /// Only a challenge, until the endpoint answers it.
        Pending = "pending",
        /// All events that it wants.
        Active = "active",
        /// Nothing, until it is enabled.
        Disabled = "disabled",
        /// Nothing, for good.
        Revoked = "revoked",
    }
}

#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = webhooks)]
pub struct Webhook {
    pub id: WebhookId,
    pub workspace_id: WorkspaceId,
    pub grant_id: String,
    pub url: String,
    /// The events that it wants.
    pub events: Json<Vec<EventType>>,
    /// A note of the owner.
    pub description: String,
    pub state: WebhookState,
    /// Failed attempts since the last success, or since it was enabled.
    pub failures: i64,
    /// The time of the first of them.
    pub failing_since: Option<Timestamp>,
    /// The error of the last of them: a word of `AttemptError`.
    pub last_error: String,
    pub secret: String,
    /// Still signs until `old_secret_until`; encrypted.
    pub old_secret: Option<String>,
    pub old_secret_until: Option<Timestamp>,
    /// The expected answer while the webhook is pending.
    pub challenge: Option<String>,
    /// The number of the last change that has deliveries.
    pub place: i64,
    pub created_at: Timestamp,
    /// See [`Webhook::cancelled_at`].
    pub deliveries_cancelled_at: Option<Timestamp>,
}

/// A webhook. All members are always present.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct WebhookRecord {
    pub id: WebhookId,
    #[schema(example = "https://hooks.example.com/fourfold")]
    pub url: String,
    pub state: WebhookState,
    /// Failed attempts since the last success, or since it was enabled.
    #[schema(minimum = 0)]
    pub failures: i64,
    /// The error of the last of them. It is empty, `timeout`, `dns`, `blocked_address`, `tls`, `connect`, `redirect`,
    /// `challenge_mismatch`, `gone`, or `http_` and the status. After `secret_unreadable`, rotate the secret, then
    /// enable the webhook.
    #[schema(example = "http_503")]
    pub last_error: String,
}

/// The owner's settings.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct WebhookSettings {
    /// The events that the endpoint receives.
    pub events: Vec<EventType>,
    /// A note of the owner.
    #[schema(max_length = 500, example = "Search index")]
    pub description: String,
    pub created_at: Timestamp,
}

/// One webhook.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct WebhookAnswer {
    pub webhook: WebhookRecord,
    /// The owner's settings.
    pub settings: WebhookSettings,
}

impl Webhook {
    /// As if its last attempt had succeeded.
    pub fn without_failures(self) -> Self {
        Self { failures: 0, failing_since: None, last_error: String::new(), ..self }
    }

    /// When its deliveries were cancelled, if there are rows that do not say so yet.
    pub fn cancelled_at(&self) -> Option<Timestamp> {
        // An earlier release that made it active has written all rows, and does not know this column.
        self.deliveries_cancelled_at.filter(|_| self.state != WebhookState::Active)
    }
}

impl From<Webhook> for WebhookRecord {
    fn from(webhook: Webhook) -> Self {
        let Webhook { id, url, state, failures, last_error, .. } = webhook;
        Self { id, url, state, failures, last_error }
    }
}

impl From<Webhook> for WebhookAnswer {
    fn from(webhook: Webhook) -> Self {
        let (Json(events), description) = (webhook.events.clone(), webhook.description.clone());
        let settings = WebhookSettings { events, description, created_at: webhook.created_at };
        Self { webhook: webhook.into(), settings }
    }
}

impl WebhookAnswer {
    pub fn ok(webhook: Webhook) -> Result<Answer<Self>, Failure> {
        Answer::ok(&Self::from(webhook))
    }
}
