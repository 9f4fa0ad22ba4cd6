//! A download link: a signed token that names a part, an expiry and the access grant. Links are not stored.

use std::time::Duration;

use shared_model::{
    Secret, Timestamp,
    signed_token::{Reader, Writer},
};

use super::export::Export;
use crate::ids::{DownloadLinkId, ExportId};

/// A download can start this long after the listing.
pub const LIFETIME: Duration = Duration::from_secs(120);

/// The content of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedLink {
    /// Identifies the link in support requests. It is the `grant_id` of the listing.
    pub id: DownloadLinkId,
    pub export_id: ExportId,
    pub part: i64,
    pub expires_at: Timestamp,
    /// The epoch of the export when the link was made. Revoking the export raises it.
    pub epoch: i64,
    /// The `grant_id` of the access token that requested the link. Revoking that grant makes the link
    /// invalid, but not the presigned link of an S3 store.
    pub access_grant: String,
}

impl SignedLink {
    /// A link to a part that expires after [`LIFETIME`], or with the export.
    pub fn new(id: DownloadLinkId, export: &Export, part: i64, access_grant: &str, now: Timestamp) -> Self {
        Self {
            id,
            export_id: export.id,
            part,
            expires_at: export.expires_at.map_or(now.plus(LIFETIME), |end| end.min(now.plus(LIFETIME))),
            epoch: export.epoch,
            access_grant: access_grant.to_owned(),
        }
    }

    pub fn path(&self, secret: &Secret) -> String {
        format!("/downloads/{}", self.sign(secret))
    }

    pub fn sign(&self, secret: &Secret) -> String {
        Writer::default()
            .field(id_bytes(self.export_id.as_str()))
            .field(u32::try_from(self.part).unwrap_or(u32::MAX).to_be_bytes())
            .field(id_bytes(self.id.as_str()))
            .field(self.expires_at.micros().to_be_bytes())
            .field(self.epoch.to_be_bytes())
            .sign(&self.access_grant, &key(secret))
    }

    /// The link of a token. `None` when the token is altered, expired or not ours.
    pub fn verify(token: &str, secret: &Secret, now: Timestamp) -> Option<Self> {
        let mut body = Reader::verify(token, &key(secret))?;
        // Fields are read in the order in which `sign` writes them.
        let link = Self {
            export_id: ExportId::from_bytes(body.field()?),
            part: u32::from_be_bytes(body.field()?).into(),
            id: DownloadLinkId::from_bytes(body.field()?),
            expires_at: Timestamp::from_micros(i64::from_be_bytes(body.field()?)),
            epoch: i64::from_be_bytes(body.field()?),
            access_grant: body.text()?,
        };
        (now < link.expires_at).then_some(link)
    }
}

fn key(secret: &Secret) -> Secret {
    secret.derive("download grant")
}

/// The 16 bytes of an id.
fn id_bytes(id: &str) -> [u8; 16] {
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
            link in any::<[u8; 16]>(), export in any::<[u8; 16]>(), part in 0..500_i64, epoch in 1..9_i64,
            access_grant in "\\PC{1,40}",
        ) -> SignedLink {
            let (id, export_id) = (DownloadLinkId::from_bytes(link), ExportId::from_bytes(export));
            SignedLink { id, export_id, part, expires_at: NOW.plus(LIFETIME), epoch, access_grant }
        }
    }

    proptest! {
        #[test]
        fn a_signed_link_verifies_until_it_expires(link in links()) {
            let token = link.sign(&secret());
            let last = NOW.plus(LIFETIME).minus(Duration::from_micros(1));
            prop_assert_eq!(SignedLink::verify(&token, &secret(), last), Some(link));
            prop_assert_eq!(SignedLink::verify(&token, &secret(), NOW.plus(LIFETIME)), None);
        }
    }

    #[test]
    fn the_bytes_of_a_link_stay_the_same() {
        let link = SignedLink {
            export_id: ExportId::from_bytes([1; 16]),
            part: 7,
            id: DownloadLinkId::from_bytes([2; 16]),
            expires_at: NOW,
            epoch: 3,
            access_grant: "grant-of-ada".to_owned(),
        };
        // Links outlive a deployment by their lifetime: another layout would break those that were just made.
        let token = "AQEBAQEBAQEBAQEBAQEBAQAAAAcCAgICAgICAgICAgICAgICAAZlFyiYgAAAAAAAAAAAA2dyYW50LW9mLWFkYbvSTuxSQinCo9u6c09iIhU";
        assert_eq!(link.sign(&secret()), token);
    }
}
