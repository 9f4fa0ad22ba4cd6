//! A plan for a document, and the two versions between which it leads.

use serde::Deserialize;
use shared_model::{Error, Failure, code};
use shared_runtime::Conn;

use crate::{
    base::{
        ids::{FileId, PlanId},
        links::FileLinks,
        owner::Owner,
    },
    edits::plans::{
        self,
        compare::versions,
        plan::{Plan, StoredPreview},
    },
    files,
};
use cloud_content::{
    change_id::ChangeId,
    documents::{content::DocumentContent, word::Versions},
    file_type::FileType,
    part_id::PartId,
    preview::ChangeKind,
};

pub struct Found {
    pub plan: Plan,
    pub changes: Vec<Changed>,
    pub versions: Versions,
}

/// What the choices of a person need of a change.
#[derive(Deserialize)]
pub struct Changed {
    pub id: ChangeId,
    kind: ChangeKind,
    /// Absent in changes of the settings and the annotations.
    pub block_id: Option<PartId>,
}

pub fn find(conn: &mut Conn, owner: Owner, file: FileId, plan: PlanId, links: &FileLinks) -> Result<Found, Error> {
    let file = files::store::of_type(conn, owner, file, FileType::Document, links)?;
    let (plan, preview) = plans::store::find(conn, file.id, plan)?.ok_or_else(code::not_found)?;
    let StoredPreview { changes, .. } = serde_json::from_str(&preview).map_err(Failure::from)?;
    let changes: Vec<Changed> = serde_json::from_str(changes.get()).map_err(Failure::from)?;
    let moves = changes.iter().filter(|change| change.kind == ChangeKind::Move);
    let moved = moves.filter_map(|change| change.block_id.clone()).collect();
    let (before, after) = versions::<DocumentContent>(conn, &plan)?;
    Ok(Found { plan, changes, versions: Versions { before, after, moved } })
}
