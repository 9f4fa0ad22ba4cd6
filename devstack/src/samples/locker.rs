//! The catalogue, subscriptions in every state: more than a page of them for the owner, a few for another; an export of
//! each.

use std::time::Duration;

use locker_svc::import;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shared_model::Moment;
use shared_runtime::{
    Desk,
    import::{Tally, whole::BadLine},
};

use super::{exports, made_id};
use crate::{
    client::Client,
    tokens::{LOCKER_OTHER, LOCKER_OWNER},
    trouble::Trouble,
};

/// What there is.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Ids {
    /// A room of the owner's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room_id: Option<String>,
    /// An export of that room, of twenty parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub export_id: Option<String>,
    /// An export of the other owner's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_export_id: Option<String>,
}

/// Imports the same records at every start: what is there already stays as it is.
pub async fn make(desk: &Desk, client: &Client, base_url: &str) -> Result<Ids, Trouble> {
    let mut lines = Vec::new();
    if client.get(&format!("{base_url}/api/v1/catalogue"), None).await?.status != 200 {
        lines.push(json!({"catalogue": sample_catalogue()}));
    }
    lines.extend((0..25).map(|number| subscription(LOCKER_OWNER.subject, number)));
    lines.extend((25..28).map(|number| subscription(LOCKER_OTHER.subject, number)));
    while let Err(bad) = bring_in(desk, &lines).await? {
        for (number, why) in bad.into_iter().rev() {
            // Somebody has changed a sample. It is theirs now.
            tracing::info!(why, "a sample stays as it was changed");
            lines.remove(usize::try_from(number - 1).expect("a few lines"));
        }
    }
    let room = made_id("room", &format!("{} 0", LOCKER_OWNER.subject));
    let other_room = made_id("room", &format!("{} 0", LOCKER_OTHER.subject));
    Ok(Ids {
        export_id: exports::make(desk, &room, 20).await?,
        other_export_id: exports::make(desk, &other_room, 3).await?,
        room_id: Some(room),
    })
}

async fn bring_in(desk: &Desk, lines: &[Value]) -> Result<Result<Tally, Vec<BadLine>>, Trouble> {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    Ok(import::whole(desk).run(desk, text.as_bytes()).await?)
}

fn sample_catalogue() -> Value {
    json!({
        "state": "open",
        "ordering_enabled": true,
        "currency": "GBP",
        "monthly_pence": 2900,
        "setup_pence": 4900,
        "ai_usage_included": false,
        "provider": "Fourfold Local",
        "region": "this-machine",
        "capacity": null,
        "products": [
            {"sku": "room-s", "name": "Small room", "amount_minor": 2900, "available": true, "price_status": "final"},
            {"sku": "room-l", "name": "Large room", "amount_minor": 7900, "available": true, "price_status": "final"},
            {"sku": "room-xl", "name": "Hall", "amount_minor": 19900, "available": false, "price_status": "planned"},
        ],
    })
}

/// Subscriptions a week apart, three of four active.
fn subscription(owner: &str, number: u32) -> Value {
    const WEEK: Duration = Duration::from_secs(7 * 86_400);
    const FIRST: Moment = Moment::from_seconds(1_776_000_000);
    let created_at = FIRST.plus(WEEK * number);
    let period_start = FIRST.plus(WEEK * 28);
    let (state, version) = match number % 8 {
        3 => ("past_due", 4),
        5 => ("cancelled", 5),
        7 => ("incomplete", 1),
        _ => ("active", 2),
    };
    let has_period = matches!(state, "active" | "past_due");
    let (sku, monthly_pence) = if number.is_multiple_of(3) { ("room-l", 7900) } else { ("room-s", 2900) };
    json!({"owner": owner, "subscription": {
        "id": made_id("sub", &format!("{owner} {number}")),
        "room_id": made_id("room", &format!("{owner} {}", number % 5)),
        "state": state,
        "version": version,
        "sku": sku,
        "currency": "GBP",
        "monthly_pence": monthly_pence,
        "setup_pence": 4900,
        "current_period_start": has_period.then_some(period_start),
        "current_period_end": has_period.then_some(period_start.plus(WEEK * 4)),
        "cancelled_at": (state == "cancelled").then_some(created_at.plus(WEEK)),
        "order_id": null,
        "created_at": created_at,
        "updated_at": if state == "incomplete" { created_at } else { created_at.plus(WEEK) },
    }})
}
