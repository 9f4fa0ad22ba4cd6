//! `locker-svc attestor add` and `revoke`.

use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, PublicKey};

use super::{
    attestor::{Attestor, AttestorKeyId},
    store,
};

/// Registers an attestor. `false` when its key id is taken by another key or a revoked one; the very same key again is
/// no change.
pub fn add(conn: &mut Conn, key_id: &AttestorKeyId, public_key: PublicKey, now: Timestamp) -> Result<bool, Failure> {
    if let Some(known) = store::find_attestor(conn, key_id)? {
        return Ok(known.public_key == public_key && known.is_active(now));
    }
    let attestor = Attestor { key_id: key_id.clone(), public_key, added_at: now, revoked_at: None };
    store::insert_attestor(conn, &attestor)?;
    Ok(true)
}

/// Revokes an attestor: from now on nothing that its key has signed counts. `false` when there is no such attestor; again
/// is no change.
pub fn revoke(conn: &mut Conn, key_id: &AttestorKeyId, now: Timestamp) -> Result<bool, Failure> {
    Ok(store::set_revoked_at(conn, key_id, now)? || store::find_attestor(conn, key_id)?.is_some())
}
