//! The catalogue, rooms, and subscriptions in every state. One owner has several pages of them, another a few, and both
//! an export.

use std::time::Duration;

use ed25519_dalek::SigningKey;
use locker_svc::{
    attestations::{self, AttestorKeyId, RecordOutcome},
    ids::RoomId,
    image_digest::ImageDigest,
    rooms,
};
use serde_json::{Value, json};
use shared_model::Timestamp;
use shared_runtime::{Context, PublicKey};

use super::{
    exports,
    records::{import, made_id},
};
use crate::{
    client::Client,
    error::StackError,
    model,
    sample_ids::LockerIds,
    tokens::{LOCKER_OTHER, LOCKER_OWNER},
};

/// Imports the same records at every start; existing ones stay as they are. The service reaches the model at `origin`.
pub async fn make(
    context: &Context,
    client: &Client,
    base_url: &str,
    origin: &str,
    attestor: &SigningKey,
) -> Result<LockerIds, StackError> {
    attest(context, attestor).await?;
    let model_url = format!("{origin}/v1");
    let mut lines = Vec::new();
    // A second catalogue would be a new version of the first.
    if client.get(&format!("{base_url}/api/v1/catalogue"), None).await?.status != 200 {
        lines.push(json!({"catalogue": sample_catalogue()}));
    }
    lines.push(room(context, ROOM, Some(&model_url)).await?);
    lines.push(room(context, ROOM_WITHOUT_MODEL, None).await?);
    lines.extend((0..25).map(|number| subscription(LOCKER_OWNER.subject, number)));
    lines.extend((25..28).map(|number| subscription(LOCKER_OTHER.subject, number)));
    import(context, locker_svc::import::importer(context), lines).await?;
    let (room, other_room) = (room_id(LOCKER_OWNER.subject, ROOM), room_id(LOCKER_OTHER.subject, ROOM));
    Ok(LockerIds {
        export_id: exports::make(context, &room, 20).await?,
        other_export_id: exports::make(context, &other_room, 3).await?,
        room_id: Some(room),
        room_without_model_id: Some(room_id(LOCKER_OWNER.subject, ROOM_WITHOUT_MODEL)),
    })
}

const ROOM: u32 = 0;
const ROOM_WITHOUT_MODEL: u32 = 1;

fn room_id(owner: &str, number: u32) -> String {
    made_id("room", &format!("{owner} {number}"))
}

/// The image of the sample rooms.
fn image() -> Result<ImageDigest, StackError> {
    format!("sha256:{}", "4f".repeat(32)).parse().map_err(|why: &str| StackError::new(why))
}

/// Signs an attestation of the sample image with the stack's own attestor.
async fn attest(context: &Context, attestor: &SigningKey) -> Result<(), StackError> {
    let now = context.clock.now();
    let envelope = attestations::sign(&image()?, "urn:fourfold:local-stack", attestor, now);
    let public_key: PublicKey = attestor.verifying_key().try_into().map_err(|why: &str| StackError::new(why))?;
    let key_id: AttestorKeyId = "local-stack".parse().map_err(|why: &str| StackError::new(why))?;
    let attested = context.write(move |conn| {
        attestations::add(conn, &key_id, public_key, now)?;
        Ok(attestations::record(conn, &envelope, now)?)
    });
    if !matches!(attested.await?, RecordOutcome::Stored(..)) {
        tracing::warn!("the sample image is not attested: its attestor is no longer trusted");
    }
    Ok(())
}

// The address of the model contains the port. If it changed, the import needs a higher version to replace the room.
async fn room(context: &Context, number: u32, model_url: Option<&str>) -> Result<Value, StackError> {
    let id = room_id(LOCKER_OWNER.subject, number);
    let sought: RoomId = id.parse().map_err(|_| StackError::new("a sample id is invalid"))?;
    let known = context.read(move |conn| Ok(rooms::find_owned(conn, LOCKER_OWNER.subject, sought)?)).await?;
    let version = match known {
        Some(known) if known.model_base_url.as_deref() != model_url => known.version + 1,
        Some(known) => known.version.max(1),
        None => 1,
    };
    Ok(json!({"owner": LOCKER_OWNER.subject, "room": {
        "id": id,
        "state": "onboarding",
        "version": version,
        "image_digest": image()?.as_str(),
        "model": model_url.map(|url| json!({"base_url": url, "name": model::NAME, "api_key": "sk-local"})),
        "created_at": FIRST,
        "updated_at": FIRST,
    }}))
}

/// Creation time of the oldest sample: fixed, because a restart must import equal records.
const FIRST: Timestamp = Timestamp::from_seconds(1_776_000_000);

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

/// Subscriptions are a week apart; most are active, and each state occurs.
fn subscription(owner: &str, number: u32) -> Value {
    const WEEK: Duration = Duration::from_secs(7 * 86_400);
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
        "room_id": room_id(owner, number % 5),
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
