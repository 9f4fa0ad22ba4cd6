//! Orders read from JSON, with every problem at its place; the rules that tie an order together are told at the order.

use shared_model::{
    Currency, FromJson, JsonReader,
    fields::{line, minor, nullable, sku, timestamp, version},
};

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
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        reader.object(|object| {
            let schema = object.required("schema", Schema::from_json);
            let id = object.required("id", OrderId::from_json);
            let number = object.required("number", |reader| line(reader, 64));
            let state = object.required("state", OrderState::from_json);
            let version = object.required("version", version);
            let currency = object.required("currency", Currency::from_json);
            let amounts = object.required("amounts", Amounts::from_json);
            let lines = object.required("lines", |reader| reader.array(1..=LINES_MAX, Line::from_json));
            let payment = object.required("payment", Payment::from_json);
            let subscription_id =
                object.optional("subscription_id", |reader| nullable(reader, SubscriptionId::from_json));
            let room_id = object.optional("room_id", |reader| nullable(reader, RoomId::from_json));
            let placed_at = object.optional("placed_at", |reader| nullable(reader, timestamp));
            let updated_at = object.required("updated_at", timestamp);
            let completed_at = object.optional("completed_at", |reader| nullable(reader, timestamp));
            let cancelled_at = object.optional("cancelled_at", |reader| nullable(reader, timestamp));
            let timeline = object.required("timeline", |reader| reader.array(1..=100, Step::from_json));
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
                let _: Option<()> = object.refuse(rule);
            }
            Some(read)
        })
    }
}

impl FromJson for Amounts {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        reader.object(|object| {
            let subtotal_minor = object.required("subtotal_minor", minor);
            let discount_minor = object.required("discount_minor", minor);
            let tax_minor = object.required("tax_minor", minor);
            let total_minor = object.required("total_minor", minor);
            let paid_minor = object.required("paid_minor", minor);
            let refunded_minor = object.required("refunded_minor", minor);
            let due_minor = object.required("due_minor", minor);
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
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        reader.object(|object| {
            let id = object.optional("id", |reader| line(reader, 64));
            let sku = object.required("sku", sku);
            let name = object.required("name", |reader| line(reader, NAME_BYTES));
            let quantity = object.required("quantity", |reader| reader.integer(1..=QUANTITY_MAX));
            let unit_minor = object.required("unit_minor", minor);
            let total_minor = object.required("total_minor", minor);
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
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        reader.object(|object| {
            let method = object.required("method", |reader| line(reader, METHOD_BYTES));
            let status = object.required("status", PaymentStatus::from_json);
            let reference = object.optional("reference", |reader| line(reader, REFERENCE_BYTES));
            Some(Self { method: method?, status: status?, reference: reference? })
        })
    }
}

impl FromJson for Step {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        reader.object(|object| {
            let state = object.required("state", OrderState::from_json);
            let at = object.required("at", timestamp);
            let note = object.optional("note", |reader| line(reader, NOTE_BYTES));
            Some(Self { state: state?, at: at?, note: note? })
        })
    }
}
