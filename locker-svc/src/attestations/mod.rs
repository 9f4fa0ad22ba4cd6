//! Which images may be used: those that an attestor has signed for.
//!
//! An attestation is an in-toto statement about images, in a signed envelope. What is stored is verified again each time
//! it counts, so that neither a changed row nor a revoked attestor makes an image good.

mod attestor;
mod statement;
mod store;

use shared_model::{Failure, Problem, Timestamp};
use shared_runtime::Conn;

use crate::{
    dsse::{self, Envelope},
    image_digest::ImageDigest,
};

pub use attestor::{Attestor, KeyId, add, revoke};
pub use statement::{PAYLOAD_TYPE, Statement, sign};
pub use store::attestors;

/// What became of an envelope that an operator wants recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// It speaks for these images, by the word of these attestors.
    For(Vec<ImageDigest>, Vec<KeyId>),
    /// No attestor that is registered and not revoked has signed it.
    ByNobody,
    /// It is signed, but says nothing that counts.
    Unusable(Vec<Problem>),
}

/// Records an attestation by every attestor who signed it, for every image that it is about.
pub fn record(conn: &mut Conn, envelope: &Envelope, now: Timestamp) -> Result<Recorded, Failure> {
    let attestors = store::attestors(conn)?.into_iter().filter(|attestor| attestor.is_active(now));
    let signers: Vec<_> = attestors.filter(|attestor| attestor.opens(envelope).is_some()).collect();
    let Some(payload) = signers.first().and_then(|attestor| attestor.opens(envelope)) else {
        return Ok(Recorded::ByNobody);
    };
    let statement = match Statement::parse(payload) {
        Ok(statement) => statement,
        Err(problems) => return Ok(Recorded::Unusable(problems)),
    };
    let envelope = envelope.to_json();
    for image in &statement.images {
        for attestor in &signers {
            store::put(conn, image, &attestor.key_id, &envelope, now)?;
        }
    }
    Ok(Recorded::For(statement.images, signers.into_iter().map(|attestor| attestor.key_id).collect()))
}

/// Whether an attestor who is not revoked has signed for this image.
pub fn is_attested(conn: &mut Conn, image: &ImageDigest, now: Timestamp) -> Result<bool, Failure> {
    for (attestor, envelope) in store::of_image(conn, image)? {
        if attestor.is_active(now) && attestor.speaks_for(&envelope, image) {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Attestor {
    fn opens<'a>(&self, envelope: &'a Envelope) -> Option<&'a [u8]> {
        dsse::verify(envelope, PAYLOAD_TYPE, self.public_key.verifying_key())
    }

    fn speaks_for(&self, envelope: &str, image: &ImageDigest) -> bool {
        let said = Envelope::parse(envelope.as_bytes()).ok();
        let statement = said.as_ref().and_then(|said| Statement::parse(self.opens(said)?).ok());
        let speaks = statement.is_some_and(|statement| statement.images.contains(image));
        if !speaks {
            tracing::error!(%image, key_id = %self.key_id, "a stored attestation does not verify");
        }
        speaks
    }
}
