//! The table of signers.

use diesel::prelude::*;
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, PublicKey, http::list::Position, on_each};

use super::{Policy, Signer};
use crate::{model::KeyId, tables::signers};

// The lists of a policy are JSON texts: they are only ever read whole, and SQLite has no arrays.
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

pub fn find(conn: &mut Conn, key_id: &KeyId) -> Result<Option<Signer>, Failure> {
    signers::table.find(key_id).first::<SignerRow>(conn).optional()?.map(Signer::try_from).transpose()
}

pub fn find_all(conn: &mut Conn, key_ids: &[&KeyId]) -> Result<Vec<Signer>, Failure> {
    let rows: Vec<SignerRow> =
        on_each!(conn, |c| signers::table.filter(signers::key_id.eq_any(key_ids.iter().copied())).load(c))?;
    rows.into_iter().map(Signer::try_from).collect()
}

/// Every signer with this key. An older database may have several.
pub(super) fn of_key(conn: &mut Conn, key: PublicKey) -> Result<Vec<Signer>, Failure> {
    let of_key = signers::table.filter(signers::public_key.eq(key)).order(signers::key_id);
    of_key.load::<SignerRow>(conn)?.into_iter().map(Signer::try_from).collect()
}

/// All signers, the latest last.
pub fn all(conn: &mut Conn) -> Result<Vec<Signer>, Failure> {
    let rows = signers::table.order((signers::created_at, signers::key_id)).load::<SignerRow>(conn)?;
    rows.into_iter().map(Signer::try_from).collect()
}

/// At most `limit` signers after a position in the list, the latest first.
pub fn list(conn: &mut Conn, after: &Position<KeyId>, limit: i64) -> Result<Vec<Signer>, Failure> {
    let key_id = after.id.as_ref().map_or("", KeyId::as_str);
    let page = signers::table
        .filter(signers::created_at.le(after.at))
        .filter(signers::created_at.lt(after.at).or(signers::key_id.lt(key_id)))
        .order((signers::created_at.desc(), signers::key_id.desc()))
        .limit(limit);
    page.load::<SignerRow>(conn)?.into_iter().map(Signer::try_from).collect()
}

pub(super) fn insert(conn: &mut Conn, signer: &Signer) -> Result<(), Failure> {
    diesel::insert_into(signers::table).values(SignerRow::try_from(signer)?).execute(conn)?;
    Ok(())
}

pub(super) fn retire(conn: &mut Conn, key_id: &KeyId, at: Timestamp) -> Result<(), Failure> {
    diesel::update(signers::table.find(key_id)).set(signers::retires_at.eq(Some(at))).execute(conn)?;
    Ok(())
}

pub(super) fn revoke(conn: &mut Conn, key_id: &KeyId, now: Timestamp) -> Result<(), Failure> {
    diesel::update(signers::table.find(key_id)).set(signers::revoked_at.eq(Some(now))).execute(conn)?;
    Ok(())
}
