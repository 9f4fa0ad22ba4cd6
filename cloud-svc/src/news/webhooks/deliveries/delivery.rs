//! A delivery: its row, and the record that clients see.

use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use shared_model::Timestamp;
use utoipa::ToSchema;

use crate::base::{ids::EventId, tables::webhook_deliveries};

shared_model::text_enum! {
    /// The state of a delivery.
    pub enum DeliveryStatus {
        /// Another attempt is due.
        Pending = "pending",
        /// The endpoint accepted it.
        Delivered = "delivered",
        /// All attempts have failed.
        Failed = "failed",
        /// The webhook was disabled, revoked or sent a new challenge first.
        Cancelled = "cancelled",
    }
}

#[derive(Clone, Debug)]
pub struct NewDelivery {
    /// The `webhook-id` of all attempts.
    pub event: EventId,
    /// The `type` of the message.
    pub kind: &'static str,
    /// The number of the change; `None` for a challenge or a ping.
    pub sequence: Option<i64>,
    pub body: String,
}

/// Which pending deliveries of a webhook are cancelled, although their rows do not say so yet.
#[derive(Clone, Copy, Debug)]
pub struct Cancelled {
    pub at: Timestamp,
    /// The one delivery that is still pending. `None`: all are cancelled.
    pub except: Option<i64>,
}

#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = webhook_deliveries)]
pub struct DueDelivery {
    pub id: i64,
    /// The `webhook-id` of all attempts.
    pub event_id: EventId,
    /// The `type` of the message.
    pub kind: String,
    pub body: String,
    pub attempts: i64,
}

/// A delivery to a webhook.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, Queryable, Selectable)]
#[diesel(table_name = webhook_deliveries)]
pub struct DeliveryRecord {
    #[serde(skip)]
    #[schema(ignore)]
    pub(crate) id: i64,
    /// The `webhook-id` of all attempts.
    pub event_id: EventId,
    /// The `type` of the message.
    #[serde(rename = "type")]
    #[schema(example = "file.updated")]
    pub kind: String,
    /// The number of the change; null for a challenge or a ping.
    #[schema(required, minimum = 1)]
    pub sequence: Option<i64>,
    /// The state of the delivery.
    #[diesel(column_name = state)]
    pub status: DeliveryStatus,
    #[schema(minimum = 0)]
    pub attempts: i64,
    /// The error of the last attempt.
    #[schema(example = "http_503")]
    pub last_error: String,
    pub created_at: Timestamp,
    /// When the next attempt is due; null if none is.
    #[diesel(column_name = due_at)]
    #[schema(required)]
    pub next_attempt_at: Option<Timestamp>,
    /// When it ended; null while it is pending.
    #[schema(required)]
    pub finished_at: Option<Timestamp>,
}

impl Cancelled {
    /// The id of the delivery that is still pending, or one that no row has.
    pub fn excepted(self) -> i64 {
        self.except.unwrap_or_default()
    }

    /// Whether the delivery with this id is cancelled, if its row is pending.
    pub fn has(self, id: i64) -> bool {
        self.except != Some(id)
    }

    /// The record as its row will say it.
    pub fn shown(self, delivery: DeliveryRecord) -> DeliveryRecord {
        if delivery.status != DeliveryStatus::Pending || !self.has(delivery.id) {
            return delivery;
        }
        DeliveryRecord {
            status: DeliveryStatus::Cancelled,
            next_attempt_at: None,
            finished_at: Some(self.at),
            ..delivery
        }
    }
}
