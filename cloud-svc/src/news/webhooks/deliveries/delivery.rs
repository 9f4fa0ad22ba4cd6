//! A delivery: its row, and its record as clients see it.

use diesel::prelude::*;
use serde::Serialize;
use shared_model::Timestamp;
use utoipa::ToSchema;

use crate::base::{ids::EventId, tables::webhook_deliveries};

shared_model::text_enum! {
    /// How far a delivery has come.
    pub enum DeliveryStatus {
        /// Another attempt is due.
        Pending = "pending",
        /// The endpoint has taken it.
        Delivered = "delivered",
        /// All attempts have failed.
        Failed = "failed",
        /// The webhook came to be told nothing before it was taken.
        Cancelled = "cancelled",
    }
}

/// A delivery to be made.
#[derive(Clone, Debug)]
pub struct NewDelivery {
    /// The `webhook-id` of all its attempts.
    pub event: EventId,
    /// The type of what is told.
    pub kind: &'static str,
    /// The change that it tells of.
    pub sequence: Option<i64>,
    pub body: String,
}

/// A delivery to be attempted.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = webhook_deliveries)]
pub struct DueDelivery {
    pub id: i64,
    /// The `webhook-id` of all its attempts.
    pub event_id: EventId,
    /// The type of what is told.
    pub kind: String,
    pub body: String,
    pub attempts: i64,
}

/// A delivery as its owner sees it.
#[derive(Clone, Debug, Serialize, ToSchema, Queryable, Selectable)]
#[diesel(table_name = webhook_deliveries)]
pub struct DeliveryRecord {
    #[serde(skip)]
    #[schema(ignore)]
    pub(crate) id: i64,
    /// The `webhook-id` of all its attempts.
    pub event_id: EventId,
    /// The type of what is told.
    #[serde(rename = "type")]
    #[schema(example = "file.updated")]
    pub kind: String,
    /// The change that it tells of; null for a challenge or a ping.
    #[schema(required, minimum = 1)]
    pub sequence: Option<i64>,
    /// How far it has come.
    #[diesel(column_name = state)]
    pub status: DeliveryStatus,
    #[schema(minimum = 0)]
    pub attempts: i64,
    /// What was wrong with the last of them.
    #[schema(example = "http_503")]
    pub last_error: String,
    pub created_at: Timestamp,
    /// When the next attempt is due; null when there is none.
    #[diesel(column_name = due_at)]
    #[schema(required)]
    pub next_attempt_at: Option<Timestamp>,
    /// When it was over; null while it is not.
    #[schema(required)]
    pub finished_at: Option<Timestamp>,
}
