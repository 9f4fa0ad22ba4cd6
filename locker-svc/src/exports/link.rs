//! A download link: which part it is for, until when, and the access grant that asked for it, under the service's MAC.
//! It is stored nowhere.

use std::time::Duration;

use shared_model::{Secret, Timestamp, signed_token};

use super::export::Export;
use crate::ids::{DownloadGrantId, ExportId};

/// How long after the listing a download can begin (spec: Limits).
pub const LIFETIME: Duration = Duration::from_secs(120);

/// Export, part, grant id, expiry, epoch; the id of the access grant follows.
const FIXED_BYTES: usize = 16 + 4 + 16 + 8 + 8;

/// What a link says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DownloadLink {
    /// Identifies the link in listings, for support.
    pub grant_id: DownloadGrantId,
    /// The export.
    pub export_id: ExportId,
    /// The index of the part.
    pub part: i64,
    /// Until when a download can begin.
    pub expires_at: Timestamp,
    /// The epoch of the export when the link was made: revoking the export raises it.
    pub epoch: i64,
    /// The `grant_id` of the access token that asked for the link: revoking that grant voids the link.
    pub access_grant: String,
}

impl DownloadLink {
    /// A link to a part, for [`LIFETIME`] from now on.
    pub fn new(grant_id: DownloadGrantId, export: &Export, part: i64, access_grant: &str, now: Timestamp) -> Self {
        Self {
            grant_id,
            export_id: export.id,
            part,
            expires_at: now.plus(LIFETIME),
            epoch: export.epoch,
            access_grant: access_grant.to_owned(),
        }
    }

    /// The path of the link.
    pub fn path(&self, secret: &Secret) -> String {
        format!("/downloads/{}", self.sign(secret))
    }

    /// The token that carries it.
    pub fn sign(&self, secret: &Secret) -> String {
        let mut body = Vec::with_capacity(FIXED_BYTES + self.access_grant.len());
        body.extend_from_slice(&raw(self.export_id.as_str()));
        body.extend_from_slice(&u32::try_from(self.part).unwrap_or(u32::MAX).to_be_bytes());
        body.extend_from_slice(&raw(self.grant_id.as_str()));
        body.extend_from_slice(&self.expires_at.micros().to_be_bytes());
        body.extend_from_slice(&self.epoch.to_be_bytes());
        body.extend_from_slice(self.access_grant.as_bytes());
        signed_token::sign(body, &key(secret))
    }

    /// The link that a token carries; `None` when the token is not ours, altered or expired.
    pub fn verify(token: &str, secret: &Secret, now: Timestamp) -> Option<Self> {
        let body = signed_token::verify(token, &key(secret))?;
        let (export, rest) = body.split_first_chunk::<16>()?;
        let (part, rest) = rest.split_first_chunk::<4>()?;
        let (grant_id, rest) = rest.split_first_chunk::<16>()?;
        let (expires_at, rest) = rest.split_first_chunk::<8>()?;
        let (epoch, access_grant) = rest.split_first_chunk::<8>()?;
        let link = Self {
            grant_id: DownloadGrantId::from_bytes(*grant_id),
            export_id: ExportId::from_bytes(*export),
            part: u32::from_be_bytes(*part).into(),
            expires_at: Timestamp::from_micros(i64::from_be_bytes(*expires_at)),
            epoch: i64::from_be_bytes(*epoch),
            access_grant: std::str::from_utf8(access_grant).ok()?.to_owned(),
        };
        (now < link.expires_at).then_some(link)
    }
}

fn key(secret: &Secret) -> Secret {
    secret.derive("download grant")
}

/// The 16 bytes of an id.
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
        fn links()(
            grant in any::<[u8; 16]>(), export in any::<[u8; 16]>(), part in 0..500_i64, epoch in 1..9_i64,
            access_grant in "\\PC{1,40}",
        ) -> DownloadLink {
            let (grant_id, export_id) = (DownloadGrantId::from_bytes(grant), ExportId::from_bytes(export));
            DownloadLink { grant_id, export_id, part, expires_at: NOW.plus(LIFETIME), epoch, access_grant }
        }
    }

    proptest! {
        #[test]
        fn what_is_signed_verifies_until_it_expires(link in links()) {
            let token = link.sign(&secret());
            prop_assert!(token.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'));
            let last = NOW.plus(LIFETIME).minus(Duration::from_micros(1));
            prop_assert_eq!(DownloadLink::verify(&token, &secret(), last), Some(link));
            prop_assert_eq!(DownloadLink::verify(&token, &secret(), NOW.plus(LIFETIME)), None);
            prop_assert_eq!(DownloadLink::verify(&token, &Secret::from_bytes([8; 32]), NOW), None);
        }

        #[test]
        fn any_other_text_is_no_link(link in links(), at in any::<prop::sample::Index>(), other in "\\PC") {
            let token = link.sign(&secret());
            let at = at.index(token.len());
            let altered = format!("{}{other}{}", &token[..at], &token[at + 1..]);
            prop_assert!(altered == token || DownloadLink::verify(&altered, &secret(), NOW).is_none());
            prop_assert!(DownloadLink::verify(&token[..at], &secret(), NOW).is_none());
        }

        #[test]
        fn arbitrary_text_never_panics(text in "\\PC{0,200}") {
            prop_assert_eq!(DownloadLink::verify(&text, &secret(), NOW), None);
        }
    }
}
