//! Whether a stored attestation of an image is valid now.

use shared_model::Failure;
use shared_runtime::Conn;

use super::{
    attestor::Attestor,
    statement::{PAYLOAD_TYPE, Statement},
    store,
};
use crate::{
    dsse::{self, DsseEnvelope},
    image_digest::ImageDigest,
};

/// Whether an unrevoked attestor has signed for this image.
pub fn is_attested(conn: &mut Conn, image: &ImageDigest) -> Result<bool, Failure> {
    for (attestor, envelope) in store::list_for_image(conn, image)? {
        if attestor.is_active() && attestor.attests(&envelope, image) {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Attestor {
    /// The payload of an envelope, if this attestor has signed it.
    pub fn verify<'a>(&self, envelope: &'a DsseEnvelope) -> Option<&'a [u8]> {
        dsse::verify(envelope, PAYLOAD_TYPE, self.public_key.verifying_key())
    }

    fn attests(&self, envelope: &str, image: &ImageDigest) -> bool {
        let envelope = DsseEnvelope::parse(envelope.as_bytes()).ok();
        let statement = envelope.as_ref().and_then(|envelope| Statement::parse(self.verify(envelope)?).ok());
        let attests = statement.is_some_and(|statement| statement.images.contains(image));
        // It was verified when it was stored, so a failure means that somebody changed the database.
        if !attests {
            tracing::error!(%image, key_id = %self.key_id, "a stored attestation does not verify");
        }
        attests
    }
}
