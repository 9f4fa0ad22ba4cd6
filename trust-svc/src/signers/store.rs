//! The table of signers.

use diesel::prelude::*;
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, PublicKey};

use super::{KeyId, Policy, Signer};
use crate::schema::signers;

#[derive(Queryable, Insertable)]
#[diesel(table_name = signers)]
struct SignerRow {
    key_id: KeyId,
    public_key: PublicKey,
    kinds: String,
    market_prefixes: String,
    origins: String,
    allow_absent_origin: bool,
    active_from: Timestamp,
    retires_at: Option<Timestamp>,
    revoked_at: Option<Timestamp>,
    created_at: Timestamp,
}

impl TryFrom<&Signer> for SignerRow {
    type Error = Failure;

    fn try_from(signer: &Signer) -> Result<Self, Failure> {
        let Signer { key_id, public_key, policy, active_from, retires_at, revoked_at, created_at } = signer.clone();
        Ok(Self {
            key_id,
            public_key,
            kinds: serde_json::to_string(&policy.kinds)?,
            market_prefixes: serde_json::to_string(&policy.market_prefixes)?,
            origins: serde_json::to_string(&policy.origins)?,
            allow_absent_origin: policy.allow_absent_origin,
            active_from,
            retires_at,
            revoked_at,
            created_at,
        })
    }
}

impl TryFrom<SignerRow> for Signer {
    type Error = Failure;

    fn try_from(row: SignerRow) -> Result<Self, Failure> {
        let policy = Policy {
            kinds: serde_json::from_str(&row.kinds)?,
            market_prefixes: serde_json::from_str(&row.market_prefixes)?,
            origins: serde_json::from_str(&row.origins)?,
            allow_absent_origin: row.allow_absent_origin,
        };
        let SignerRow { key_id, public_key, active_from, retires_at, revoked_at, created_at, .. } = row;
        Ok(Self { key_id, public_key, policy, active_from, retires_at, revoked_at, created_at })
    }
}

/// The signer whose key has this id.
pub fn find(conn: &mut Conn, key_id: &KeyId) -> Result<Option<Signer>, Failure> {
    signers::table.find(key_id).first::<SignerRow>(conn).optional()?.map(Signer::try_from).transpose()
}

/// All signers, the latest last.
pub fn all(conn: &mut Conn) -> Result<Vec<Signer>, Failure> {
    let rows = signers::table.order((signers::created_at, signers::key_id)).load::<SignerRow>(conn)?;
    rows.into_iter().map(Signer::try_from).collect()
}

/// Stores a new signer; `false`, and nothing changes, when its key id is taken.
pub fn add(conn: &mut Conn, signer: &Signer) -> Result<bool, Failure> {
    if find(conn, &signer.key_id)?.is_some() {
        return Ok(false);
    }
    diesel::insert_into(signers::table).values(SignerRow::try_from(signer)?).execute(conn)?;
    Ok(true)
}

/// From `at` on the signer publishes no more, as planned; `false` when there is no such signer.
pub fn retire(conn: &mut Conn, key_id: &KeyId, at: Timestamp) -> Result<bool, Failure> {
    let changed = diesel::update(signers::table.find(key_id)).set(signers::retires_at.eq(Some(at))).execute(conn)?;
    Ok(changed == 1)
}

/// The signer publishes no more, for ever: its key is lost or stolen. `false` when there is no such signer; revoking again
/// changes nothing.
pub fn revoke(conn: &mut Conn, key_id: &KeyId, now: Timestamp) -> Result<bool, Failure> {
    let unrevoked = signers::table.find(key_id).filter(signers::revoked_at.is_null());
    let changed = diesel::update(unrevoked).set(signers::revoked_at.eq(Some(now))).execute(conn)?;
    Ok(changed == 1 || find(conn, key_id)?.is_some())
}
