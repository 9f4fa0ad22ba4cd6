//! Immutable versions of a file's content, kept as canonical JSON text. They are only ever inserted.

use diesel::prelude::*;
use serde::Serialize;
use sha2::{Digest, Sha256};
use shared_model::{Failure, Timestamp};
use shared_runtime::Conn;

use crate::{
    ids::{FileId, VersionId},
    schema::versions,
};

/// Content as it is stored and shown: compact JSON with its members in one order, never parsed again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanonicalContent {
    json: String,
    sha256: [u8; 32],
}

impl CanonicalContent {
    /// The canonical text of `content`, whose type fixes the order of its members.
    pub fn of<T: Serialize>(content: &T) -> Result<Self, Failure> {
        let json = serde_json::to_string(content)?;
        let sha256 = Sha256::digest(json.as_bytes()).into();
        Ok(Self { json, sha256 })
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.json
    }

    /// Its length, which counts towards the workspace's quota.
    pub fn bytes(&self) -> i64 {
        i64::try_from(self.json.len()).expect("a text in memory is shorter than 2^63 bytes")
    }

    /// Its SHA-256 in hexadecimal digits.
    pub fn sha256_hex(&self) -> String {
        hex::encode(self.sha256)
    }
}

/// The number of a file's first version.
pub const FIRST: i64 = 1;

/// Inserts version `number` of a file; `created_by` is the actor as JSON text.
pub fn insert(
    conn: &mut Conn,
    file: FileId,
    number: i64,
    content: &CanonicalContent,
    created_by: &str,
    at: Timestamp,
) -> Result<VersionId, Failure> {
    let id = diesel::insert_into(versions::table)
        .values((
            versions::file_id.eq(file),
            versions::number.eq(number),
            versions::content_bytes.eq(content.bytes()),
            versions::sha256.eq(content.sha256_hex()),
            versions::created_by.eq(created_by),
            versions::created_at.eq(at),
            versions::content.eq(content.as_str()),
        ))
        .returning(versions::id)
        .get_result(conn)?;
    Ok(id)
}
