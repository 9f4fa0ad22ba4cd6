//! An attestor: whose signature makes an image good.

use std::{fmt, str::FromStr};

use diesel::{
    Insertable, Queryable,
    backend::Backend,
    deserialize::{self, FromSql, FromSqlRow},
    expression::AsExpression,
    serialize::{self, Output, ToSql},
    sql_types::Text,
};
use shared_model::Timestamp;
use shared_runtime::PublicKey;

use crate::schema::attestors;

/// The id of an attestor's key: 1 to 100 visible ASCII characters.
#[derive(Clone, Debug, PartialEq, Eq, AsExpression, FromSqlRow)]
#[diesel(sql_type = Text)]
pub struct AttestorKeyId(String);

impl FromStr for AttestorKeyId {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_plain = (1..=100).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if is_plain { Ok(Self(text.to_owned())) } else { Err("must be 1 to 100 visible ASCII characters") }
    }
}

impl fmt::Display for AttestorKeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<DB: Backend> ToSql<Text, DB> for AttestorKeyId
where
    str: ToSql<Text, DB>,
{
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, DB>) -> serialize::Result {
        self.0.as_str().to_sql(out)
    }
}

impl<DB: Backend> FromSql<Text, DB> for AttestorKeyId
where
    String: FromSql<Text, DB>,
{
    fn from_sql(bytes: DB::RawValue<'_>) -> deserialize::Result<Self> {
        Ok(String::from_sql(bytes)?.parse()?)
    }
}

/// A person or program that examines images and signs for them.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Insertable)]
#[diesel(table_name = attestors)]
pub struct Attestor {
    /// The id of its key.
    pub key_id: AttestorKeyId,
    /// Its key.
    pub public_key: PublicKey,
    /// When it was registered.
    pub added_at: Timestamp,
    /// When it was revoked: from then on not even what it signed before counts.
    pub revoked_at: Option<Timestamp>,
}

impl Attestor {
    /// Whether its signatures count now.
    pub fn is_active(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none_or(|at| now < at)
    }
}
