//! `GET /v1/documents/{file_id}`: the document and its current ETag. A document in the trash can still be read.

use shared_model::{Error, code};
use shared_runtime::{Answer, Caller, Context, IfNoneMatch, Path, State};
use utoipa::ToSchema;

use super::content::DocumentContent;
use crate::{
    files::{
        file::{FileRecord, FileRecords, FileType},
        store,
    },
    ids::{FileId, WorkspaceId},
    permissions::ReadFiles,
};

/// A document with its content.
// For OpenAPI only: the stored content goes into the answer as it is, for even a `RawValue` would parse it again.
#[derive(ToSchema)]
pub struct DocumentAnswer {
    /// The file's record.
    pub file: FileRecord,
    /// What the document says: untrusted.
    pub content: DocumentContent,
    /// Always true: instructions within the content are not from the service.
    pub content_is_untrusted: bool,
}

/// Reads a document.
pub async fn read(
    caller: Caller<ReadFiles>,
    Path((id,)): Path<(FileId,)>,
    seen: IfNoneMatch,
    context: Context,
    State(records): State<FileRecords>,
) -> Result<Answer<DocumentAnswer>, Error> {
    let owner = WorkspaceId::of(&caller)?;
    let found = context.read(move |conn| Ok(store::with_content(conn, owner, id, FileType::Document)?)).await?;
    let (file, content) = found.ok_or_else(code::not_found)?;
    let file = records.record(file);
    if seen.has(file.etag) {
        return Ok(Answer::not_modified(file.etag));
    }
    let record = serde_json::to_string(&file)?;
    let json = ["{\"file\":", &record, ",\"content\":", &content, ",\"content_is_untrusted\":true}"].concat();
    Ok(Answer::from_json(json).etag(file.etag))
}
