//! Adds a version to a file. All operations that change content use this in their transactions.

use shared_model::{Error, Failure};
use shared_runtime::Conn;

use crate::{
    base::ids::{PlanId, VersionId},
    files::{
        chunk_lists::chunk_list::ChunkList,
        editors::Editors,
        file::File,
        retired_part_ids,
        store::{Update, write},
        version_content::VersionContent,
        version_store::{self, NewVersion},
    },
    workspace::{
        changes::{Change, ChangeType},
        command::ChangeContext,
        link_domains,
    },
};
use cloud_content::part_id::PartId;

/// The new current version.
#[derive(Clone, Copy, Debug)]
pub struct Next<'a> {
    pub content: VersionContent<'a>,
    /// Ids of parts that this version no longer has.
    pub gone: &'a [PartId],
    pub origin: Origin,
    /// Who wrote which part; `None` for uploads.
    pub authorship: Option<&'a str>,
    /// Who wrote and approved the edits of the plan.
    pub edited_by: Option<&'a Editors>,
    /// What its plan had taken of the storage for the same content.
    pub freed_bytes: i64,
}

#[derive(Clone, Copy, Debug)]
pub enum Origin {
    /// The result of a plan that nobody had to approve.
    Plan(PlanId),
    ApprovedPlan(PlanId),
    /// The content of an earlier version.
    Version(VersionId),
    /// The content of a draft.
    Draft,
    Upload,
}

pub fn add(conn: &mut Conn, by: &ChangeContext, file: File, next: Next<'_>) -> Result<File, Error> {
    let Next { content, gone, origin, authorship, edited_by, freed_bytes } = next;
    let sequence = by.next_change_in_place_of(conn, content.bytes(), freed_bytes)?;
    let number = file.version_number.ok_or_else(|| Failure::fault("a folder has no versions"))? + 1;
    let (kind, plan, restored_from) = match origin {
        Origin::Plan(plan) | Origin::ApprovedPlan(plan) => (ChangeType::FileUpdated, Some(plan), None),
        Origin::Version(version) => (ChangeType::VersionRestored, None, Some(version)),
        Origin::Draft => (ChangeType::DraftPromoted, None, None),
        Origin::Upload => (ChangeType::UploadCompleted, None, None),
    };
    let at = by.at;
    let version = NewVersion { file: file.id, number, content, plan, restored_from, authorship, edited_by, at };
    let version = version_store::insert(conn, &by.author, version)?;
    retired_part_ids::insert(conn, file.id, gone)?;
    if by.vouches_for_links() || matches!(origin, Origin::ApprovedPlan(_)) {
        link_domains::insert(conn, by.workspace(), content.link_domains())?;
    }
    by.record(conn, sequence, &Change { version: Some(version), plan, ..by.change(kind, file.id) })?;
    let file = File { current_version_id: Some(version), ..file };
    // An upload decides the type of the file: a new version may be a PDF where the last one was not.
    let of_type = content.manifest().map_or(file.kind, ChunkList::file_type);
    Ok(write(conn, file, Update::Version(number, of_type), sequence, by.at)?)
}
