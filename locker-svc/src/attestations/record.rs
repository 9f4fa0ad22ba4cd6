//! `locker-svc attestation record`: stores what attestors have signed.

use shared_model::{Failure, Problem, Timestamp};
use shared_runtime::Conn;

use super::{attestor::AttestorKeyId, statement::Statement, store};
use crate::{dsse::DsseEnvelope, image_digest::ImageDigest};

/// What became of an envelope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// It is stored for these images, signed by these attestors.
    For(Vec<ImageDigest>, Vec<AttestorKeyId>),
    /// No attestor that is registered and not revoked has signed it.
    ByNobody,
    /// It is signed, but its payload is not a statement that an image is good.
    Unusable(Vec<Problem>),
}

/// Stores an envelope for every attestor that signed it and every image that it is about.
pub fn record(conn: &mut Conn, envelope: &DsseEnvelope, now: Timestamp) -> Result<Recorded, Failure> {
    let attestors = store::attestors(conn)?.into_iter().filter(|attestor| attestor.is_active(now));
    let signers: Vec<_> = attestors.filter(|attestor| attestor.verify(envelope).is_some()).collect();
    let Some(payload) = signers.first().and_then(|attestor| attestor.verify(envelope)) else {
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
