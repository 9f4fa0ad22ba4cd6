//! `POST /v1/files/{file_id}/versions/{version_id}/restore`: make a new version with the content of an earlier one.

use std::collections::HashSet;

use shared_model::{Error, Failure, code};
use shared_runtime::{Answer, Body, IfMatch, Path};

use super::{
    add::{self, Next, Origin},
    content::KeptContent,
    store,
};
use crate::{
    codes,
    command::Command,
    comments,
    content::{Content, part_id::PartId},
    empty::Empty,
    files::{
        self,
        file::{FileAnswer, FileState},
        seen,
    },
    ids::{FileId, VersionId},
    of_kind,
    permissions::WriteFiles,
};

/// Restores a version.
pub async fn restore(
    command: Command<WriteFiles>,
    Path((id, version)): Path<(FileId, VersionId)>,
    seen: IfMatch,
    Body(Empty {}): Body<Empty>,
) -> Result<Answer<FileAnswer>, Error> {
    command
        .run(move |conn, by| {
            let file = files::store::find(conn, by.owner(), id)?.ok_or_else(code::not_found)?;
            let (_, earlier) = store::find(conn, id, version)?.ok_or_else(code::not_found)?;
            let current = files::store::with_content(conn, by.owner(), id, file.kind)?;
            let (_, current) = current.ok_or_else(code::not_found)?;
            seen::check_state(&file, FileState::Active, &by.records)?;
            let gone = of_kind!(file.kind, C => {
                let earlier: C = serde_json::from_str(&earlier.content).map_err(Failure::from)?;
                gone(&current.content, &earlier)?
            });
            seen::check_seen(conn, &file, seen, &by.records)?;
            by.check_direct(conn, || "Propose the content as a plan, and ask for its review.".to_owned())?;
            let content = KeptContent::of(conn, earlier)?;
            let gone = gone.unwrap_or_default();
            let next = Next { content: (&content).into(), gone: &gone, origin: Origin::Version(version) };
            let until = file.current_version_id;
            let file = add::add(conn, by, file, next)?;
            if let Some(until) = until {
                comments::moved_anchors::return_to(conn, id, version, until, by.at)?;
            }
            Ok(by.records.answer(file)?)
        })
        .await
}

/// The ids of parts that later content has no more; 409 where content of this kind cannot be changed.
pub fn gone<C: Content>(current: &str, later: &C) -> Result<Vec<PartId>, Error> {
    if C::is_read_only(current) == Some(true) {
        return Err(codes::WORKBOOK_READ_ONLY.refusal().into());
    }
    let current: C = serde_json::from_str(current).map_err(Failure::from)?;
    let kept: HashSet<&PartId> = later.part_ids().into_iter().collect();
    Ok(current.part_ids().into_iter().filter(|id| !kept.contains(id)).cloned().collect())
}
