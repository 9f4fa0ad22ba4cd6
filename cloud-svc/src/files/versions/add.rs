//! Adds a version to a file. All operations that change content use this in their transactions.

use shared_model::{Error, Failure};
use shared_runtime::Conn;

use super::current;
use crate::{
    base::ids::{PlanId, VersionId},
    files::{
        chunk_lists::chunk_list::ChunkList,
        editors::Editors,
        file::File,
        retired_part_ids,
        version_content::VersionContent,
        version_store::{self, NewVersion},
    },
    workspace::{
        changes::{Change, ChangeType},
        command::ChangeContext,
        limits, link_domains,
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

impl Origin {
    fn change(self) -> ChangeType {
        match self {
            Self::Plan(_) | Self::ApprovedPlan(_) => ChangeType::FileUpdated,
            Self::Version(_) => ChangeType::VersionRestored,
            Self::Draft => ChangeType::DraftPromoted,
            Self::Upload => ChangeType::UploadCompleted,
        }
    }
}

pub fn add(conn: &mut Conn, by: &ChangeContext, file: File, next: Next<'_>) -> Result<File, Error> {
    let added = add_all(conn, by, vec![(file, next)])?.pop();
    added.ok_or_else(|| Failure::fault("a version was not added").into())
}

/// Adds a version to each of several files. It has a statement for each table, not for each file: other writers of the
/// workspace wait meanwhile.
pub fn add_all(conn: &mut Conn, by: &ChangeContext, all: Vec<(File, Next<'_>)>) -> Result<Vec<File>, Error> {
    if all.is_empty() {
        return Ok(Vec::new());
    }
    let bytes = all.iter().map(|(_, next)| next.content.bytes()).sum();
    let freed = all.iter().map(|(_, next)| next.freed_bytes).sum();
    let first = by.next_changes(conn, all.len(), bytes, freed)?;
    let versions = all.iter().map(|(file, next)| new_version(by, file, next)).collect::<Result<Vec<_>, Failure>>()?;
    let ids = version_store::insert(conn, &by.author, &versions)?;
    retired_part_ids::insert(conn, all.iter().flat_map(|(file, next)| next.gone.iter().map(|id| (file.id, id))))?;
    for (_, next) in &all {
        // An upload decides the type of the file.
        if let Some(manifest) = next.content.manifest() {
            limits::check_kind(conn, by.owner(), manifest.file_type())?;
        }
    }
    let vouched =
        all.iter().filter(|(_, next)| by.vouches_for_links() || matches!(next.origin, Origin::ApprovedPlan(_)));
    link_domains::insert(conn, by.workspace(), vouched.flat_map(|(_, next)| next.content.link_domains()))?;
    let changes: Vec<_> = versions
        .iter()
        .zip(&all)
        .zip(&ids)
        .map(|((version, (file, next)), id)| Change {
            version: Some(*id),
            plan: version.plan,
            ..by.change(next.origin.change(), file.id)
        })
        .collect();
    by.record_all(first, &changes);
    let files =
        all.into_iter().zip(&versions).zip(ids).zip(first..).map(|((((file, next), version), id), sequence)| File {
            current_version_id: Some(id),
            version_number: Some(version.number),
            // An upload decides the type of the file: a new version may be a PDF where the last one was not.
            kind: next.content.manifest().map_or(file.kind, ChunkList::file_type),
            change_sequence: sequence,
            updated_at: by.at,
            ..file
        });
    let files: Vec<File> = files.collect();
    current::write(conn, by.workspace(), &files, by.at)?;
    Ok(files)
}

fn new_version<'a>(by: &ChangeContext, file: &File, next: &Next<'a>) -> Result<NewVersion<'a>, Failure> {
    let number = file.version_number.ok_or_else(|| Failure::fault("a folder has no versions"))? + 1;
    let (plan, restored_from) = match next.origin {
        Origin::Plan(plan) | Origin::ApprovedPlan(plan) => (Some(plan), None),
        Origin::Version(version) => (None, Some(version)),
        Origin::Draft | Origin::Upload => (None, None),
    };
    let Next { content, authorship, edited_by, .. } = *next;
    Ok(NewVersion { file: file.id, number, content, plan, restored_from, authorship, edited_by, at: by.at })
}
