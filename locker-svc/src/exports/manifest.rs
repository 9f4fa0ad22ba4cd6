//! The manifest: what an export consists of, as canonical JSON in a DSSE envelope, signed with a key that is derived
//! from the service's secret. It is made once, when the export becomes ready, and verified offline after the download.

use ed25519_dalek::{SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};
use shared_model::{Failure, Secret, Timestamp};

use super::export::{Export, MAX_PARTS, Part, part_file_name};
use crate::{
    dsse::{self, DsseEnvelope},
    ids::ExportId,
};

/// The `schema` member of the payload.
pub const SCHEMA: &str = "service/export-manifest/v1";
/// The payload type that the signature covers.
pub const PAYLOAD_TYPE: &str = "application/vnd.service.export-manifest.v1+json";

/// What an export consists of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExportManifest {
    /// Always [`SCHEMA`].
    pub schema: String,
    /// The export.
    pub export_id: ExportId,
    /// The file name of the whole.
    pub file_name: String,
    /// Its media type.
    pub content_type: String,
    /// Its length.
    pub bytes: u64,
    /// SHA-256 of all its bytes.
    pub sha256: String,
    /// The length of every part but the last.
    pub part_bytes: u64,
    /// The parts, in order.
    pub parts: Vec<ManifestPart>,
    /// When the build began.
    pub created_at: Timestamp,
}

/// One part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestPart {
    /// Its position, from 0.
    pub index: u64,
    /// Its length.
    pub bytes: u64,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// The file name that it is saved under.
    pub file_name: String,
}

/// The key that signs manifests.
pub fn signing_key(secret: &Secret) -> SigningKey {
    SigningKey::from_bytes(&secret.tag(&[b"export manifest key", b"Ed25519"]))
}

/// The signed manifest of an export that is built, as JSON.
pub fn signed(export: &Export, parts: &[Part], secret: &Secret) -> Result<String, Failure> {
    let size = |bytes: Option<i64>| {
        let bytes = bytes.and_then(|bytes| u64::try_from(bytes).ok());
        bytes.ok_or_else(|| Failure::fault("a built export lacks a length"))
    };
    let count = export.part_count.unwrap_or_default();
    let part = |part: &Part| {
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
    let payload = serde_json_canonicalizer::to_vec(&manifest)?;
    let key = signing_key(secret);
    let envelope = dsse::sign(PAYLOAD_TYPE, &payload, &key).with_key_id(&key_id(&key.verifying_key()));
    Ok(envelope.to_json())
}

/// The `keyid` of a key in an envelope: its first 16 hexadecimal digits.
fn key_id(key: &VerifyingKey) -> String {
    hex::encode(&key.as_bytes()[..8])
}

/// Why an envelope cannot be trusted as a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ManifestError {
    /// It is not an envelope, or its payload is not a manifest.
    Malformed(String),
    /// This key has not signed this payload.
    Forged {
        /// Whether the envelope names another key than this.
        names_another_key: bool,
    },
}

impl ExportManifest {
    /// The manifest in an envelope that this key must have signed.
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
        let is_name = |name: &str| !name.is_empty() && !name.contains(['/', '\0']) && name != "." && name != "..";
        if self.schema != SCHEMA {
            Some("the manifest is of another schema")
        } else if !is_ordered || self.parts.is_empty() || self.parts.len() as i64 > MAX_PARTS {
            Some("the parts of the manifest are not 0, 1, 2, …")
        } else if bytes != Some(self.bytes) {
            Some("the parts of the manifest are not as long as the whole")
        } else if !self.parts.iter().all(|part| is_name(&part.file_name)) || !is_name(&self.file_name) {
            Some("a name in the manifest is none of a file")
        } else {
            None
        }
    }
}
