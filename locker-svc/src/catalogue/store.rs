//! Stores the snapshots of the catalogue, the newest of which is served, and the upstream that is followed.

use diesel::prelude::*;
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, state::db::columns};

use super::{content::Catalogue, upstream::Upstream};
use crate::schema::{catalogue_snapshots, catalogue_upstream};

/// A row of `catalogue_snapshots`.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct Snapshot {
    /// The version of the catalogue.
    pub version: String,
    /// The catalogue, as JSON.
    pub body: String,
    /// When it was stored.
    pub imported_at: Timestamp,
}

/// The newest snapshot.
pub fn newest(conn: &mut Conn) -> Result<Option<Snapshot>, Failure> {
    use catalogue_snapshots::dsl;
    let columns = (dsl::version, dsl::body, dsl::imported_at);
    Ok(dsl::catalogue_snapshots.order(dsl::id.desc()).select(columns).first(conn).optional()?)
}

/// Makes a catalogue the newest snapshot, unless it is already.
pub fn put(conn: &mut Conn, catalogue: &Catalogue, now: Timestamp) -> Result<(), Failure> {
    use catalogue_snapshots::dsl;
    if newest(conn)?.is_some_and(|present| present.version == catalogue.version) {
        return Ok(());
    }
    let body = serde_json::to_string(catalogue)?;
    diesel::insert_into(dsl::catalogue_snapshots)
        .values((dsl::version.eq(&catalogue.version), dsl::body.eq(body), dsl::imported_at.eq(now)))
        .execute(conn)?;
    Ok(())
}

/// The key of the one row.
const ROW: i64 = 1;

/// The upstream that is followed, if any.
pub fn upstream(conn: &mut Conn) -> Result<Option<Upstream>, Failure> {
    Ok(catalogue_upstream::table.find(ROW).select(columns::<Upstream>()).first(conn).optional()?)
}

/// Inserts the upstream.
pub fn insert_upstream(conn: &mut Conn, upstream: &Upstream) -> Result<(), Failure> {
    diesel::insert_into(catalogue_upstream::table).values((catalogue_upstream::id.eq(ROW), upstream)).execute(conn)?;
    Ok(())
}

/// Updates the upstream.
pub fn update_upstream(conn: &mut Conn, upstream: &Upstream) -> Result<(), Failure> {
    diesel::update(catalogue_upstream::table.find(ROW)).set(upstream).execute(conn)?;
    Ok(())
}

/// Deletes the upstream; `false` when there is none.
pub fn delete_upstream(conn: &mut Conn) -> Result<bool, Failure> {
    Ok(diesel::delete(catalogue_upstream::table.find(ROW)).execute(conn)? > 0)
}
