//! A subscription, as billing knows it, as it is stored, and as its owner sees it.

use diesel::prelude::*;
use serde::Serialize;
use shared_model::{Currency, Timestamp};
use utoipa::ToSchema;

use super::state::SubscriptionState;
use crate::{
    ids::{OrderId, RoomId, SubscriptionId},
    schema::subscriptions,
};

/// A subscription that pays for a room, month by month.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = subscriptions, treat_none_as_null = true)]
#[schema(example = json!({
    "id": "sub_0123456789abcdef0123456789abcdef", "room_id": "room_0123456789abcdef0123456789abcdef", "state": "active",
    "version": 2, "sku": "room-s", "currency": "GBP", "monthly_pence": 2900, "setup_pence": 4900,
    "current_period_start": "2026-11-01T00:00:00.000000Z", "current_period_end": "2026-12-01T00:00:00.000000Z",
    "cancelled_at": null, "order_id": "ord_0123456789abcdef0123456789abcdef",
    "created_at": "2026-10-01T00:00:00.000000Z", "updated_at": "2026-11-01T00:00:00.000000Z"
}))]
pub struct Subscription {
    /// Its id.
    pub id: SubscriptionId,
    /// The room that it pays for.
    pub room_id: RoomId,
    /// Its state.
    pub state: SubscriptionState,
    /// Counts its changes, from 1.
    #[schema(minimum = 1)]
    pub version: i64,
    /// The product of the catalogue.
    pub sku: String,
    /// The currency of every amount.
    pub currency: Currency,
    /// The price of a month, in pence.
    #[schema(minimum = 0)]
    pub monthly_pence: i64,
    /// The price of setting up, once, in pence.
    #[schema(minimum = 0)]
    pub setup_pence: i64,
    /// The start of the month that is paid.
    #[schema(required)]
    pub current_period_start: Option<Timestamp>,
    /// The end of that month.
    #[schema(required)]
    pub current_period_end: Option<Timestamp>,
    /// When it was cancelled.
    #[schema(required)]
    pub cancelled_at: Option<Timestamp>,
    /// The order that it came from.
    #[schema(required)]
    pub order_id: Option<OrderId>,
    /// When it began; never changes.
    pub created_at: Timestamp,
    /// When this version was made.
    pub updated_at: Timestamp,
}

/// A subscription and its owner: a row of `subscriptions`, a line of `locker-svc import` and of `subscription list`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Queryable, Selectable, Insertable)]
#[diesel(table_name = subscriptions)]
pub struct SubscriptionRecord {
    /// The `sub` of the tokens that may see it.
    pub owner: String,
    /// The subscription.
    #[diesel(embed)]
    pub subscription: Subscription,
}
