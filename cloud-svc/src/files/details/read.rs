//! `GET /v1/files/{file_id}/details`: what the record of a file does not say, such as its size and its folders.

use serde::{Deserialize, Serialize};
use shared_model::{Error, code};
use shared_runtime::{Answer, Caller, Context, Path, State};
use utoipa::ToSchema;

use super::{record::Details, store};
use crate::{
    base::{ids::FileId, links::FileLinks, owner::Owner, permissions::ReadFiles},
    files::{self, file::FileRecord},
};

/// A file and its details.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct DetailsAnswer {
    pub file: FileRecord,
    pub details: Details,
    /// Always true: names and tags do not come from the service.
    pub content_is_untrusted: bool,
}

// Without an ETag: that of the file does not change with comments and plans.
pub async fn read(
    caller: Caller<ReadFiles>,
    Path((id,)): Path<(FileId,)>,
    context: Context,
    State(links): State<FileLinks>,
) -> Result<Answer<DetailsAnswer>, Error> {
    let owner = Owner::of_caller(&caller)?;
    let now = context.clock.now();
    let found = context.look_up(move |conn| {
        let file = files::store::find(conn, owner, id)?.ok_or_else(code::not_found)?;
        let details = store::load(conn, owner, std::slice::from_ref(&file), now)?;
        Ok((file, details))
    });
    let (file, mut details) = found.await?;
    let details = details.remove(&file.id).ok_or_else(code::not_found)?;
    Ok(Answer::ok(&DetailsAnswer { file: links.record(file), details, content_is_untrusted: true })?)
}
