//! The digest of an image: `sha256:` and 64 lowercase hexadecimal digits (OCI image specification).

use std::{fmt, str::FromStr};

use diesel::{
    backend::Backend,
    deserialize::{self, FromSql, FromSqlRow},
    expression::AsExpression,
    serialize::{self, Output, ToSql},
    sql_types::Text,
};
use shared_model::{FromJson, JsonReader};

const ALGORITHM: &str = "sha256:";

/// The digest of an image.
#[derive(Clone, Debug, PartialEq, Eq, Hash, AsExpression, FromSqlRow)]
#[diesel(sql_type = Text)]
pub struct ImageDigest(String);

impl ImageDigest {
    /// `sha256:` and the digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The digits alone.
    pub fn hex(&self) -> &str {
        &self.0[ALGORITHM.len()..]
    }
}

impl FromStr for ImageDigest {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.strip_prefix(ALGORITHM);
        let is_digest = digits.is_some_and(|digits| {
            digits.len() == 64 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        });
        if is_digest { Ok(Self(text.to_owned())) } else { Err("must be sha256: and 64 lowercase hexadecimal digits") }
    }
}

impl fmt::Display for ImageDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromJson for ImageDigest {
    fn from_json(reader: &JsonReader<'_>) -> Option<Self> {
        reader.str()?.parse().map_or_else(|rule: &str| reader.refuse(rule), Some)
    }
}

impl<DB: Backend> ToSql<Text, DB> for ImageDigest
where
    str: ToSql<Text, DB>,
{
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, DB>) -> serialize::Result {
        self.as_str().to_sql(out)
    }
}

impl<DB: Backend> FromSql<Text, DB> for ImageDigest
where
    String: FromSql<Text, DB>,
{
    fn from_sql(bytes: DB::RawValue<'_>) -> deserialize::Result<Self> {
        Ok(String::from_sql(bytes)?.parse()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_has_one_spelling() {
        let digits = "0123456789abcdef".repeat(4);
        let digest: ImageDigest = format!("sha256:{digits}").parse().expect("a digest");
        assert_eq!(digest.hex(), digits);
        for text in [digits.clone(), format!("sha512:{digits}"), format!("sha256:{}", digits.to_uppercase())] {
            assert!(text.parse::<ImageDigest>().is_err(), "{text}");
        }
        assert!(format!("sha256:{digits}0").parse::<ImageDigest>().is_err());
    }
}
