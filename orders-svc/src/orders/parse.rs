//! Orders read from JSON, with every problem at its place; the rules that tie an order together are told at the order.

use shared_model::{Currency, FromJson, Node};
use shared_runtime::import::field::{line, minor, moment, nullable, sku, version};

use super::{Amounts, Line, Order, OrderState, Payment, PaymentStatus, Schema, Step};
use crate::ids::{OrderId, RoomId, SubscriptionId};

/// Bytes of the name of a line at most.
pub const NAME_BYTES: usize = 190;
/// Bytes of a means of payment at most.
pub const METHOD_BYTES: usize = 64;
/// Bytes of a payment's reference at most.
pub const REFERENCE_BYTES: usize = 128;
/// Bytes of a step's note at most.
pub const NOTE_BYTES: usize = 500;
/// Of one thing at most.
pub const QUANTITY_MAX: i64 = 1_000_000;
/// Lines of an order at most.
pub const LINES_MAX: usize = 200;

impl FromJson for Order {
    fn from_json(node: &Node<'_>) -> Option<Self> {
        node.object(|members| {
            let schema = members.required("schema", Schema::from_json);
            let id = members.required("id", OrderId::from_json);
            let number = members.required("number", |node| line(node, 64));
            let state = members.required("state", OrderState::from_json);
            let version = members.required("version", version);
            let currency = members.required("currency", Currency::from_json);
            let amounts = members.required("amounts", Amounts::from_json);
            let lines = members.required("lines", |node| node.array(1..=LINES_MAX, Line::from_json));
            let payment = members.required("payment", Payment::from_json);
            let subscription_id = members.optional("subscription_id", |node| nullable(node, SubscriptionId::from_json));
            let room_id = members.optional("room_id", |node| nullable(node, RoomId::from_json));
            let placed_at = members.optional("placed_at", |node| nullable(node, moment));
            let updated_at = members.required("updated_at", moment);
            let completed_at = members.optional("completed_at", |node| nullable(node, moment));
            let cancelled_at = members.optional("cancelled_at", |node| nullable(node, moment));
            let timeline = members.required("timeline", |node| node.array(1..=100, Step::from_json));
            let read = Self {
                schema: schema?,
                id: id?,
                number: number?,
                state: state?,
                version: version?,
                currency: currency?,
                amounts: amounts?,
                lines: lines?,
                payment: payment?,
                subscription_id: subscription_id?.flatten(),
                room_id: room_id?.flatten(),
                placed_at: placed_at?.flatten(),
                updated_at: updated_at?,
                completed_at: completed_at?.flatten(),
                cancelled_at: cancelled_at?.flatten(),
                timeline: timeline?,
            };
            for rule in read.contradictions() {
                let _: Option<()> = members.refuse(rule);
            }
            Some(read)
        })
    }
}

impl FromJson for Amounts {
    fn from_json(node: &Node<'_>) -> Option<Self> {
        node.object(|members| {
            let subtotal_minor = members.required("subtotal_minor", minor);
            let discount_minor = members.required("discount_minor", minor);
            let tax_minor = members.required("tax_minor", minor);
            let total_minor = members.required("total_minor", minor);
            let paid_minor = members.required("paid_minor", minor);
            let refunded_minor = members.required("refunded_minor", minor);
            let due_minor = members.required("due_minor", minor);
            Some(Self {
                subtotal_minor: subtotal_minor?,
                discount_minor: discount_minor?,
                tax_minor: tax_minor?,
                total_minor: total_minor?,
                paid_minor: paid_minor?,
                refunded_minor: refunded_minor?,
                due_minor: due_minor?,
            })
        })
    }
}

impl FromJson for Line {
    fn from_json(node: &Node<'_>) -> Option<Self> {
        node.object(|members| {
            let id = members.optional("id", |node| line(node, 64));
            let sku = members.required("sku", sku);
            let name = members.required("name", |node| line(node, NAME_BYTES));
            let quantity = members.required("quantity", |node| node.integer(1..=QUANTITY_MAX));
            let unit_minor = members.required("unit_minor", minor);
            let total_minor = members.required("total_minor", minor);
            Some(Self {
                id: id?,
                sku: sku?,
                name: name?,
                quantity: quantity?,
                unit_minor: unit_minor?,
                total_minor: total_minor?,
            })
        })
    }
}

impl FromJson for Payment {
    fn from_json(node: &Node<'_>) -> Option<Self> {
        node.object(|members| {
            let method = members.required("method", |node| line(node, METHOD_BYTES));
            let status = members.required("status", PaymentStatus::from_json);
            let reference = members.optional("reference", |node| line(node, REFERENCE_BYTES));
            Some(Self { method: method?, status: status?, reference: reference? })
        })
    }
}

impl FromJson for Step {
    fn from_json(node: &Node<'_>) -> Option<Self> {
        node.object(|members| {
            let state = members.required("state", OrderState::from_json);
            let at = members.required("at", moment);
            let note = members.optional("note", |node| line(node, NOTE_BYTES));
            Some(Self { state: state?, at: at?, note: note? })
        })
    }
}
