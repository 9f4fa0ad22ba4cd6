//! The signed manifest of an export: its parts, as canonical JSON in a DSSE envelope.
//! It is made once, when the export becomes ready. Clients verify it offline, after the download.

use ed25519_dalek::{SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};
use shared_model::{Failure, Secret, Timestamp};

use super::export::{Export, ExportPart, MAX_PARTS, part_file_name};
use crate::{
    dsse::{self, DsseEnvelope},
    ids::ExportId,
};

pub const SCHEMA: &str = "service/export-manifest/v1";
pub const PAYLOAD_TYPE: &str = "application/vnd.service.export-manifest.v1+json";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExportManifest {
    pub schema: String,
    pub export_id: ExportId,
    pub file_name: String,
    pub content_type: String,
    pub bytes: u64,
    pub sha256: String,
    /// The length of every part except the last.
    pub part_bytes: u64,
    pub parts: Vec<ManifestPart>,
    pub created_at: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestPart {
    pub index: u64,
    pub bytes: u64,
    pub sha256: String,
    pub file_name: String,
}

pub fn signing_key(secret: &Secret) -> SigningKey {
    // Derived from SERVICE_SECRET: there is no second key to back up. A changed secret makes old manifests
    // unverifiable.
    SigningKey::from_bytes(&secret.tag(&[b"export manifest key", b"Ed25519"]))
}

/// The signed manifest of a complete export, as JSON.
pub fn signed(export: &Export, parts: &[ExportPart], secret: &Secret) -> Result<String, Failure> {
    let size = |bytes: Option<i64>| {
        let bytes = bytes.and_then(|bytes| u64::try_from(bytes).ok());
        bytes.ok_or_else(|| Failure::fault("a built export lacks a length"))
    };
    let count = export.part_count.unwrap_or_default();
    let part = |part: &ExportPart| {
        Ok(ManifestPart {
            index: size(Some(part.index))?,
            bytes: size(Some(part.bytes))?,
            sha256: part.sha256.clone(),
            file_name: part_file_name(&export.file_name, part.index, count),
        })
    };
    let manifest = ExportManifest {
        schema: SCHEMA.to_owned(),
        export_id: export.id,
        file_name: export.file_name.clone(),
        content_type: export.content_type.clone(),
        bytes: size(export.bytes)?,
        sha256: export.sha256.clone().unwrap_or_default(),
        part_bytes: size(Some(export.part_bytes))?,
        parts: parts.iter().map(part).collect::<Result<_, Failure>>()?,
        created_at: export.created_at,
    };
    let payload = canonical_json::value_text(&serde_json::to_value(&manifest)?);
    let key = signing_key(secret);
    let envelope = dsse::sign(PAYLOAD_TYPE, payload.as_bytes(), &key).with_key_id(&key_id(&key.verifying_key()));
    Ok(envelope.to_json())
}

// The first 16 hexadecimal digits are enough to tell a wrong key from an altered manifest.
fn key_id(key: &VerifyingKey) -> String {
    hex::encode(&key.as_bytes()[..8])
}

/// Why an envelope is not a valid manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ManifestError {
    /// It is not an envelope, or its payload is not a manifest.
    Malformed(String),
    /// This key did not sign this payload.
    Forged {
        /// Whether the envelope names another key. Then the operator probably passed the wrong one.
        names_another_key: bool,
    },
}

impl ExportManifest {
    /// The manifest in an envelope. This key must have signed it.
    pub fn verify(envelope: &[u8], key: &VerifyingKey) -> Result<Self, ManifestError> {
        let malformed = |rule: String| ManifestError::Malformed(rule);
        let envelope = DsseEnvelope::parse(envelope).map_err(|problems| {
            let all: Vec<_> = problems.iter().map(|problem| format!("{} {}", problem.at, problem.rule)).collect();
            malformed(all.join("; ").trim().to_owned())
        })?;
        let Some(payload) = dsse::verify(&envelope, PAYLOAD_TYPE, key) else {
            let ours = key_id(key);
            return Err(ManifestError::Forged { names_another_key: envelope.key_ids().all(|id| id != ours) });
        };
        let manifest: Self = serde_json::from_slice(payload).map_err(|error| malformed(error.to_string()))?;
        manifest.contradiction().map_or(Ok(manifest), |rule| Err(malformed(rule.to_owned())))
    }

    fn contradiction(&self) -> Option<&'static str> {
        let is_ordered = self.parts.iter().zip(0..).all(|(part, index)| part.index == index);
        let bytes: Option<u64> = self.parts.iter().try_fold(0_u64, |sum, part| sum.checked_add(part.bytes));
        // The signer is trusted, its names are not: a slash would let a manifest read files elsewhere.
        let is_name = |name: &str| !name.is_empty() && !name.contains(['/', '\0']) && name != "." && name != "..";
        if self.schema != SCHEMA {
            Some("the manifest has another schema")
        } else if !is_ordered || self.parts.is_empty() || self.parts.len() as i64 > MAX_PARTS {
            Some("the parts of the manifest are not 0, 1, 2, …")
        } else if bytes != Some(self.bytes) {
            Some("the lengths of the parts do not add up to the length of the whole")
        } else if !self.parts.iter().all(|part| is_name(&part.file_name)) || !is_name(&self.file_name) {
            Some("the manifest contains a name that is not a file name")
        } else {
            None
        }
    }
}
