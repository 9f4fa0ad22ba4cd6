//! The rows of versions. Queries take the file, which the caller has checked.

use std::collections::HashMap;

use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use shared_model::{Failure, Timestamp, json_column::Json};
use shared_runtime::{Conn, identity::Actor, insert_rows};
use utoipa::ToSchema;

use super::{
    editors::Editors,
    version_content::{StoredContent, VersionContent},
};
use crate::base::{
    author::{Author, Via},
    ids::{FileId, PlanId, VersionId},
    tables::versions,
};

pub const FIRST: i64 = 1;

#[derive(Clone, Copy, Debug)]
pub struct NewVersion<'a> {
    pub file: FileId,
    /// The number among the versions of the file.
    pub number: i64,
    pub content: VersionContent<'a>,
    /// The plan that made this version.
    pub plan: Option<PlanId>,
    /// The earlier version with the same content.
    pub restored_from: Option<VersionId>,
    /// Who wrote which part, as stored. `None` for a first version and for uploads.
    pub authorship: Option<&'a str>,
    /// Who wrote and approved the edits, if a plan made them.
    pub edited_by: Option<&'a Editors>,
    pub at: Timestamp,
}

/// Inserts versions of different files; their ids in the same order.
pub fn insert(conn: &mut Conn, author: &Author, all: &[NewVersion<'_>]) -> Result<Vec<VersionId>, Failure> {
    let rows = all.iter().map(|new| {
        let edited_by = new.edited_by.map(serde_json::to_string).transpose()?;
        Ok((
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
            versions::authorship.eq(new.authorship),
            versions::edited_by.eq(edited_by),
        ))
    });
    let rows = rows.collect::<Result<Vec<_>, Failure>>()?;
    let mut made: Vec<(FileId, VersionId)> = insert_rows!(
        conn,
        rows,
        |rows| diesel::insert_into(versions::table).values(rows) => (versions::file_id, versions::id)
    )?;
    // No database promises an order of what it returns.
    let place: HashMap<FileId, usize> = all.iter().enumerate().map(|(place, new)| (new.file, place)).collect();
    made.sort_by_key(|(file, _)| place.get(file));
    Ok(made.into_iter().map(|(_, id)| id).collect())
}

/// A version of a file.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, Queryable, Selectable)]
#[diesel(table_name = versions)]
pub struct VersionRecord {
    pub id: VersionId,
    pub file_id: FileId,
    pub created_at: Timestamp,
    #[diesel(column_name = created_by)]
    #[schema(value_type = Actor)]
    pub actor: Json<Actor>,
    /// Size of the content.
    #[diesel(column_name = content_bytes)]
    #[schema(minimum = 0)]
    pub bytes: i64,
    /// SHA-256 of the content, in hexadecimal digits.
    #[schema(pattern = "^[0-9a-f]{64}$", example = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
    pub sha256: String,
    /// The plan that made this version; null without a plan.
    #[schema(required)]
    pub plan_id: Option<PlanId>,
    /// The interface that made this version.
    pub via: Via,
    /// The version that was restored; null for new content.
    #[schema(required)]
    pub restored_from: Option<VersionId>,
}

// Numbers count the versions of one file, and an index has them. Ids count the versions of all files. By them, a page
// would walk through all versions of its file, or of all files.
/// The number of a version within its file.
macro_rules! number_of {
    ($id:expr) => {{
        let named = diesel::alias!(versions as named);
        let one = named.filter(named.field(versions::id).eq($id));
        one.select(named.field(versions::number)).single_value()
    }};
}

/// Up to `rows` versions that come after `after`, newest first.
pub fn list(conn: &mut Conn, file: FileId, after: Option<VersionId>, rows: i64) -> Result<Vec<VersionRecord>, Failure> {
    let all = versions::table.filter(versions::file_id.eq(file)).select(VersionRecord::as_select());
    let newest = all.order(versions::number.desc()).limit(rows);
    Ok(match after {
        Some(after) => newest.filter(versions::number.nullable().lt(number_of!(after))).load(conn)?,
        None => newest.load(conn)?,
    })
}

/// Who wrote the edits of the versions after `base`, up to `last`, and who applied them. `None` if one of them brought back
/// earlier content, which others may have written.
pub fn writers(conn: &mut Conn, file: FileId, base: VersionId, last: VersionId) -> Result<Option<Vec<Actor>>, Failure> {
    let number = versions::number.nullable();
    let between = number.gt(number_of!(base)).and(number.le(number_of!(last)));
    let all = versions::table.filter(versions::file_id.eq(file).and(between));
    let restored: i64 = all.filter(versions::restored_from.is_not_null()).count().get_result(conn)?;
    if restored > 0 {
        return Ok(None);
    }
    let found: Vec<(Json<Actor>, Option<Json<Editors>>)> =
        all.select((versions::created_by, versions::edited_by)).load(conn)?;
    let mut writers = Vec::with_capacity(found.len());
    for (Json(applied_by), editors) in found {
        writers.push(applied_by);
        if let Some(Json(Editors { author, co_authors, .. })) = editors {
            writers.push(author);
            writers.extend(co_authors);
        }
    }
    Ok(Some(writers))
}

pub fn find(conn: &mut Conn, file: FileId, id: VersionId) -> Result<Option<(VersionRecord, StoredContent)>, Failure> {
    let found = versions::table
        .filter(versions::id.eq(id).and(versions::file_id.eq(file)))
        .select((VersionRecord::as_select(), StoredContent::as_select()))
        .first(conn)
        .optional()?;
    found.map(|(record, stored): (_, StoredContent)| Ok((record, stored.checked()?))).transpose()
}
