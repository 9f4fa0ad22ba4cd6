//! What a link to a part says: which part, until when, on whose behalf; all of it under the service's own MAC.

use std::{convert::Infallible, str::FromStr, time::Duration};

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use shared_model::{Secret, Timestamp};
use shared_runtime::Context;
use subtle::ConstantTimeEq as _;
use utoipa::{
    PartialSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

use crate::{
    exports::Export,
    ids::{ExportId, GrantId},
};

/// How long a download may be begun (spec: Limits).
pub const LIFETIME: Duration = Duration::from_secs(120);

/// Half of an HMAC-SHA-256: nobody guesses 128 bits within two minutes.
const TAG_BYTES: usize = 16;
/// Export, part, grant, expiry, epoch; the access grant follows.
const FIXED_BYTES: usize = 16 + 4 + 16 + 8 + 8;

/// The right to download one part for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Its own id.
    pub id: GrantId,
    /// The export.
    pub export: ExportId,
    /// The index of the part.
    pub part: i64,
    /// Until when a download can begin.
    pub expires_at: Timestamp,
    /// The epoch of the export in which it was given.
    pub epoch: i64,
    /// The grant of the access token that asked for it; revoked with it.
    pub access: String,
}

/// The text of a link. Whatever it is, only [`Grant::open`] tells whether it is good.
pub struct Token(pub String);

impl FromStr for Token {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}

impl PartialSchema for Token {
    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String).pattern(Some("^[A-Za-z0-9_-]+$"));
        text.examples(["ASNFZ4mrze8BI0VniavN7wAAAAEBI0VniavN7w"]).into()
    }
}

impl Grant {
    /// A fresh grant.
    pub fn new(context: &Context, export: &Export, part: i64, access: &str, now: Timestamp) -> Self {
        Self {
            id: GrantId::from_bytes(context.random.bytes16()),
            export: export.id,
            part,
            expires_at: now.plus(LIFETIME),
            epoch: export.epoch,
            access: access.to_owned(),
        }
    }

    /// Where it is good: the path of its link.
    pub fn path(&self, context: &Context) -> String {
        format!("/downloads/{}", self.seal(&context.secret))
    }

    /// As the text of a link.
    pub fn seal(&self, secret: &Secret) -> String {
        let mut sealed = Vec::with_capacity(FIXED_BYTES + self.access.len() + TAG_BYTES);
        sealed.extend_from_slice(&raw(self.export.as_str()));
        sealed.extend_from_slice(&u32::try_from(self.part).unwrap_or(u32::MAX).to_be_bytes());
        sealed.extend_from_slice(&raw(self.id.as_str()));
        sealed.extend_from_slice(&self.expires_at.micros().to_be_bytes());
        sealed.extend_from_slice(&self.epoch.to_be_bytes());
        sealed.extend_from_slice(self.access.as_bytes());
        let tag = key(secret).tag(&[&sealed]);
        sealed.extend_from_slice(&tag[..TAG_BYTES]);
        BASE64_URL_SAFE_NO_PAD.encode(sealed)
    }

    /// What a link says; `None` when it is not ours, altered, or its time is over.
    pub fn open(text: &str, secret: &Secret, now: Timestamp) -> Option<Self> {
        let sealed = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
        let (body, tag) = sealed.split_last_chunk::<TAG_BYTES>()?;
        if !bool::from(key(secret).tag(&[body])[..TAG_BYTES].ct_eq(tag)) {
            return None;
        }
        let (export, rest) = body.split_first_chunk::<16>()?;
        let (part, rest) = rest.split_first_chunk::<4>()?;
        let (id, rest) = rest.split_first_chunk::<16>()?;
        let (expires_at, rest) = rest.split_first_chunk::<8>()?;
        let (epoch, access) = rest.split_first_chunk::<8>()?;
        let grant = Self {
            id: GrantId::from_bytes(*id),
            export: ExportId::from_bytes(*export),
            part: u32::from_be_bytes(*part).into(),
            expires_at: Timestamp::from_micros(i64::from_be_bytes(*expires_at)),
            epoch: i64::from_be_bytes(*epoch),
            access: String::from_utf8(access.to_vec()).ok()?,
        };
        (now < grant.expires_at).then_some(grant)
    }
}

fn key(secret: &Secret) -> Secret {
    secret.derive("download grant")
}

/// The 16 bytes of an id of ours.
fn raw(id: &str) -> [u8; 16] {
    let mut bytes = [0; 16];
    let digits = id.rsplit_once('_').map_or("", |(_, digits)| digits);
    hex::decode_to_slice(digits, &mut bytes).expect("an id ends in 32 hexadecimal digits");
    bytes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_800_000_000);

    fn secret() -> Secret {
        Secret::from_bytes([9; 32])
    }

    prop_compose! {
        fn grants()(id in any::<[u8; 16]>(), export in any::<[u8; 16]>(), part in 0..500_i64, epoch in 1..9_i64, access in "\\PC{1,40}") -> Grant {
            let (id, export) = (GrantId::from_bytes(id), ExportId::from_bytes(export));
            Grant { id, export, part, expires_at: NOW.plus(LIFETIME), epoch, access }
        }
    }

    proptest! {
        #[test]
        fn what_is_sealed_opens_until_its_time_is_over(grant in grants()) {
            let text = grant.seal(&secret());
            prop_assert!(text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'));
            let last = NOW.plus(LIFETIME).minus(Duration::from_micros(1));
            prop_assert_eq!(Grant::open(&text, &secret(), last), Some(grant));
            prop_assert_eq!(Grant::open(&text, &secret(), NOW.plus(LIFETIME)), None);
            prop_assert_eq!(Grant::open(&text, &Secret::from_bytes([8; 32]), NOW), None);
        }

        #[test]
        fn any_other_text_is_no_grant(grant in grants(), at in any::<prop::sample::Index>(), other in "\\PC") {
            let text = grant.seal(&secret());
            let at = at.index(text.len());
            let altered = format!("{}{other}{}", &text[..at], &text[at + 1..]);
            prop_assert!(altered == text || Grant::open(&altered, &secret(), NOW).is_none());
            prop_assert!(Grant::open(&text[..at], &secret(), NOW).is_none());
        }

        #[test]
        fn arbitrary_text_never_panics(text in "\\PC{0,200}") {
            prop_assert_eq!(Grant::open(&text, &secret(), NOW), None);
        }
    }
}
