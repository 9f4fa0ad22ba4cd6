//! The content of a version: canonical JSON text, or uploaded bytes.

use std::{borrow::Cow, collections::BTreeSet};

use diesel::prelude::*;
use sha2::{Digest as _, Sha256};
use shared_model::Failure;
use shared_runtime::Conn;

use crate::{
    base::{ids::UploadId, tables::versions},
    files::chunk_lists::{self, chunk_list::ChunkList},
};
use cloud_content::{canonical::Canonical, content::Content, hidden_text::content_warnings};

#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = versions)]
pub struct StoredContent {
    /// Canonical JSON text; empty for uploaded content.
    pub content: String,
    /// What readers should know about it, as a JSON array; `None` if it was not examined yet.
    pub content_warnings: Option<String>,
    /// The manifest of uploaded content.
    pub manifest_id: Option<UploadId>,
    /// Of the content, in hexadecimal digits.
    pub sha256: String,
}

impl StoredContent {
    /// Itself, if the text is still the one that was stored.
    // Disks flip bits, and a text with another digit parses as well as the right one.
    pub fn checked(self) -> Result<Self, Failure> {
        // Chunks of uploads are checked where they are read.
        let is_stored = self.manifest_id.is_some() || hex::encode(Sha256::digest(&self.content)) == self.sha256;
        if is_stored {
            Ok(self)
        } else {
            Err(Failure::fault("a version is corrupt: its content is not what was stored"))
        }
    }
}

/// The content of a new version.
#[derive(Clone, Copy, Debug)]
pub enum VersionContent<'a> {
    Native(&'a Canonical),
    Uploaded(&'a ChunkList),
}

/// The content of a stored version.
#[derive(Clone, Debug)]
pub enum KeptContent {
    Native(Canonical),
    Uploaded(ChunkList),
}

static NO_DOMAINS: BTreeSet<String> = BTreeSet::new();

impl<'a> VersionContent<'a> {
    // Counts towards the quota of the workspace.
    pub fn bytes(self) -> i64 {
        match self {
            Self::Native(canonical) => canonical.bytes(),
            Self::Uploaded(manifest) => manifest.bytes,
        }
    }

    /// 64 hexadecimal digits.
    pub fn sha256_hex(self) -> String {
        match self {
            Self::Native(canonical) => canonical.sha256_hex(),
            Self::Uploaded(manifest) => manifest.sha256.clone(),
        }
    }

    /// Canonical JSON text; empty for uploaded content.
    pub fn text(self) -> &'a str {
        match self {
            Self::Native(canonical) => canonical.as_str(),
            Self::Uploaded(_) => "",
        }
    }

    /// A JSON array; `None` if the content was not examined.
    pub fn warnings(self) -> Option<&'a str> {
        match self {
            Self::Native(canonical) => canonical.warnings(),
            Self::Uploaded(_) => None,
        }
    }

    pub fn manifest(self) -> Option<&'a ChunkList> {
        match self {
            Self::Native(_) => None,
            Self::Uploaded(manifest) => Some(manifest),
        }
    }

    pub fn manifest_id(self) -> Option<UploadId> {
        self.manifest().map(|manifest| manifest.id)
    }

    /// Domains of its links that may be new to the workspace.
    pub fn link_domains(self) -> &'a BTreeSet<String> {
        match self {
            Self::Native(canonical) => canonical.link_domains(),
            Self::Uploaded(_) => &NO_DOMAINS,
        }
    }
}

impl<'a> From<&'a Canonical> for VersionContent<'a> {
    fn from(canonical: &'a Canonical) -> Self {
        Self::Native(canonical)
    }
}

impl<'a> From<&'a KeptContent> for VersionContent<'a> {
    fn from(kept: &'a KeptContent) -> Self {
        match kept {
            KeptContent::Native(canonical) => Self::Native(canonical),
            KeptContent::Uploaded(manifest) => Self::Uploaded(manifest),
        }
    }
}

impl KeptContent {
    pub fn load(conn: &mut Conn, stored: StoredContent) -> Result<Self, Failure> {
        let StoredContent { content, content_warnings, manifest_id, .. } = stored;
        let Some(id) = manifest_id else { return Ok(Self::Native(Canonical::stored(content, content_warnings))) };
        let manifest = chunk_lists::store::find(conn, id)?;
        manifest.map(Self::Uploaded).ok_or_else(|| Failure::fault("the manifest of a version has no row"))
    }
}

/// The warnings of stored content, as a JSON array; `None` if there are none.
pub fn warnings_of<C: Content>(stored: &StoredContent) -> Result<Option<Cow<'_, str>>, Failure> {
    let warnings = match &stored.content_warnings {
        Some(warnings) => Cow::Borrowed(warnings.as_str()),
        // Versions of earlier releases have no stored warnings.
        None => {
            let content: C = serde_json::from_str(&stored.content)?;
            Cow::Owned(serde_json::to_string(&content_warnings(&content))?)
        }
    };
    Ok((warnings != "[]").then_some(warnings))
}
