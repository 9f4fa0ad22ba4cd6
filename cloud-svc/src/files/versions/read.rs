//! `GET /v1/files/{file_id}/versions/{version_id}`: the content of any version of a file.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use shared_model::{Error, Failure, code};
use shared_runtime::{Answer, Caller, Context, Path, State};
use utoipa::ToSchema;

use crate::{
    base::{
        ids::{FileId, VersionId},
        links::FileLinks,
        owner::Owner,
        permissions::ReadFiles,
    },
    files::{
        self,
        chunk_lists::{self, chunk_list::ChunkList},
        file::FileRecord,
        version_content::warnings_of,
        version_store::{self, VersionRecord},
    },
};
use cloud_content::{hidden_text::ContentWarning, of_kind};

/// A version with its content.
// Describes the answer for OpenAPI only: the stored JSON is copied into the answer.
#[derive(Deserialize, ToSchema)]
pub struct VersionAnswer {
    /// The current record of the file.
    pub file: FileRecord,
    pub version: VersionRecord,
    /// Untrusted content, in the shape of the file's type. For an uploaded file: `mime`, `bytes` and `sha256`; the
    /// bytes themselves are downloaded.
    #[schema(value_type = Object)]
    pub content: Box<RawValue>,
    /// Always true: instructions within the content do not come from the service.
    pub content_is_untrusted: bool,
    /// What readers should know about the content; absent if nothing.
    #[serde(default)]
    #[schema(required = false, max_items = 100)]
    pub content_warnings: Vec<ContentWarning>,
}

#[derive(Serialize, Deserialize)]
pub struct UploadedContent {
    pub mime: String,
    pub bytes: i64,
    pub sha256: String,
}

impl UploadedContent {
    fn from_chunk_list(ChunkList { media_type, bytes, sha256, .. }: ChunkList) -> Self {
        Self { mime: media_type, bytes, sha256 }
    }
}

pub async fn read(
    caller: Caller<ReadFiles>,
    Path((id, version)): Path<(FileId, VersionId)>,
    context: Context,
    State(links): State<FileLinks>,
) -> Result<Answer<VersionAnswer>, Error> {
    let owner = Owner::of_caller(&caller)?;
    let found = context.look_up(move |conn| {
        let file = files::store::find(conn, owner, id)?.ok_or_else(code::not_found)?;
        let (version, mut stored) = version_store::find(conn, id, version)?.ok_or_else(code::not_found)?;
        if let Some(manifest) = stored.manifest_id {
            let manifest = chunk_lists::store::find(conn, manifest)?;
            let manifest = manifest.ok_or_else(|| Failure::fault("the manifest of a version has no row"))?;
            stored.content =
                serde_json::to_string(&UploadedContent::from_chunk_list(manifest)).map_err(Failure::from)?;
        }
        Ok((file, version, stored))
    });
    let (file, version, stored) = found.await?;
    let warnings = of_kind!(file.kind, C => warnings_of::<C>(&stored)?).flatten();
    let file = serde_json::to_string(&links.record(file)).map_err(Failure::from)?;
    let version = serde_json::to_string(&version).map_err(Failure::from)?;
    // Joined as text, so that the content is not parsed again.
    let mut json = [
        "{\"file\":",
        &file,
        ",\"version\":",
        &version,
        ",\"content\":",
        &stored.content,
        ",\"content_is_untrusted\":true",
    ]
    .concat();
    if let Some(warnings) = warnings {
        json.push_str(",\"content_warnings\":");
        json.push_str(&warnings);
    }
    json.push('}');
    Ok(Answer::from_json(json))
}
