//! Cancels expired uploads, and deletes old ones.

use diesel::prelude::*;
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, on_each, state::sweep::Sweep};

use super::store::{self, RETENTION};
use crate::{
    base::{ids::UploadId, tables::uploads},
    files::chunk_lists::upload_state::UploadState,
};

// A cancelled upload gives back its reserved bytes.
pub const LATE: Sweep = Sweep { name: "late uploads", delete_batch: expire };

// The file or version of a completed upload has rows of its own.
pub const UPLOADS: Sweep = Sweep { name: "uploads", delete_batch };

fn expire(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<usize, Failure> {
    store::expire(conn, None, now, limit)
}

fn delete_batch(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<usize, Failure> {
    let old: Vec<UploadId> = uploads::table
        .filter(uploads::expires_at.le(now.minus(RETENTION)).and(uploads::state.ne(UploadState::Pending)))
        .select(uploads::id)
        .limit(limit)
        .load(conn)?;
    Ok(on_each!(conn, |c| diesel::delete(uploads::table.filter(uploads::id.eq_any(old))).execute(c))?)
}
