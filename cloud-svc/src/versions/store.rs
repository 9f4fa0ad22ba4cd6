//! Where versions rest: only ever inserted.

use diesel::prelude::*;
use shared_model::Timestamp;
use shared_runtime::Conn;

use super::CanonicalContent;
use crate::{
    ids::{FileId, VersionId},
    schema::versions,
};

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
) -> QueryResult<VersionId> {
    diesel::insert_into(versions::table)
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
        .get_result(conn)
}
