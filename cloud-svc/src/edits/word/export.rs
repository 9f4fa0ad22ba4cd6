//! `GET /v1/documents/{file_id}/edit-plans/{plan_id}/word`: the plan as a Word file with tracked changes.

use shared_model::{Error, openapi_schema};
use shared_runtime::{
    Caller, Context, Path, State,
    http::reply::{MediaType, Plain},
};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use super::versions::{self, Found};
use crate::base::{
    heavy::heavy,
    ids::{FileId, PlanId},
    links::FileLinks,
    owner::Owner,
    permissions::ReadFiles,
};
use cloud_content::documents::word::{self, Tracked};

pub struct WordFile;

impl MediaType for WordFile {
    const MEDIA_TYPE: &'static str = word::MEDIA_TYPE;
}

impl PartialSchema for WordFile {
    fn schema() -> RefOr<Schema> {
        openapi_schema::binary(&["A Word file (Office Open XML)."]).into()
    }
}

impl ToSchema for WordFile {}

pub async fn export(
    caller: Caller<ReadFiles>,
    Path((file, plan)): Path<(FileId, PlanId)>,
    context: Context,
    State(links): State<FileLinks>,
) -> Result<Plain<WordFile>, Error> {
    let owner = Owner::of_caller(&caller)?;
    let found = context.read(move |conn| versions::find(conn, owner, file, plan, &links)).await?;
    let written = heavy(move || {
        let Found { plan, versions, .. } = found;
        let others = plan.lineage.0.co_authors.iter().map(|other| other.actor.id.as_str());
        // Word shows one name at each change. Who added which edit is not kept.
        let authors: Vec<&str> = std::iter::once(plan.actor.0.id.as_str()).chain(others).collect();
        word::docx(&versions, Tracked { author: &authors.join(", "), at: &plan.created_at.to_string() })
    });
    // A constant name: a header could carry only a part of the characters of the file's name.
    Ok(Plain::new(written.await??).header("content-disposition", "attachment; filename=\"plan.docx\""))
}
