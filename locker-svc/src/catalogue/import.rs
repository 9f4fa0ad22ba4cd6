//! Imports a catalogue: a line of `locker-svc import`.

use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, import::LineOutcome};

use super::{content::Catalogue, store};

/// Stores an imported catalogue, unless it is already the newest. Refused while an upstream is followed.
pub fn import(conn: &mut Conn, catalogue: &Catalogue, now: Timestamp) -> Result<LineOutcome, Failure> {
    let newest = store::newest_version(conn)?;
    if newest.as_ref() == Some(&catalogue.version) {
        return Ok(LineOutcome::Unchanged);
    }
    // The next poll would overwrite the import within half a minute.
    if let Some(upstream) = store::find_upstream(conn)? {
        let why = format!("/catalogue cannot be imported while that of {} is followed", upstream.url);
        return Ok(LineOutcome::Refused(why));
    }
    store::put(conn, catalogue, now)?;
    Ok(if newest.is_some() { LineOutcome::Replaced } else { LineOutcome::Added })
}
