//! Changes of signers. Each change is also an entry of the log, so the log proves who could publish at which time.

use std::slice;

use serde_json::{Value, json};
use shared_model::{Error, Failure, Timestamp, code};
use shared_runtime::Conn;
use trust_log::canonical;

use super::{Signer, SignerRecord, store};
use crate::{
    log::{self, Head, Leaf},
    model::KeyId,
};

pub const SCHEMA: &str = "service/signer-change/v1";

/// Registers a signer. Returns `false` if its key id or its key is taken.
pub fn add(conn: &mut Conn, signer: &Signer) -> Result<bool, Failure> {
    // The lock first, as in every transaction that appends. With one order of locks no two of them can wait for each
    // other.
    let head = log::lock_head(conn)?;
    // A revoked key must not come back under another id.
    if store::find(conn, &signer.key_id)?.is_some() || !store::of_key(conn, signer.public_key)?.is_empty() {
        return Ok(false);
    }
    store::insert(conn, signer)?;
    record(conn, &head, "added", slice::from_ref(signer), signer.created_at)?;
    Ok(true)
}

/// Plans the end of a signer at `at`: 422 before its beginning and once it is revoked. Returns `false` if there is no
/// such signer.
pub fn retire(conn: &mut Conn, key_id: &KeyId, at: Timestamp, now: Timestamp) -> Result<bool, Error> {
    let head = log::lock_head(conn)?;
    let Some(signer) = store::find(conn, key_id)? else { return Ok(false) };
    if at < signer.active_from {
        let message = format!("{key_id}: it is active from {} on, and cannot retire before", signer.active_from);
        return Err(code::INVALID_FIELD.because(message).into());
    }
    if signer.revoked_at.is_some() {
        return Err(code::INVALID_FIELD.because(format!("{key_id}: it is revoked, and has ended")).into());
    }
    // A repeated command must not grow the log.
    if signer.retires_at != Some(at) {
        store::retire(conn, key_id, at)?;
        record(conn, &head, "retired", &[Signer { retires_at: Some(at), ..signer }], now)?;
    }
    Ok(true)
}

/// Revokes a signer's key forever. Returns `false` if there is no such signer. A second revocation changes nothing.
pub fn revoke(conn: &mut Conn, key_id: &KeyId, now: Timestamp) -> Result<bool, Failure> {
    let head = log::lock_head(conn)?;
    let Some(signer) = store::find(conn, key_id)? else { return Ok(false) };
    // An older database may have one key under several ids. Its thief can use each of them.
    let mut revoked = store::of_key(conn, signer.public_key)?;
    revoked.retain(|signer| signer.revoked_at.is_none());
    for signer in &mut revoked {
        store::revoke(conn, &signer.key_id, now)?;
        signer.revoked_at = Some(now);
    }
    record(conn, &head, "revoked", &revoked, now)?;
    Ok(true)
}

fn record(conn: &mut Conn, head: &Head, change: &str, signers: &[Signer], now: Timestamp) -> Result<(), Failure> {
    let leaf = |signer: &Signer| {
        let signer = SignerRecord::from(signer.clone());
        let leaf = json!({ "schema": SCHEMA, "change": change, "changed_at": now, "signer": signer });
        let Value::Object(leaf) = leaf else { return Err(Failure::fault("an entry is an object")) };
        Leaf::new(canonical::object_text(&leaf)).map_err(|error| Failure::fault(error.to_string()))
    };
    let leaves = signers.iter().map(leaf).collect::<Result<Vec<_>, _>>()?;
    log::append(conn, head, &leaves.iter().collect::<Vec<_>>())?;
    Ok(())
}
