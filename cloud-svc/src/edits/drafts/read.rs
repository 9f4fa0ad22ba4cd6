//! `GET /v1/scratch/{draft_id}`: reads a draft of the grant.

use shared_model::{Error, code};
use shared_runtime::{Answer, Caller, Context, Path};

use super::{draft::DraftAnswer, store};
use crate::base::{author::Author, ids::DraftId, permissions::ReadFiles};

pub async fn read(
    caller: Caller<ReadFiles>,
    Path((id,)): Path<(DraftId,)>,
    context: Context,
) -> Result<Answer<DraftAnswer>, Error> {
    let (author, now) = (Author::from_identity(&caller)?, context.clock.now());
    let draft =
        context.look_up(move |conn| Ok(store::find(conn, &author, id, now)?.ok_or_else(code::not_found)?)).await?;
    Ok(DraftAnswer::ok(draft)?)
}
