//! Three orders: the owner's, another owner's, and a draft, which callers cannot see.

use std::time::Duration;

use serde_json::{Value, json};
use shared_model::Timestamp;
use shared_runtime::Context;

use super::records::{import, made_id};
use crate::{
    error::StackError,
    sample_ids::OrdersIds,
    tokens::{ORDERS_OTHER, ORDERS_OWNER},
};

/// Imports the same orders at every start; existing ones stay as they are.
pub async fn make(context: &Context) -> Result<OrdersIds, StackError> {
    let orders = [
        order(ORDERS_OWNER.subject, "FF-1001", &["placed", "awaiting_payment", "paid", "provisioning", "completed"]),
        order(ORDERS_OTHER.subject, "FF-1002", &["placed", "awaiting_payment"]),
        order(ORDERS_OWNER.subject, "FF-1003", &["draft"]),
    ];
    let [own, other, draft] = orders.each_ref().map(|line| line["order"]["id"].as_str().map(str::to_owned));
    import(context, orders_svc::orders::importer(), orders).await?;
    Ok(OrdersIds { order_id: own, other_order_id: other, draft_order_id: draft })
}

/// An order that went through these states, five minutes apart.
fn order(owner: &str, number: &str, states: &[&str]) -> Value {
    const FIRST: Timestamp = Timestamp::from_seconds(1_776_000_000);
    const STEP: Duration = Duration::from_secs(300);
    let timeline: Vec<_> =
        (0..).zip(states).map(|(step, state)| json!({"state": state, "at": FIRST.plus(STEP * step)})).collect();
    let at = |state: &str| timeline.iter().find(|step| step["state"] == state).map(|step| &step["at"]);
    let last = timeline.last().map(|step| &step["at"]);
    let is_completed = at("completed").is_some();
    let total = 7800;
    let paid = if at("paid").is_some() { total } else { 0 };
    json!({"owner": owner, "order": {
        "schema": "service/order/v1",
        "id": made_id("ord", number),
        "number": number,
        "state": states.last(),
        "version": states.len(),
        "currency": "GBP",
        "amounts": {
            "subtotal_minor": 7800, "discount_minor": 1300, "tax_minor": 1300, "total_minor": total,
            "paid_minor": paid, "refunded_minor": 0, "due_minor": total - paid,
        },
        "lines": [
            {"sku": "room-s", "name": "Small room, one month", "quantity": 1, "unit_minor": 2900, "total_minor": 2900},
            {"sku": "setup", "name": "Setting up", "quantity": 1, "unit_minor": 4900, "total_minor": 4900},
        ],
        "payment": {"method": "card", "status": if paid == total { "paid" } else { "unpaid" }},
        "subscription_id": is_completed.then(|| made_id("sub", "owner 0")),
        "room_id": is_completed.then(|| made_id("room", "owner 0")),
        "placed_at": at("placed"),
        "updated_at": last,
        "completed_at": at("completed"),
        "cancelled_at": null,
        "timeline": timeline,
    }})
}
