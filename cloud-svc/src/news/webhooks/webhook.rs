//! A webhook: its row, and its record as clients see it (spec: webhook subscription).

use diesel::prelude::*;
use serde::Serialize;
use shared_model::{Failure, Timestamp, json_column::Json};
use shared_runtime::Answer;
use utoipa::ToSchema;

use super::event_type::EventType;
use crate::base::{
    ids::{WebhookId, WorkspaceId},
    tables::webhooks,
};

shared_model::text_enum! {
    /// What a webhook is told.
    pub enum WebhookState {
        /// A challenge, until its endpoint has answered it.
        Pending = "pending",
        /// Every event that it wants.
        Active = "active",
        /// Nothing, until it is enabled.
        Disabled = "disabled",
        /// Nothing, for ever.
        Revoked = "revoked",
    }
}

/// A webhook of a grant.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = webhooks)]
pub struct Webhook {
    pub id: WebhookId,
    /// The workspace whose changes it is told of.
    pub workspace_id: WorkspaceId,
    pub grant_id: String,
    pub url: String,
    /// What it wants to be told of.
    pub events: Json<Vec<EventType>>,
    /// What its owner says of it.
    pub description: String,
    pub state: WebhookState,
    /// Failed attempts since the last success.
    pub failures: i64,
    /// When the first of them was.
    pub failing_since: Option<Timestamp>,
    /// What was wrong with the last of them: a word of a closed list.
    pub last_error: String,
    pub secret: String,
    /// What signs as well, encrypted.
    pub old_secret: Option<String>,
    pub old_secret_until: Option<Timestamp>,
    /// What the endpoint must answer while the webhook is pending.
    pub challenge: Option<String>,
    /// The last change that deliveries were made of.
    pub place: i64,
    pub created_at: Timestamp,
}

/// A webhook as clients see it; all members are always there.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookRecord {
    pub id: WebhookId,
    #[schema(example = "https://hooks.example.com/fourfold")]
    pub url: String,
    pub state: WebhookState,
    /// Failed attempts since the last success.
    #[schema(minimum = 0)]
    pub failures: i64,
    /// What was wrong with the last of them: empty, `timeout`, `dns`, `blocked_address`, `tls`, `connect`, `redirect`,
    /// `challenge_mismatch`, `gone`, or `http_` and the status.
    #[schema(example = "http_503")]
    pub last_error: String,
}

/// What its owner has chosen.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookSettings {
    /// What it is told of.
    pub events: Vec<EventType>,
    /// What its owner says of it.
    #[schema(max_length = 500, example = "Search index")]
    pub description: String,
    pub created_at: Timestamp,
}

/// An answer with one webhook.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookAnswer {
    pub webhook: WebhookRecord,
    /// What its owner has chosen.
    pub settings: WebhookSettings,
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
    /// 200 with a webhook.
    pub fn ok(webhook: Webhook) -> Result<Answer<Self>, Failure> {
        Answer::ok(&Self::from(webhook))
    }
}
