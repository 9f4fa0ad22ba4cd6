//! What the tests import.

use ed25519_dalek::SigningKey;
use locker_svc::{
    attestations::{self, RecordOutcome},
    import,
};
use serde_json::{Value, json};
use shared_runtime::{
    Clock, PublicKey,
    import::{BadLine, Mode, Tally},
};
use shared_testing::{ServiceProcess, Stage};

/// An id of this kind with this number.
pub fn id(prefix: &str, number: u32) -> String {
    format!("{prefix}_{number:032x}")
}

/// A line of the import: subscription `number` of `owner`, begun `seconds` after the first.
pub fn subscription(owner: &str, number: u32, seconds: u32) -> Value {
    let began = format!("2026-10-01T00:00:{seconds:02}Z");
    json!({"owner": owner, "subscription": {
        "id": id("sub", number), "room_id": id("room", number), "state": "active", "version": 2, "sku": "room-s",
        "currency": "GBP", "monthly_pence": 2500, "setup_pence": 900, "order_id": id("ord", number),
        "current_period_start": "2026-11-01T00:00:00Z", "current_period_end": "2026-12-01T00:00:00Z",
        "created_at": began, "updated_at": "2026-11-01T00:00:00Z",
    }})
}

/// The digest of the image that the sample rooms are pinned to.
pub fn digest() -> String {
    format!("sha256:{}", "a".repeat(64))
}

/// A line of the import: room `number` of `owner` in this version, in use, with a model at this URL.
pub fn room(owner: &str, number: u32, version: u32, model_url: &str) -> Value {
    json!({"owner": owner, "room": {
        "id": id("room", number), "state": "active", "version": version, "image_digest": digest(),
        "model": {"base_url": model_url, "name": "small", "api_key": "sk-a-very-secret-key"},
        "created_at": "2026-10-01T00:00:00Z", "updated_at": "2026-11-01T00:00:00Z",
    }})
}

/// A line of the import: this catalogue.
pub fn catalogue_line(catalogue: &Value) -> Value {
    json!({"catalogue": catalogue})
}

/// A catalogue that sells one room.
pub fn catalogue() -> Value {
    json!({
        "state": "limited", "ordering_enabled": true, "currency": "GBP", "monthly_pence": 2500, "setup_pence": 900,
        "provider": "Example Hosting", "region": "eu-west", "capacity": 12,
        "products": [
            {"sku": "room-s", "name": "Small room", "amount_minor": 2500, "available": true, "price_status": "planned"},
            {"sku": "room-l", "name": "Large room", "amount_minor": 9900, "available": false},
        ],
    })
}

/// Imports these lines as a whole; the bad ones, because of which nothing is imported.
pub async fn import(stage: &Stage, lines: &[Value]) -> Result<Tally, Vec<BadLine>> {
    let text: Vec<_> = lines.iter().map(Value::to_string).collect();
    import_text(stage, &text.join("\n")).await
}

/// Imports this text.
pub async fn import_text(stage: &Stage, text: &str) -> Result<Tally, Vec<BadLine>> {
    let imported = import::importer(&stage.context).run_text(&stage.context, text, Mode::AllOrNothing).await;
    let (tally, bad) = imported.expect("the import runs");
    if bad.is_empty() { Ok(tally) } else { Err(bad) }
}

/// Whose word the sample image has.
fn attestor() -> SigningKey {
    SigningKey::from_bytes(&[7; 32])
}

/// Has the sample image attested.
pub async fn attest(stage: &Stage) {
    let now = stage.now();
    let envelope = attestations::sign(&digest().parse().expect("a digest"), "urn:test", &attestor(), now);
    let public: PublicKey = attestor().verifying_key().try_into().expect("a strong key");
    let attested = stage.context.write(move |conn| {
        assert!(attestations::add(conn, &"build".parse().expect("a key id"), public, now)?);
        Ok(attestations::record(conn, &envelope, now)?)
    });
    let recorded = attested.await.expect("the database answers");
    assert!(matches!(recorded, RecordOutcome::Stored(..)), "{recorded:?}");
}

/// The same, as an operator does it.
pub fn attest_by_command(child: &ServiceProcess) {
    let image = digest().parse().expect("a digest");
    let envelope = attestations::sign(&image, "urn:test", &attestor(), Clock::System.now());
    let file = child.folder().join("attestation.json");
    std::fs::write(&file, envelope.to_json()).expect("the file is written");
    let public: PublicKey = attestor().verifying_key().try_into().expect("a strong key");
    succeed(child, &["attestor", "add", "--key-id", "build", "--public-key", &public.to_string()]);
    succeed(child, &["attestation", "record", &file.display().to_string()]);
}

/// Runs a command of the service beside it, which must succeed.
pub fn succeed(child: &ServiceProcess, arguments: &[&str]) {
    let output = child.command(arguments).output().expect("the command runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}
