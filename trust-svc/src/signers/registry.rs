//! Changes of signers. Each change is also an entry of the log, so the log proves who could publish at which time.

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

/// Registers a signer. Returns `false` if the key id is taken.
pub fn add(conn: &mut Conn, signer: &Signer) -> Result<bool, Failure> {
    // The lock first, as in every transaction that appends: with one order of locks no two of them can wait for each
    // other.
    let head = log::lock_head(conn)?;
    if store::find(conn, &signer.key_id)?.is_some() {
        return Ok(false);
    }
    store::insert(conn, signer)?;
    record(conn, &head, "added", signer.clone(), signer.created_at)?;
    Ok(true)
}

/// Plans the end of a signer at `at`: 422 before its beginning. Returns `false` if there is no such signer.
pub fn retire(conn: &mut Conn, key_id: &KeyId, at: Timestamp, now: Timestamp) -> Result<bool, Error> {
    let head = log::lock_head(conn)?;
    let Some(signer) = store::find(conn, key_id)? else { return Ok(false) };
    if at < signer.active_from {
        let message = format!("{key_id}: it is active from {} on, and cannot retire before", signer.active_from);
        return Err(code::INVALID_FIELD.because(message).into());
    }
    // A repeated command must not grow the log.
    if signer.retires_at != Some(at) {
        store::retire(conn, key_id, at)?;
        record(conn, &head, "retired", Signer { retires_at: Some(at), ..signer }, now)?;
    }
    Ok(true)
}

/// Revokes a signer for ever. Returns `false` if there is no such signer. A second revocation changes nothing.
pub fn revoke(conn: &mut Conn, key_id: &KeyId, now: Timestamp) -> Result<bool, Failure> {
    let head = log::lock_head(conn)?;
    let Some(signer) = store::find(conn, key_id)? else { return Ok(false) };
    if signer.revoked_at.is_none() {
        store::revoke(conn, key_id, now)?;
        record(conn, &head, "revoked", Signer { revoked_at: Some(now), ..signer }, now)?;
    }
    Ok(true)
}

fn record(conn: &mut Conn, head: &Head, change: &str, signer: Signer, now: Timestamp) -> Result<(), Failure> {
    let leaf = json!({ "schema": SCHEMA, "change": change, "changed_at": now, "signer": SignerRecord::from(signer) });
    let Value::Object(leaf) = leaf else { return Err(Failure::fault("an entry is an object")) };
    let leaf = Leaf::new(canonical::object_text(&leaf)).map_err(|error| Failure::fault(error.to_string()))?;
    log::append(conn, head, &[&leaf])?;
    Ok(())
}
