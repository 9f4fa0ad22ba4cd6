//! Attestors: whose signature makes an image good.

use std::{fmt, str::FromStr};

use diesel::{
    backend::Backend,
    deserialize::{self, FromSql, FromSqlRow},
    expression::AsExpression,
    serialize::{self, Output, ToSql},
    sql_types::Text,
};
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, PublicKey};

use super::store;

/// The name of an attestor's key: 1 to 100 visible ASCII characters.
#[derive(Clone, Debug, PartialEq, Eq, AsExpression, FromSqlRow)]
#[diesel(sql_type = Text)]
pub struct KeyId(String);

impl FromStr for KeyId {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_plain = (1..=100).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if is_plain { Ok(Self(text.to_owned())) } else { Err("must be 1 to 100 visible ASCII characters") }
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<DB: Backend> ToSql<Text, DB> for KeyId
where
    str: ToSql<Text, DB>,
{
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, DB>) -> serialize::Result {
        self.0.as_str().to_sql(out)
    }
}

impl<DB: Backend> FromSql<Text, DB> for KeyId
where
    String: FromSql<Text, DB>,
{
    fn from_sql(bytes: DB::RawValue<'_>) -> deserialize::Result<Self> {
        Ok(String::from_sql(bytes)?.parse()?)
    }
}

/// Whoever looks at images and signs for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attestor {
    /// The name of its key.
    pub key_id: KeyId,
    /// Its key, which is not weak.
    pub public_key: PublicKey,
    /// Since when its word counts.
    pub added_at: Timestamp,
    /// Since when it counts no more, that of before included.
    pub revoked_at: Option<Timestamp>,
}

impl Attestor {
    /// Whether its word counts now.
    pub fn is_active(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none_or(|at| now < at)
    }
}

/// Registers an attestor. `false`, and nothing changes, when its key id is taken; by the very same key that is not
/// revoked, it is as good as registered.
pub fn add(conn: &mut Conn, key_id: &KeyId, public_key: PublicKey, now: Timestamp) -> Result<bool, Failure> {
    match store::find_attestor(conn, key_id)? {
        Some(known) => Ok(known.public_key == public_key && known.is_active(now)),
        None => {
            let attestor = Attestor { key_id: key_id.clone(), public_key, added_at: now, revoked_at: None };
            store::insert_attestor(conn, &attestor)?;
            Ok(true)
        }
    }
}

/// From now on nothing that this key has signed counts; `false` when there is no such attestor. Again changes nothing.
pub fn revoke(conn: &mut Conn, key_id: &KeyId, now: Timestamp) -> Result<bool, Failure> {
    Ok(store::set_revoked_at(conn, key_id, now)? || store::find_attestor(conn, key_id)?.is_some())
}
