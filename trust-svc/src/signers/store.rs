//! Where signers rest.

use diesel::prelude::*;
use shared_model::{Failure, Timestamp};
use shared_runtime::Conn;

use super::{KeyId, Policy, PublicKey, Signer};
use crate::schema::signers;

#[derive(Queryable)]
struct Row {
    key_id: KeyId,
    public_key: Vec<u8>,
    kinds: String,
    market_prefixes: String,
    origins: String,
    allow_absent_origin: bool,
    active_from: Timestamp,
    retires_at: Option<Timestamp>,
    revoked_at: Option<Timestamp>,
    created_at: Timestamp,
}

impl Row {
    fn into_signer(self) -> Result<Signer, Failure> {
        let bytes =
            <[u8; 32]>::try_from(self.public_key).map_err(|_| Failure::fault("a stored key is not 32 bytes"))?;
        let public_key =
            PublicKey::from_bytes(&bytes).map_err(|rule| Failure::fault(format!("a stored key {rule}")))?;
        Ok(Signer {
            key_id: self.key_id,
            public_key,
            policy: Policy {
                kinds: serde_json::from_str(&self.kinds)?,
                market_prefixes: serde_json::from_str(&self.market_prefixes)?,
                origins: serde_json::from_str(&self.origins)?,
                allow_absent_origin: self.allow_absent_origin,
            },
            active_from: self.active_from,
            retires_at: self.retires_at,
            revoked_at: self.revoked_at,
            created_at: self.created_at,
        })
    }
}

/// The signer whose key has this id.
pub fn find(conn: &mut Conn, key_id: &KeyId) -> Result<Option<Signer>, Failure> {
    signers::table.find(key_id).first::<Row>(conn).optional()?.map(Row::into_signer).transpose()
}

/// All signers, the latest last.
pub fn all(conn: &mut Conn) -> Result<Vec<Signer>, Failure> {
    let rows = signers::table.order((signers::created_at, signers::key_id)).load::<Row>(conn)?;
    rows.into_iter().map(Row::into_signer).collect()
}

/// Stores a signer of a new key id.
pub fn insert(conn: &mut Conn, signer: &Signer) -> Result<(), Failure> {
    let Signer { key_id, public_key, policy, active_from, retires_at, revoked_at, created_at } = signer;
    diesel::insert_into(signers::table)
        .values((
            signers::key_id.eq(key_id),
            signers::public_key.eq(public_key.as_bytes().to_vec()),
            signers::kinds.eq(serde_json::to_string(&policy.kinds)?),
            signers::market_prefixes.eq(serde_json::to_string(&policy.market_prefixes)?),
            signers::origins.eq(serde_json::to_string(&policy.origins)?),
            signers::allow_absent_origin.eq(policy.allow_absent_origin),
            signers::active_from.eq(active_from),
            signers::retires_at.eq(retires_at),
            signers::revoked_at.eq(revoked_at),
            signers::created_at.eq(created_at),
        ))
        .execute(conn)?;
    Ok(())
}

/// Sets when a signer retires; whether there is such a signer.
pub fn set_retires_at(conn: &mut Conn, key_id: &KeyId, at: Timestamp) -> Result<bool, Failure> {
    let changed = diesel::update(signers::table.find(key_id)).set(signers::retires_at.eq(Some(at))).execute(conn)?;
    Ok(changed == 1)
}

/// Notes since when a signer is revoked; whether there is such a signer that was not revoked before.
pub fn set_revoked_at(conn: &mut Conn, key_id: &KeyId, at: Timestamp) -> Result<bool, Failure> {
    let unrevoked = signers::table.find(key_id).filter(signers::revoked_at.is_null());
    let changed = diesel::update(unrevoked).set(signers::revoked_at.eq(Some(at))).execute(conn)?;
    Ok(changed == 1)
}
