//! Attestors are registered and revoked.

use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, PublicKey};

use super::{
    attestor::{Attestor, AttestorKeyId},
    store,
};

/// Registers an attestor. `false` when the key id has another key, the key another id, or either is revoked.
pub fn add(conn: &mut Conn, key_id: &AttestorKeyId, public_key: PublicKey, now: Timestamp) -> Result<bool, Failure> {
    let attestor = Attestor { key_id: key_id.clone(), public_key, added_at: now, revoked_at: None };
    // Repeating the command is allowed. Another key under the id is not: stored envelopes name the id. Nor is another
    // id for the key: a revoked key would come back.
    let mut known = store::list_attestors(conn)?;
    known.retain(|known| known.key_id == attestor.key_id || known.public_key == public_key);
    if known.is_empty() {
        store::insert_attestor(conn, &attestor)?;
    }
    let is_same = |known: &Attestor| known.key_id == attestor.key_id && known.public_key == public_key;
    Ok(known.iter().all(|known| is_same(known) && known.is_active()))
}

/// Revokes an attestor's key. `false` when no attestor has this id; repeating it changes nothing.
pub fn revoke(conn: &mut Conn, key_id: &AttestorKeyId, now: Timestamp) -> Result<bool, Failure> {
    let Some(attestor) = store::find_attestor(conn, key_id)? else { return Ok(false) };
    store::revoke_key(conn, attestor.public_key, now)?;
    Ok(true)
}
