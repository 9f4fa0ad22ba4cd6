//! Sizes, indexes and hashes of the log as columns and in JSON.

use std::{fmt, str::FromStr};

use diesel::{
    backend::Backend,
    deserialize::{self, FromSql, FromSqlRow},
    expression::AsExpression,
    serialize::{self, Output, ToSql},
    sql_types::Binary,
};
use serde::{Serialize, Serializer};
use shared_model::Failure;
use trust_log::merkle::{Hash, hash::RULE};

/// SQL has no unsigned 64-bit column. [`trust_log::merkle::MAX_SIZE`] keeps every size of a log within a signed one.
pub fn to_column(number: u64) -> Result<i64, Failure> {
    i64::try_from(number).map_err(|_| Failure::fault(format!("a log has no number {number}")))
}

pub fn from_column(column: i64) -> Result<u64, Failure> {
    u64::try_from(column).map_err(|_| Failure::fault(format!("a log has no number {column}")))
}

/// A hash of the log: 32 bytes in a column, padded base64 in JSON.
// `Hash` belongs to trust-log, which knows neither diesel nor OpenAPI.
#[derive(Clone, Copy, PartialEq, Eq, AsExpression, FromSqlRow)]
#[diesel(sql_type = Binary)]
pub struct TreeHash(pub Hash);

impl FromStr for TreeHash {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

impl fmt::Display for TreeHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for TreeHash {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

shared_model::text_in_json!(
    TreeHash,
    ["A SHA-256 hash of the log's Merkle tree (RFC 6962), in padded base64."],
    pattern = "^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$",
    example = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    rule = RULE
);

impl<DB: Backend> ToSql<Binary, DB> for TreeHash
where
    [u8]: ToSql<Binary, DB>,
{
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, DB>) -> serialize::Result {
        self.0.as_bytes().as_slice().to_sql(out)
    }
}

impl<DB: Backend> FromSql<Binary, DB> for TreeHash
where
    Vec<u8>: FromSql<Binary, DB>,
{
    fn from_sql(bytes: DB::RawValue<'_>) -> deserialize::Result<Self> {
        let bytes = <[u8; 32]>::try_from(Vec::from_sql(bytes)?);
        let bytes = bytes.map_err(|bytes| format!("a stored hash must be 32 bytes, has {}", bytes.len()))?;
        Ok(Self(Hash::from_bytes(bytes)))
    }
}
