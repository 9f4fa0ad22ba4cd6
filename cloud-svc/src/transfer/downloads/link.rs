//! A download link: version, form, expiry and access grant under a MAC of the service. It is not stored.

use std::time::Duration;

use shared_model::{
    Secret, Timestamp,
    signed_token::{Reader, Writer},
};

use super::form::Form;
use crate::base::{
    ids::{FileId, VersionId, WorkspaceId},
    limits::DOWNLOAD_GRANT_SECONDS,
};

/// How long after its creation a link can begin a download.
pub const LIFETIME: Duration = Duration::from_secs(DOWNLOAD_GRANT_SECONDS);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DownloadLink {
    pub owner: WorkspaceId,
    pub file: FileId,
    pub version: VersionId,
    pub form: Form,
    /// When new downloads are refused.
    pub expires_at: Timestamp,
    // A download checks that this grant is not revoked.
    pub access_grant: String,
}

impl DownloadLink {
    pub fn path(&self, secret: &Secret) -> String {
        format!("/v1/downloads/{}", self.sign(secret))
    }

    fn sign(&self, secret: &Secret) -> String {
        let (form, sheet) = self.form.number();
        Writer::default()
            .field(self.owner.number().to_be_bytes())
            .field(self.file.number().to_be_bytes())
            .field(self.version.number().to_be_bytes())
            .field([form])
            .field(sheet.to_be_bytes())
            .field(self.expires_at.micros().to_be_bytes())
            .sign(&self.access_grant, &key(secret))
    }

    /// `None` for a token that is not ours, altered or expired.
    pub fn verify(token: &str, secret: &Secret, now: Timestamp) -> Option<Self> {
        let mut body = Reader::verify(token, &key(secret))?;
        let link = Self {
            owner: WorkspaceId::from_number(i64::from_be_bytes(body.field()?)),
            file: FileId::from_number(i64::from_be_bytes(body.field()?)),
            version: VersionId::from_number(i64::from_be_bytes(body.field()?)),
            form: Form::numbered(u8::from_be_bytes(body.field()?), u16::from_be_bytes(body.field()?))?,
            expires_at: Timestamp::from_micros(i64::from_be_bytes(body.field()?)),
            access_grant: body.text()?,
        };
        (now < link.expires_at).then_some(link)
    }
}

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
        fn links()(owner in 1..i64::MAX, file in 1..i64::MAX, version in 1..i64::MAX, form in 0..5_u8, sheet: u16,
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
        }
    }

    #[test]
    fn the_bytes_of_a_link_stay_the_same() {
        let link = DownloadLink {
            owner: WorkspaceId::from_number(1),
            file: FileId::from_number(2),
            version: VersionId::from_number(3),
            form: Form::numbered(3, 4).expect("a form"),
            expires_at: NOW,
            access_grant: "grant-of-ada".to_owned(),
        };
        // A new release must accept the links that the last one has just made.
        let token = "AAAAAAAAAAEAAAAAAAAAAgAAAAAAAAADAwAEAAZlFyiYgABncmFudC1vZi1hZGGaej4NkdWye2MPmSh1D-Pv";
        assert_eq!(link.sign(&secret()), token);
    }
}
