//! `GET /v1/uploads/{upload_id}`: the state of an upload.

use shared_model::{Error, code};
use shared_runtime::{Answer, Caller, Context, Path, State};

use super::{begin::check_size, store, upload::UploadAnswer};
use crate::base::{author::Author, ids::UploadId, links::FileLinks, permissions::ReadFiles};

pub async fn read(
    caller: Caller<ReadFiles>,
    Path((id,)): Path<(UploadId,)>,
    context: Context,
    State(links): State<FileLinks>,
) -> Result<Answer<UploadAnswer>, Error> {
    let (author, now) = (Author::from_identity(&caller)?, context.clock.now());
    let found = context.look_up(move |conn| Ok(store::find(conn, &author, id, now)?)).await?;
    let upload = found.ok_or_else(code::not_found)?;
    check_size(upload.size)?;
    Ok(UploadAnswer::ok(upload, &links, now)?)
}
