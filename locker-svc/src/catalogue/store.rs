//! Where the catalogue rests: one row for each snapshot, the newest of which is served.

use diesel::prelude::*;
use shared_model::{Etag, Moment};
use shared_runtime::{Conn, Desk, Failure, Halt, arguments::Argument, openapi::OperationDoc, routes::Operation};

use super::Catalogue;
use crate::{codes::CATALOGUE_UNAVAILABLE, schema::catalogue_snapshots};

/// A catalogue as it is served.
pub struct Snapshot {
    /// Its version, as an entity tag.
    pub etag: Etag,
    /// The JSON text of a [`Catalogue`].
    pub json: String,
}

/// Where the catalogue lies. A verb that takes it may find it empty, and says so in its description.
pub struct Shelf(Desk);

/// Seconds after which an operator may have put a catalogue on the empty shelf.
const EMPTY_SECONDS: u64 = 30;

impl Shelf {
    /// The catalogue; 503 when there is none.
    pub async fn current(&self) -> Result<Snapshot, Halt> {
        let newest = self.0.read(|conn| Ok(newest(conn)?)).await?;
        let Some((version, json)) = newest else {
            let wait = shared_model::NextAction::Wait { after_seconds: EMPTY_SECONDS };
            let refusal = CATALOGUE_UNAVAILABLE.refusal().next(wait);
            return Err(refusal.header("retry-after", EMPTY_SECONDS.to_string()).into());
        };
        let etag = Etag::parse(&format!("\"{version}\"")).ok_or_else(|| Failure::fault("a version that is no hash"))?;
        Ok(Snapshot { etag, json })
    }
}

impl Argument for Shelf {
    fn describe(doc: &mut OperationDoc) {
        doc.refuses(&CATALOGUE_UNAVAILABLE);
    }

    fn extract(request: &actix_web::HttpRequest, operation: &Operation) -> Result<Self, Halt> {
        Desk::extract(request, operation).map(Self)
    }
}

/// Puts a snapshot in front of all others; `false` when it is there already.
pub fn put(conn: &mut Conn, catalogue: &Catalogue, now: Moment) -> Result<bool, Halt> {
    use catalogue_snapshots::dsl;
    if newest(conn)?.is_some_and(|(version, _)| version == catalogue.version) {
        return Ok(false);
    }
    let body = serde_json::to_string(catalogue)?;
    diesel::insert_into(dsl::catalogue_snapshots)
        .values((dsl::version.eq(&catalogue.version), dsl::body.eq(body), dsl::imported_at.eq(now)))
        .execute(conn)?;
    Ok(true)
}

fn newest(conn: &mut Conn) -> QueryResult<Option<(String, String)>> {
    use catalogue_snapshots::dsl;
    dsl::catalogue_snapshots.order(dsl::id.desc()).select((dsl::version, dsl::body)).first(conn).optional()
}
