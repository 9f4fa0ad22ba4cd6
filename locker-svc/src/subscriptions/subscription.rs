//! A subscription. Billing, the database and the owner see the same members.

use diesel::prelude::*;
use serde::Serialize;
use shared_model::{
    Currency, JsonReader, Timestamp,
    rule::{MinorUnits, Owner, Sku, VersionNumber},
};

use super::state::SubscriptionState;
use crate::{
    ids::{OrderId, RoomId, SubscriptionId},
    tables::subscriptions,
};

shared_model::json_object! {
    /// A subscription that pays for a room, month by month.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Queryable, Selectable, Insertable, AsChangeset)]
    #[diesel(table_name = subscriptions, treat_none_as_null = true)]
    pub struct Subscription {
        pub id: SubscriptionId,
        /// The room that it pays for.
        pub room_id: RoomId,
        pub state: SubscriptionState,
        pub version: i64 as VersionNumber,
        /// The stock keeping unit of the product in the catalogue.
        pub sku: String as Sku,
        pub currency: Currency,
        /// The price of a month, in pence.
        pub monthly_pence: i64 as MinorUnits,
        /// The one-time setup price, in pence.
        pub setup_pence: i64 as MinorUnits,
        /// The start of the paid month.
        pub current_period_start: Option<Timestamp> | null,
        /// The end of the paid month.
        pub current_period_end: Option<Timestamp> | null,
        pub cancelled_at: Option<Timestamp> | null,
        /// The order that created it.
        pub order_id: Option<OrderId> | null,
        /// Never changes.
        pub created_at: Timestamp,
        pub updated_at: Timestamp,
    }
    example = {
        "id": "sub_0123456789abcdef0123456789abcdef", "room_id": "room_0123456789abcdef0123456789abcdef", "state": "active",
        "version": 2, "sku": "room-s", "currency": "GBP", "monthly_pence": 2900, "setup_pence": 4900,
        "current_period_start": "2026-11-01T00:00:00.000000Z", "current_period_end": "2026-12-01T00:00:00.000000Z",
        "cancelled_at": null, "order_id": "ord_0123456789abcdef0123456789abcdef",
        "created_at": "2026-10-01T00:00:00.000000Z", "updated_at": "2026-11-01T00:00:00.000000Z"
    };
    check = check_together;

    /// A subscription and its owner: a row of `subscriptions`, and a line of `import` and `subscription list`.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Queryable, Selectable, Insertable)]
    #[diesel(table_name = subscriptions)]
    pub struct SubscriptionRecord {
        /// The `sub` of the tokens that may see it.
        pub owner: String as Owner,
        #[diesel(embed)]
        pub subscription: Subscription,
    }
}

fn check_together(reader: &JsonReader<'_>, subscription: Option<&Subscription>) {
    if let Some(rule) = subscription.and_then(Subscription::contradiction) {
        reader.note("", rule);
    }
}

impl Subscription {
    fn contradiction(&self) -> Option<&'static str> {
        let period_is_sound = match (self.current_period_start, self.current_period_end) {
            (None, None) => true,
            (Some(start), Some(end)) => start < end,
            _ => false,
        };
        if !period_is_sound {
            return Some("must have both ends of its current period, the start before the end, or neither");
        }
        if self.cancelled_at.is_some() != (self.state == SubscriptionState::Cancelled) {
            return Some("must have cancelled_at when its state is cancelled, and only then");
        }
        (self.updated_at < self.created_at).then_some("must not be updated before it was created")
    }
}
