//! An order. It is imported, stored and read in the same shape. Its rules are checked here.

use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use shared_model::{
    Currency, Etag, JsonReader, Secret, Timestamp,
    json_column::Json,
    rule::{Array, Integer, MinorUnits, OneLine, Owner, Sku, VersionNumber},
};

use super::{
    amounts::{self, Amounts},
    state::OrderState,
};
use crate::{
    ids::{OrderId, RoomId, SubscriptionId},
    tables::orders,
};

shared_model::text_enum! {
    /// The status of a payment.
    pub enum PaymentStatus {
        Unpaid = "unpaid",
        Pending = "pending",
        Paid = "paid",
        Failed = "failed",
        PartiallyRefunded = "partially_refunded",
        /// The paid amount is refunded.
        Refunded = "refunded",
    }
}

shared_model::json_object! {
    /// A line of an import file: an order and its owner.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Queryable, Selectable, Insertable, AsChangeset)]
    #[diesel(table_name = orders)]
    pub struct OrderRecord {
        /// The `sub` of the owner grants that may read it.
        pub owner: String as Owner,
        #[diesel(embed)]
        pub order: Order,
    }

    /// One placed order.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Queryable, Selectable, Insertable, AsChangeset)]
    #[serde(tag = "schema", rename = "service/order/v1")]
    #[diesel(table_name = orders, treat_none_as_null = true, treat_none_as_default_value = false)]
    pub struct Order {
        pub id: OrderId,
        pub number: String as OneLine<64>,
        pub state: OrderState,
        pub version: i64 as VersionNumber,
        pub currency: Currency,
        /// The amounts, in pence.
        #[diesel(embed)]
        pub amounts: Amounts,
        pub lines: Json<Vec<OrderLine>> as Json<Array<OrderLine, 1, 200>>,
        pub payment: Json<Payment> as Json<Payment>,
        /// The subscription that the order created.
        pub subscription_id: Option<SubscriptionId> | null,
        pub room_id: Option<RoomId> | null,
        pub placed_at: Option<Timestamp> | null,
        pub updated_at: Timestamp,
        pub completed_at: Option<Timestamp> | null,
        pub cancelled_at: Option<Timestamp> | null,
        /// The states of the order, oldest first. The last one is the current state.
        pub timeline: Json<Vec<TimelineStep>> as Json<Array<TimelineStep, 1, 100>>,
    }
    example = {
        "schema": "service/order/v1", "id": "ord_0123456789abcdef0123456789abcdef", "number": "F-1001", "state": "paid",
        "version": 3, "currency": "GBP",
        "amounts": {
            "subtotal_minor": 7800, "discount_minor": 0, "tax_minor": 1560, "total_minor": 9360, "paid_minor": 9360,
            "refunded_minor": 0, "due_minor": 0
        },
        "lines": [
            {"id": "1", "sku": "room-s", "name": "Small room", "quantity": 1, "unit_minor": 2900, "total_minor": 2900},
            {"id": "2", "sku": "setup", "name": "Setting up", "quantity": 1, "unit_minor": 4900, "total_minor": 4900}
        ],
        "payment": {"method": "card", "status": "paid", "reference": "ch_1001"},
        "subscription_id": null, "room_id": "room_0123456789abcdef0123456789abcdef",
        "placed_at": "2026-11-21T09:30:00.000000Z", "updated_at": "2026-11-21T09:32:10.000000Z",
        "completed_at": null, "cancelled_at": null,
        "timeline": [
            {"state": "placed", "at": "2026-11-21T09:30:00.000000Z"},
            {"state": "awaiting_payment", "at": "2026-11-21T09:30:01.000000Z"},
            {"state": "paid", "at": "2026-11-21T09:32:10.000000Z"}
        ]
};
    check = check_whole;

    /// One thing that was ordered.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct OrderLine {
        /// The line's id in the shop.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub id: Option<String> as OneLine<64>,
        pub sku: String as Sku,
        pub name: String as OneLine<190>,
        pub quantity: i64 as Quantity,
        /// The price of one item, in pence.
        pub unit_minor: i64 as MinorUnits,
        /// Quantity times unit price, in pence.
        pub total_minor: i64 as MinorUnits,
    }

    /// How an order is paid.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Payment {
        pub method: String as OneLine<64>,
        pub status: PaymentStatus,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub reference: Option<String> as OneLine<REFERENCE_BYTES>,
    }

    /// A state of an order, and when it began.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct TimelineStep {
        pub state: OrderState,
        /// When the order reached the state.
        pub at: Timestamp,
        /// The reason, written by the operator.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub note: Option<String> as OneLine<NOTE_BYTES>,
    }
}

pub type Quantity = Integer<1, 1_000_000>;

pub const REFERENCE_BYTES: usize = 128;
pub const NOTE_BYTES: usize = 500;

fn check_whole(reader: &JsonReader<'_>, order: Option<&Order>) {
    for rule in order.map(Order::contradictions).into_iter().flatten() {
        reader.note("", rule);
    }
}

impl Order {
    // A keyed hash of the version, so that nobody can guess the tag of a version that they have not read.
    pub fn etag(&self, secret: &Secret) -> Etag {
        let version = self.version.to_be_bytes();
        Etag::from_bytes(secret.derive("order etag").tag(&[self.id.as_str().as_bytes(), &version]))
    }

    // The database checks the sums again, against changes by hand.
    pub fn contradictions(&self) -> Vec<&'static str> {
        let Amounts { subtotal_minor, discount_minor, tax_minor, total_minor, paid_minor, refunded_minor, due_minor } =
            self.amounts;
        let is_or_was = |state, at: Option<Timestamp>| match at {
            Some(_) => self.state == state || self.state == OrderState::Refunded,
            None => self.state != state,
        };
        let since_placed = |at: Timestamp| self.placed_at.is_none_or(|placed| placed <= at);
        let mut steps_of_the_placed = self.timeline.iter().filter(|step| step.state != OrderState::Draft);
        // All rules are evaluated, not the first that fails: an operator corrects a file in one pass.
        let rules = [
            (
                self.lines.iter().all(|line| line.quantity.checked_mul(line.unit_minor) == Some(line.total_minor)),
                "must have lines whose total_minor is quantity times unit_minor",
            ),
            (
                amounts::sum(self.lines.iter().map(|line| line.total_minor)) == Some(subtotal_minor),
                "must have the sum of its lines as subtotal_minor",
            ),
            (discount_minor <= subtotal_minor, "must not have a discount above its subtotal"),
            (
                total_minor == subtotal_minor - discount_minor + tax_minor,
                "must have subtotal minus discount plus tax as total_minor",
            ),
            (paid_minor <= total_minor, "must not have more paid than its total"),
            (refunded_minor <= paid_minor, "must not have more refunded than was paid"),
            (
                due_minor == self.amounts.due(self.state.is_void()),
                "must have total minus paid as due_minor, or 0 when it is cancelled, expired, failed or refunded",
            ),
            (
                match self.payment.status {
                    PaymentStatus::Unpaid => paid_minor == 0,
                    PaymentStatus::Paid => paid_minor == total_minor,
                    _ => true,
                },
                "must have a payment status that matches its paid_minor",
            ),
            (self.placed_at.is_none() == (self.state == OrderState::Draft), "must have placed_at, except as a draft"),
            (self.placed_at.is_none_or(|at| at <= self.updated_at), "must not be updated before it was placed"),
            (
                paid_minor > 0 || total_minor == 0 || !self.state.is_paid(),
                "must have something paid when it is paid, provisioning or completed",
            ),
            (
                refunded_minor > 0 || paid_minor == 0 || self.state != OrderState::Refunded,
                "must have something refunded when it is refunded",
            ),
            (
                is_or_was(OrderState::Completed, self.completed_at),
                "must have completed_at when it is completed, and otherwise only when it is refunded",
            ),
            (
                is_or_was(OrderState::Cancelled, self.cancelled_at),
                "must have cancelled_at when it is cancelled, and otherwise only when it is refunded",
            ),
            (self.completed_at.is_none_or(since_placed), "must not be completed before it was placed"),
            (self.cancelled_at.is_none_or(since_placed), "must not be cancelled before it was placed"),
            (self.timeline.is_sorted_by_key(|step| step.at), "must have its timeline sorted by time"),
            (
                steps_of_the_placed.all(|step| since_placed(step.at)),
                "must not have a step before it was placed, except a draft's",
            ),
            (
                self.timeline.last().is_none_or(|step| step.at <= self.updated_at),
                "must not be updated before the last step of its timeline",
            ),
            (
                self.timeline.is_sorted_by(|step, next| step.state.followers().contains(&next.state)),
                "must have a timeline in which each state can follow the previous one",
            ),
            (
                self.timeline.last().is_some_and(|step| step.state == self.state),
                "must have its state as the last step of its timeline",
            ),
        ];
        rules.into_iter().filter(|(holds, _)| !holds).map(|(_, rule)| rule).collect()
    }
}
