//! `locker-svc attestation record`: stores what attestors have signed.

use shared_model::{Failure, Problem, Timestamp};
use shared_runtime::Conn;

use super::{attestor::AttestorKeyId, statement::Statement, store};
use crate::{dsse::DsseEnvelope, image_digest::ImageDigest};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordOutcome {
    Stored(Vec<ImageDigest>, Vec<AttestorKeyId>),
    /// No registered and unrevoked attestor has signed it.
    NoSigner,
    /// It is signed, but its payload does not state that an image is good.
    InvalidStatement(Vec<Problem>),
}

/// Stores an envelope for every attestor that signed it and every image that it names.
pub fn record(conn: &mut Conn, envelope: &DsseEnvelope, now: Timestamp) -> Result<RecordOutcome, Failure> {
    let attestors = store::list_attestors(conn)?.into_iter().filter(|attestor| attestor.is_active());
    let signers: Vec<_> = attestors.filter(|attestor| attestor.verify(envelope).is_some()).collect();
    let Some(payload) = signers.first().and_then(|attestor| attestor.verify(envelope)) else {
        return Ok(RecordOutcome::NoSigner);
    };
    // Parsed after the signature check: the payload of a stranger is not worth a parser's attention.
    let statement = match Statement::parse(payload) {
        Ok(statement) => statement,
        Err(problems) => return Ok(RecordOutcome::InvalidStatement(problems)),
    };
    let envelope = envelope.to_json();
    for image in &statement.images {
        for attestor in &signers {
            store::put(conn, image, &attestor.key_id, &envelope, now)?;
        }
    }
    Ok(RecordOutcome::Stored(statement.images, signers.into_iter().map(|attestor| attestor.key_id).collect()))
}
