//! Orders that the tests import.

use orders_svc::{orders::importer, service};
use serde_json::{Value, json};
use shared_runtime::import::{Mode, Tally};
use shared_testing::Stage;

/// The path of the orders.
pub const PREFIX: &str = "/wp-json/service-net/v1/orders";

/// The URL of order `number`.
pub fn path(number: u32) -> String {
    format!("{PREFIX}/{}", id(number))
}

/// The id of order `number`.
pub fn id(number: u32) -> String {
    format!("ord_{number:032x}")
}

/// An import line: order `number` of `owner`, paid and in provisioning.
pub fn order(owner: &str, number: u32) -> Value {
    json!({"owner": owner, "order": {
        "schema": "service/order/v1", "id": id(number), "number": format!("FF-{number}"), "state": "provisioning",
        "version": 3, "currency": "GBP",
        "amounts": {"subtotal_minor": 5900, "discount_minor": 500, "tax_minor": 1080, "total_minor": 6480,
                    "paid_minor": 6480, "refunded_minor": 0, "due_minor": 0},
        "lines": [
            {"id": "1", "sku": "room-s", "name": "Small room", "quantity": 2, "unit_minor": 2500, "total_minor": 5000},
            {"sku": "setup", "name": "Setting up", "quantity": 1, "unit_minor": 900, "total_minor": 900},
        ],
        "payment": {"method": "card", "status": "paid", "reference": "pi_1"},
        "subscription_id": format!("sub_{number:032x}"), "room_id": format!("room_{number:032x}"),
        "placed_at": "2026-11-01T09:00:00Z", "updated_at": "2026-11-01T09:05:00Z",
        "timeline": [
            {"state": "placed", "at": "2026-11-01T09:00:00Z"},
            {"state": "awaiting_payment", "at": "2026-11-01T09:00:00Z"},
            {"state": "paid", "at": "2026-11-01T09:04:00Z"},
            {"state": "provisioning", "at": "2026-11-01T09:05:00Z"},
        ],
    }})
}

/// An import line: a draft of `owner`.
pub fn draft(owner: &str, number: u32) -> Value {
    let mut line = order(owner, number);
    line["order"]["state"] = json!("draft");
    line["order"]["placed_at"] = Value::Null;
    line["order"]["timeline"] = json!([{"state": "draft", "at": "2026-11-01T09:00:00Z"}]);
    line
}

/// The body of a create.
pub fn wanted() -> Value {
    json!({
        "lines": [
            {"sku": "room-s", "name": "Small room", "quantity": 2, "unit_minor": 2500},
            {"sku": "setup", "name": "Setting up", "quantity": 1, "unit_minor": 900},
        ],
        "discount_minor": 500, "tax_minor": 1080, "payment_method": "card", "room_id": format!("room_{:032x}", 1),
    })
}

/// A stage with these lines imported.
pub async fn stage_with(lines: &[Value]) -> Stage {
    let stage = Stage::of(service()).await;
    let (_, bad) = import(&stage, lines).await;
    assert_eq!(bad, []);
    stage
}

/// Imports these lines; returns the tally and the bad lines.
pub async fn import(stage: &Stage, lines: &[Value]) -> (Tally, Vec<(u64, String)>) {
    let text: Vec<_> = lines.iter().map(Value::to_string).collect();
    importer().run_text(&stage.context, text.join("\n"), Mode::EachBatch).await.expect("the import runs")
}
