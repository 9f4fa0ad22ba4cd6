//! Attestors are registered and revoked.

use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, PublicKey};

use super::{
    attestor::{Attestor, AttestorKeyId},
    store,
};

/// Registers an attestor. `false` when another key, or a revoked one, has this key id.
pub fn add(conn: &mut Conn, key_id: &AttestorKeyId, public_key: PublicKey, now: Timestamp) -> Result<bool, Failure> {
    // Repeating the command is allowed. Replacing a key under the same id is not: stored envelopes name the id.
    if let Some(known) = store::find_attestor(conn, key_id)? {
        return Ok(known.public_key == public_key && known.is_active(now));
    }
    let attestor = Attestor { key_id: key_id.clone(), public_key, added_at: now, revoked_at: None };
    store::insert_attestor(conn, &attestor)?;
    Ok(true)
}

/// Revokes an attestor. `false` when no attestor has this id; repeating it changes nothing.
pub fn revoke(conn: &mut Conn, key_id: &AttestorKeyId, now: Timestamp) -> Result<bool, Failure> {
    Ok(store::set_revoked_at(conn, key_id, now)? || store::find_attestor(conn, key_id)?.is_some())
}
