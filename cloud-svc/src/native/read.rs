//! `GET /v1/documents/{file_id}`, `/v1/notes/{file_id}`, …: a file with its content.

use shared_model::{Error, code};
use shared_runtime::{Answer, Caller, Context, IfNoneMatch, Path, State};

use super::answer::NativeAnswer;
use crate::{
    content::Content,
    files::{file::FileRecords, store},
    ids::{FileId, WorkspaceId},
    permissions::ReadFiles,
};

/// Reads a file and its current content. One in the trash can still be read.
pub async fn read<C: Content>(
    caller: Caller<ReadFiles>,
    Path((id,)): Path<(FileId,)>,
    seen: IfNoneMatch,
    context: Context,
    State(records): State<FileRecords>,
) -> Result<Answer<NativeAnswer<C>>, Error> {
    let owner = WorkspaceId::of(&caller)?;
    let found = context.read(move |conn| Ok(store::with_content(conn, owner, id, C::TYPE)?)).await?;
    let (file, stored) = found.ok_or_else(code::not_found)?;
    let file = records.record(file);
    if seen.has(file.etag) {
        return Ok(Answer::not_modified(file.etag));
    }
    Ok(NativeAnswer::whole(&file, &stored)?)
}
