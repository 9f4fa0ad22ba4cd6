//! The runs that are kept with a version.

use shared_model::Failure;
use shared_runtime::Conn;

use super::store::{self, KeptRuns};
use crate::{
    base::ids::VersionId,
    files::{file::File, version_store},
};
use cloud_content::{
    authorship::{
        carried::carried,
        runs::{Runs, Writer},
    },
    content::Content,
    file_type::FileType,
    of_kind,
};

/// The runs of a version that makes `later` of the content `before`, of which `kept` are the runs.
pub fn edited<C: Content>(
    kept: &KeptRuns,
    (before, later): (&C, &C),
    edits: &[C::Operation],
) -> Result<String, Failure> {
    carried(before, &runs(kept, before)?, later, Some(edits)).to_json()
}

/// The runs of the file's next version, with the content `later`. Without `edits` the contents are compared.
pub fn changed<C: Content>(
    conn: &mut Conn,
    file: &File,
    later: &str,
    edits: Option<&[C::Operation]>,
) -> Result<String, Failure> {
    let current = file.current_version_id.ok_or_else(|| Failure::fault("content without a version"))?;
    let written = store::find(conn, current)?;
    let (before, later): (C, C) = (serde_json::from_str(&written.stored.content)?, serde_json::from_str(later)?);
    carried(&before, &runs(&written.kept, &before)?, &later, edits).to_json()
}

/// The runs of a version that brings back the content of another. `None` for uploads.
pub fn restored(conn: &mut Conn, kind: FileType, version: VersionId) -> Result<Option<String>, Failure> {
    let runs = of_kind!(kind, C => {
        let written = store::find(conn, version)?;
        let content: C = serde_json::from_str(&written.stored.content)?;
        runs(&written.kept, &content)?.to_json()?
    });
    Ok(runs)
}

/// The runs of a stored version.
pub fn runs<C: Content>(kept: &KeptRuns, content: &C) -> Result<Runs, Failure> {
    let number = kept.id.number();
    Ok(match &kept.authorship {
        Some(runs) => Runs::from_json(runs)?.of_version(number),
        None if kept.number == version_store::FIRST => Runs::by_one(&content.grids(), Writer::Version(number)),
        // Written by a release that kept no authors. To guess would name people for words that are not theirs.
        None => Runs::by_one(&content.grids(), Writer::Unknown),
    })
}
