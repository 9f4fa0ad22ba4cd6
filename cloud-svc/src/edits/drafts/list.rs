//! `GET /v1/scratch`: lists the drafts of the grant.

use serde::Serialize;
use shared_model::Error;
use shared_runtime::{Answer, Caller, Context};
use utoipa::ToSchema;

use super::{draft::DraftRecord, store};
use crate::base::{author::Author, permissions::ReadFiles};

/// The drafts of a grant.
#[derive(Serialize, ToSchema)]
pub struct DraftList {
    /// Newest first.
    #[schema(max_items = 50)]
    pub drafts: Vec<DraftRecord>,
}

pub async fn list(caller: Caller<ReadFiles>, context: Context) -> Result<Answer<DraftList>, Error> {
    let (author, now) = (Author::from_identity(&caller)?, context.clock.now());
    let drafts = context.read(move |conn| Ok(store::list(conn, &author, now)?)).await?;
    let drafts = drafts.into_iter().map(DraftRecord::new).collect::<Result<_, _>>()?;
    Ok(Answer::ok(&DraftList { drafts })?)
}
