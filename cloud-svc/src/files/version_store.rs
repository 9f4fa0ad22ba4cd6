//! The store of versions. A version is found by its file, which is the caller's to see.

use diesel::prelude::*;
use serde::Serialize;
use shared_model::{Failure, Timestamp, json_column::Json};
use shared_runtime::{Conn, identity::Actor, on_each};
use utoipa::ToSchema;

use super::version_content::{StoredContent, VersionContent};
use crate::base::{
    author::{Author, Via},
    ids::{FileId, PlanId, VersionId},
    tables::versions,
};

/// The number of a file's first version.
pub const FIRST: i64 = 1;

/// A version that is to be inserted.
#[derive(Clone, Copy, Debug)]
pub struct NewVersion<'a> {
    pub file: FileId,
    /// Its number among the file's versions.
    pub number: i64,
    pub content: VersionContent<'a>,
    /// The plan whose result it is.
    pub plan: Option<PlanId>,
    /// The version whose content it has again.
    pub restored_from: Option<VersionId>,
    pub at: Timestamp,
}

pub fn insert(conn: &mut Conn, author: &Author, new: NewVersion<'_>) -> Result<VersionId, Failure> {
    let insert = diesel::insert_into(versions::table)
        .values((
            versions::file_id.eq(new.file),
            versions::number.eq(new.number),
            versions::content_bytes.eq(new.content.bytes()),
            versions::sha256.eq(new.content.sha256_hex()),
            versions::created_by.eq(author.actor_json.as_str()),
            versions::created_at.eq(new.at),
            versions::content.eq(new.content.text()),
            versions::via.eq(author.via),
            versions::plan_id.eq(new.plan),
            versions::restored_from.eq(new.restored_from),
            versions::content_warnings.eq(new.content.warnings()),
            versions::manifest_id.eq(new.content.manifest_id()),
        ))
        .returning(versions::id);
    Ok(on_each!(conn, |c| insert.get_result(c))?)
}

/// A version, as it is listed.
#[derive(Clone, Debug, Serialize, ToSchema, Queryable, Selectable)]
#[diesel(table_name = versions)]
pub struct VersionRecord {
    pub id: VersionId,
    pub file_id: FileId,
    pub created_at: Timestamp,
    #[diesel(column_name = created_by)]
    #[schema(value_type = Actor)]
    pub actor: Json<Actor>,
    /// Bytes of its content.
    #[diesel(column_name = content_bytes)]
    #[schema(minimum = 0)]
    pub bytes: i64,
    /// SHA-256 of its content, in hexadecimal digits.
    #[schema(pattern = "^[0-9a-f]{64}$", example = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
    pub sha256: String,
    /// The plan whose result it is; null where it is none's.
    #[schema(required)]
    pub plan_id: Option<PlanId>,
    /// The way in which it came.
    pub via: Via,
    /// The version whose content it has again; null for new content.
    #[schema(required)]
    pub restored_from: Option<VersionId>,
}

/// Versions of a file, newest first: at most `rows` that come after `after`.
pub fn list(conn: &mut Conn, file: FileId, after: Option<VersionId>, rows: i64) -> Result<Vec<VersionRecord>, Failure> {
    let all = versions::table.filter(versions::file_id.eq(file)).select(VersionRecord::as_select());
    let newest = all.order(versions::id.desc()).limit(rows);
    Ok(match after {
        Some(after) => newest.filter(versions::id.lt(after)).load(conn)?,
        None => newest.load(conn)?,
    })
}

/// A version of a file and its content.
pub fn find(conn: &mut Conn, file: FileId, id: VersionId) -> Result<Option<(VersionRecord, StoredContent)>, Failure> {
    let found = versions::table
        .filter(versions::id.eq(id).and(versions::file_id.eq(file)))
        .select((VersionRecord::as_select(), StoredContent::as_select()))
        .first(conn)
        .optional()?;
    Ok(found)
}
