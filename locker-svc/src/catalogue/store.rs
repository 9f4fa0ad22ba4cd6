//! Queries of catalogue snapshots, of which the newest is served, and of the followed upstream.

use std::time::Duration;

use diesel::{dsl::max, prelude::*};
use shared_model::{Failure, Timestamp};
use shared_runtime::{
    Conn, on_each,
    state::{db::columns, sweep::Sweep},
};

use super::{content::Catalogue, upstream::Upstream};
use crate::tables::{catalogue_snapshots, catalogue_upstream};

#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct Snapshot {
    pub version: String,
    pub body: String,
    pub imported_at: Timestamp,
}

pub fn newest_snapshot(conn: &mut Conn) -> Result<Option<Snapshot>, Failure> {
    use catalogue_snapshots::dsl;
    let columns = (dsl::version, dsl::body, dsl::imported_at);
    Ok(dsl::catalogue_snapshots.order(dsl::id.desc()).select(columns).first(conn).optional()?)
}

/// The version of the newest snapshot, without its content.
pub fn newest_version(conn: &mut Conn) -> Result<Option<String>, Failure> {
    use catalogue_snapshots::dsl;
    Ok(dsl::catalogue_snapshots.order(dsl::id.desc()).select(dsl::version).first(conn).optional()?)
}

/// Makes a catalogue the newest snapshot, unless it already is.
pub fn put(conn: &mut Conn, catalogue: &Catalogue, now: Timestamp) -> Result<(), Failure> {
    use catalogue_snapshots::dsl;
    if newest_version(conn)?.as_ref() == Some(&catalogue.version) {
        return Ok(());
    }
    let body = serde_json::to_string(catalogue)?;
    diesel::insert_into(dsl::catalogue_snapshots)
        .values((dsl::version.eq(&catalogue.version), dsl::body.eq(body), dsl::imported_at.eq(now)))
        .execute(conn)?;
    Ok(())
}

pub const SWEEP: Sweep = Sweep { name: "old catalogues", delete_batch };

/// 30 days, for an operator who asks what was served. An upstream may send another catalogue twice a minute.
const RETENTION: Duration = Duration::from_secs(2_592_000);

fn delete_batch(conn: &mut Conn, now: Timestamp, limit: i64) -> Result<usize, Failure> {
    // The one that was served 30 days ago. Earlier ones have not been served since then.
    let served = catalogue_snapshots::table
        .filter(catalogue_snapshots::imported_at.le(now.minus(RETENTION)))
        .select(max(catalogue_snapshots::id));
    let Some(served) = served.first::<Option<i64>>(conn)? else { return Ok(0) };
    let old = catalogue_snapshots::table
        .filter(catalogue_snapshots::id.lt(served))
        .order(catalogue_snapshots::id)
        .limit(limit)
        .select(catalogue_snapshots::id);
    let ids: Vec<i64> = old.load(conn)?;
    let batch = catalogue_snapshots::table.filter(catalogue_snapshots::id.eq_any(ids));
    Ok(on_each!(conn, |c| diesel::delete(batch).execute(c))?)
}

// The table has one row: a locker follows one upstream.
const UPSTREAM_ROW_ID: i64 = 1;

pub fn find_upstream(conn: &mut Conn) -> Result<Option<Upstream>, Failure> {
    Ok(catalogue_upstream::table.find(UPSTREAM_ROW_ID).select(columns::<Upstream>()).first(conn).optional()?)
}

pub fn insert_upstream(conn: &mut Conn, upstream: &Upstream) -> Result<(), Failure> {
    diesel::insert_into(catalogue_upstream::table)
        .values((catalogue_upstream::id.eq(UPSTREAM_ROW_ID), upstream))
        .execute(conn)?;
    Ok(())
}

pub fn update_upstream(conn: &mut Conn, upstream: &Upstream) -> Result<(), Failure> {
    diesel::update(catalogue_upstream::table.find(UPSTREAM_ROW_ID)).set(upstream).execute(conn)?;
    Ok(())
}

/// `false` when no upstream is followed.
pub fn delete_upstream(conn: &mut Conn) -> Result<bool, Failure> {
    Ok(diesel::delete(catalogue_upstream::table.find(UPSTREAM_ROW_ID)).execute(conn)? > 0)
}
