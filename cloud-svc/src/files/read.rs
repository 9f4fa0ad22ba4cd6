//! `GET /v1/files/{file_id}`: the record of a file of any type, also in the trash.

use shared_model::{Error, code};
use shared_runtime::{Answer, Caller, Context, IfNoneMatch, Path, State};

use super::{file::FileAnswer, store};
use crate::base::{ids::FileId, links::FileLinks, owner::Owner, permissions::ReadFiles};

pub async fn read(
    caller: Caller<ReadFiles>,
    Path((id,)): Path<(FileId,)>,
    if_none_match: IfNoneMatch,
    context: Context,
    State(links): State<FileLinks>,
) -> Result<Answer<FileAnswer>, Error> {
    let owner = Owner::of_caller(&caller)?;
    let found = context.look_up(move |conn| Ok(store::find(conn, owner, id)?)).await?;
    let file = found.ok_or_else(code::not_found)?;
    let etag = links.etag(&file);
    if if_none_match.has(etag) {
        return Ok(Answer::not_modified(etag));
    }
    Ok(links.answer(file)?)
}
