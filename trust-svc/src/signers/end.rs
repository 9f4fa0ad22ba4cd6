//! The end of a signer: planned (retire) or because its key is lost or stolen (revoke).

use shared_model::{Failure, Timestamp};
use shared_runtime::Conn;

use super::{KeyId, store};

/// From `at` on the signer publishes no more; `false` when there is no such signer.
pub fn retire(conn: &mut Conn, key_id: &KeyId, at: Timestamp) -> Result<bool, Failure> {
    store::set_retires_at(conn, key_id, at)
}

/// From now on the signer publishes no more, for ever; `false` when there is none. Revoking again changes nothing.
pub fn revoke(conn: &mut Conn, key_id: &KeyId, now: Timestamp) -> Result<bool, Failure> {
    Ok(store::set_revoked_at(conn, key_id, now)? || store::find(conn, key_id)?.is_some())
}
