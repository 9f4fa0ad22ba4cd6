//! Changes of the registry of signers. Each is a leaf of the log too: who may publish, and since when, is proven like what
//! was published. The leaf is in the transaction of the change.

use serde_json::{Value, json};
use shared_model::{Failure, Timestamp};
use shared_runtime::Conn;

use super::{KeyId, Signer, shown::ShownSigner, store};
use crate::{
    canonical,
    log::{self, Head, Leaf},
};

/// The schema of these leaves.
pub const SCHEMA: &str = "service/signer-change/v1";

/// Registers a signer; `false`, and nothing changes, when its key id is taken.
pub fn add(conn: &mut Conn, signer: &Signer) -> Result<bool, Failure> {
    let head = log::take_turn(conn)?;
    if store::find(conn, &signer.key_id)?.is_some() {
        return Ok(false);
    }
    store::insert(conn, signer)?;
    record(conn, &head, "added", signer.clone(), signer.created_at)?;
    Ok(true)
}

/// From `at` on the signer publishes no more, as planned; `false` when there is no such signer.
pub fn retire(conn: &mut Conn, key_id: &KeyId, at: Timestamp, now: Timestamp) -> Result<bool, Failure> {
    let head = log::take_turn(conn)?;
    let Some(signer) = store::find(conn, key_id)? else { return Ok(false) };
    if signer.retires_at != Some(at) {
        store::retire(conn, key_id, at)?;
        record(conn, &head, "retired", Signer { retires_at: Some(at), ..signer }, now)?;
    }
    Ok(true)
}

/// The signer publishes no more, for ever: its key is lost or stolen. `false` when there is no such signer; revoking again
/// changes nothing.
pub fn revoke(conn: &mut Conn, key_id: &KeyId, now: Timestamp) -> Result<bool, Failure> {
    let head = log::take_turn(conn)?;
    let Some(signer) = store::find(conn, key_id)? else { return Ok(false) };
    if signer.revoked_at.is_none() {
        store::revoke(conn, key_id, now)?;
        record(conn, &head, "revoked", Signer { revoked_at: Some(now), ..signer }, now)?;
    }
    Ok(true)
}

/// Appends the leaf: what has happened, when, and the signer after it.
fn record(conn: &mut Conn, head: &Head, change: &str, signer: Signer, now: Timestamp) -> Result<(), Failure> {
    let leaf = json!({ "schema": SCHEMA, "change": change, "changed_at": now, "signer": ShownSigner::from(signer) });
    let Value::Object(leaf) = leaf else { return Err(Failure::fault("a leaf is an object")) };
    let leaf = Leaf::new(canonical::text(&leaf)).map_err(|error| Failure::fault(error.to_string()))?;
    log::append(conn, head, &[&leaf])?;
    Ok(())
}
