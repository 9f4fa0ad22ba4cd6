//! Where the catalogue rests: one row for each snapshot, the newest of which is served.

use diesel::prelude::*;
use shared_model::Moment;
use shared_runtime::{Conn, Failure, import::Outcome};

use super::Catalogue;
use crate::schema::catalogue_snapshots;

/// Puts a snapshot in front of all others, unless it is there already.
pub fn record(conn: &mut Conn, catalogue: &Catalogue, now: Moment) -> Result<Outcome, Failure> {
    use catalogue_snapshots::dsl;
    let present = newest(conn)?;
    if present.as_ref().is_some_and(|(version, _)| *version == catalogue.version) {
        return Ok(Outcome::Unchanged);
    }
    let body = serde_json::to_string(catalogue)?;
    diesel::insert_into(dsl::catalogue_snapshots)
        .values((dsl::version.eq(&catalogue.version), dsl::body.eq(body), dsl::imported_at.eq(now)))
        .execute(conn)?;
    Ok(if present.is_some() { Outcome::Replaced } else { Outcome::Added })
}

/// The version and the JSON text of the newest snapshot.
pub fn newest(conn: &mut Conn) -> QueryResult<Option<(String, String)>> {
    use catalogue_snapshots::dsl;
    dsl::catalogue_snapshots.order(dsl::id.desc()).select((dsl::version, dsl::body)).first(conn).optional()
}
