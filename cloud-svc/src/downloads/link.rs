//! A download link: which version of which file, in which form and until when, and the access grant that asked for it, under the
//! service's MAC. It is stored nowhere.

use std::time::Duration;

use shared_model::{Secret, Timestamp, signed_token};

use super::form::Form;
use crate::{
    ids::{FileId, VersionId, WorkspaceId},
    limits::DOWNLOAD_GRANT_SECONDS,
};

/// How long after it was made a download can begin.
pub const LIFETIME: Duration = Duration::from_secs(DOWNLOAD_GRANT_SECONDS);

/// What a link says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DownloadLink {
    /// Whose file.
    pub owner: WorkspaceId,
    /// Which.
    pub file: FileId,
    /// Which version.
    pub version: VersionId,
    /// In which form.
    pub form: Form,
    /// Until when a download can begin.
    pub expires_at: Timestamp,
    /// The `grant_id` of the access token that asked for the link: revoking that grant voids the link.
    pub access_grant: String,
}

impl DownloadLink {
    /// The path of the link.
    pub fn path(&self, secret: &Secret) -> String {
        format!("/v1/downloads/{}", self.sign(secret))
    }

    fn sign(&self, secret: &Secret) -> String {
        let (form, sheet) = self.form.number();
        let mut body = Vec::with_capacity(FIXED_BYTES + self.access_grant.len());
        body.extend_from_slice(&self.owner.number().to_be_bytes());
        body.extend_from_slice(&self.file.number().to_be_bytes());
        body.extend_from_slice(&self.version.number().to_be_bytes());
        body.push(form);
        body.extend_from_slice(&sheet.to_be_bytes());
        body.extend_from_slice(&self.expires_at.micros().to_be_bytes());
        body.extend_from_slice(self.access_grant.as_bytes());
        signed_token::sign(body, &key(secret))
    }

    /// The link that a token carries; `None` when the token is not ours, altered or expired.
    pub fn verify(token: &str, secret: &Secret, now: Timestamp) -> Option<Self> {
        let body = signed_token::verify(token, &key(secret))?;
        let (owner, rest) = body.split_first_chunk::<8>()?;
        let (file, rest) = rest.split_first_chunk::<8>()?;
        let (version, rest) = rest.split_first_chunk::<8>()?;
        let (form, rest) = rest.split_first_chunk::<1>()?;
        let (sheet, rest) = rest.split_first_chunk::<2>()?;
        let (expires_at, access_grant) = rest.split_first_chunk::<8>()?;
        let link = Self {
            owner: WorkspaceId::from_number(i64::from_be_bytes(*owner)),
            file: FileId::from_number(i64::from_be_bytes(*file)),
            version: VersionId::from_number(i64::from_be_bytes(*version)),
            form: Form::numbered(form[0], u16::from_be_bytes(*sheet))?,
            expires_at: Timestamp::from_micros(i64::from_be_bytes(*expires_at)),
            access_grant: std::str::from_utf8(access_grant).ok()?.to_owned(),
        };
        (now < link.expires_at).then_some(link)
    }
}

/// Workspace, file, version, form, sheet, expiry; the id of the access grant follows.
const FIXED_BYTES: usize = 8 + 8 + 8 + 1 + 2 + 8;

fn key(secret: &Secret) -> Secret {
    secret.derive("file download")
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
        fn links()(owner in 1..i64::MAX, file in 1..i64::MAX, version in 1..i64::MAX, form in 0..4_u8, sheet: u16,
            access_grant in "\\PC{1,40}") -> DownloadLink
        {
            DownloadLink {
                owner: WorkspaceId::from_number(owner),
                file: FileId::from_number(file),
                version: VersionId::from_number(version),
                form: Form::numbered(form, if form == 3 { sheet } else { 0 }).expect("a form"),
                expires_at: NOW.plus(LIFETIME),
                access_grant,
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_signed_verifies_until_it_expires(link in links()) {
            let token = link.sign(&secret());
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
    }
}
