//! Where the catalogue rests: one row for each snapshot, the newest of which is served.

use diesel::prelude::*;
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, import::LineOutcome};

use super::{Catalogue, upstream};
use crate::schema::catalogue_snapshots;

/// A snapshot that was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct Snapshot {
    /// Its version.
    pub version: String,
    /// Its JSON text.
    pub body: String,
    /// When it was recorded.
    pub imported_at: Timestamp,
}

/// Records an imported catalogue, unless it is the present one. While another is followed, none can be imported.
pub fn record(conn: &mut Conn, catalogue: &Catalogue, now: Timestamp) -> Result<LineOutcome, Failure> {
    let present = newest(conn)?;
    if present.as_ref().is_some_and(|present| present.version == catalogue.version) {
        return Ok(LineOutcome::Unchanged);
    }
    if let Some(upstream) = upstream::find(conn)? {
        let why = format!("/catalogue cannot be imported while that of {} is followed", upstream.url);
        return Ok(LineOutcome::Refused(why));
    }
    put(conn, catalogue, now)?;
    Ok(if present.is_some() { LineOutcome::Replaced } else { LineOutcome::Added })
}

/// Puts a snapshot in front of all others, unless it is there already.
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

/// The newest snapshot.
pub fn newest(conn: &mut Conn) -> QueryResult<Option<Snapshot>> {
    use catalogue_snapshots::dsl;
    let columns = (dsl::version, dsl::body, dsl::imported_at);
    dsl::catalogue_snapshots.order(dsl::id.desc()).select(columns).first(conn).optional()
}
