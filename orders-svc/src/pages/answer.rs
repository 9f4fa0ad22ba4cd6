//! What pages read of the answers of operations.

use serde::Deserialize;
use shared_model::Timestamp;

use crate::orders::{OrderState, PaymentStatus};

#[derive(Deserialize)]
pub struct Answer<T> {
    pub data: T,
    #[serde(default)]
    pub meta: Meta,
}

#[derive(Default, Deserialize)]
pub struct Meta {
    pub next_cursor: Option<String>,
}

// Not the stored order: a page reads what any client of the API gets, and nothing else.
#[derive(Deserialize)]
pub struct Order {
    pub id: String,
    pub number: String,
    pub state: OrderState,
    pub currency: String,
    pub amounts: Amounts,
    pub lines: Vec<Line>,
    pub payment: Payment,
    pub room_id: Option<String>,
    pub subscription_id: Option<String>,
    pub placed_at: Option<Timestamp>,
    pub timeline: Vec<Step>,
}

#[derive(Deserialize)]
pub struct Amounts {
    pub subtotal_minor: i64,
    pub discount_minor: i64,
    pub tax_minor: i64,
    pub total_minor: i64,
    pub paid_minor: i64,
    pub refunded_minor: i64,
    pub due_minor: i64,
}

#[derive(Deserialize)]
pub struct Line {
    pub name: String,
    pub quantity: i64,
    pub unit_minor: i64,
    pub total_minor: i64,
}

#[derive(Deserialize)]
pub struct Payment {
    pub method: String,
    pub status: PaymentStatus,
    pub reference: Option<String>,
}

#[derive(Deserialize)]
pub struct Step {
    pub state: OrderState,
    pub at: Timestamp,
    pub note: Option<String>,
}
