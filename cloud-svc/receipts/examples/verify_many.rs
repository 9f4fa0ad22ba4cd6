//! Measures how long it takes to verify a chain: `cargo run --release -p cloud-receipts --example verify_many [COUNT]`.

use std::{error::Error, io::Write as _, time::Instant};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use cloud_receipts::{
    HEAD, RECEIPT, chain,
    keys::Keys,
    signer::{Signed, Signer},
};
use ed25519_dalek::SigningKey;
use serde_json::json;

#[expect(clippy::disallowed_methods, reason = "it measures")]
fn main() -> Result<(), Box<dyn Error>> {
    let count: i64 = std::env::args().nth(1).map_or(Ok(10_000), |count| count.parse())?;
    let signer = Signer::new(SigningKey::from_bytes(&[7; 32]));
    let (mut lines, mut last): (Vec<String>, Option<Signed>) = (Vec::new(), None);
    let digits = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
    for sequence in 1..=count {
        // As long as the statements that Cloud signs.
        let statement = json!({
            "type": RECEIPT, "workspace_id": "ws_1", "sequence": sequence, "decision": "applied", "file_id": "file_12",
            "plan_id": "plan_0123456789abcdef0123456789abcdef", "base_version_id": "ver_40", "base_sha256": digits,
            "proposal_sha256": digits, "result_version_id": "ver_41", "result_sha256": digits, "rebased_from": null,
            "author": {"type": "agent", "id": "helper"}, "decided_by": {"type": "user", "id": "ada"},
            "approved_by": {"type": "user", "id": "bob"}, "approved_at": "2026-11-25T09:30:00.000000Z",
            "confirmed_at": null, "proposed_at": "2026-11-25T09:29:00.000000Z",
            "decided_at": "2026-11-25T09:31:00.000000Z", "previous": last.map(|last| last.sha256),
            "key_id": signer.key_id(),
        });
        let signed = signer.sign(&statement);
        lines.push(signed.line());
        last = Some(signed);
    }
    let head = json!({
        "type": HEAD, "workspace_id": "ws_1", "sequence": count, "receipt_sha256": last.map(|last| last.sha256),
        "at": "2026-11-25T09:32:00.000000Z", "key_id": signer.key_id(),
    });
    lines.push(signer.sign(&head).line());
    let keys = json!({"keys": [{"public_key": BASE64_STANDARD.encode(signer.public_key())}]}).to_string();
    let (keys, file) = (Keys::parse(keys.as_bytes())?, lines.join("\n"));
    let start = Instant::now();
    let verified = chain::verify(file.as_bytes(), &keys, &[])?;
    let (took, bytes) = (start.elapsed(), file.len());
    writeln!(std::io::stdout(), "{} receipts, {bytes} bytes: {} ms", verified.receipts, took.as_millis())?;
    Ok(())
}
