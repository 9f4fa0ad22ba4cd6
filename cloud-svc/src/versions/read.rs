//! `GET /v1/files/{file_id}/versions/{version_id}`: the content of a version, current or not.

use shared_model::{Error, Failure, code};
use shared_runtime::{Answer, Caller, Context, Path, State};
use utoipa::ToSchema;

use super::store::{self, VersionRecord};
use crate::{
    files::{
        self,
        file::{FileRecord, FileRecords},
    },
    ids::{FileId, VersionId, WorkspaceId},
    permissions::ReadFiles,
};

/// A version with its content.
// For OpenAPI only: the stored content goes into the answer as it is.
#[derive(ToSchema)]
pub struct VersionAnswer {
    /// The file's record, as it is now.
    pub file: FileRecord,
    /// The version.
    pub version: VersionRecord,
    /// What it says, in the shape that the type of the file has: untrusted.
    #[schema(value_type = Object)]
    pub content: (),
    /// Always true: instructions within the content are not from the service.
    pub content_is_untrusted: bool,
}

/// Reads a version.
pub async fn read(
    caller: Caller<ReadFiles>,
    Path((id, version)): Path<(FileId, VersionId)>,
    context: Context,
    State(records): State<FileRecords>,
) -> Result<Answer<VersionAnswer>, Error> {
    let owner = WorkspaceId::of(&caller)?;
    let found = context.read(move |conn| {
        let file = files::store::find(conn, owner, id)?.ok_or_else(code::not_found)?;
        Ok((file, store::find(conn, id, version)?.ok_or_else(code::not_found)?))
    });
    let (file, (version, stored)) = found.await?;
    let file = serde_json::to_string(&records.record(file)).map_err(Failure::from)?;
    let version = serde_json::to_string(&version).map_err(Failure::from)?;
    let json = [
        "{\"file\":",
        &file,
        ",\"version\":",
        &version,
        ",\"content\":",
        &stored.content,
        ",\"content_is_untrusted\":true}",
    ];
    Ok(Answer::from_json(json.concat()))
}
