//! `GET /v1/files/{file_id}/versions/{version_id}/compare`: the changes from one version to another.

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use shared_model::{Error, Failure, code, refusal::NextStep};
use shared_runtime::{Answer, Caller, Context, FromQuery, Params, Path, Query, State, http::contract::QueryParameter};
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
        version_store::{self, VersionRecord},
    },
};
use cloud_content::{
    comparison,
    content::Content,
    of_kind,
    preview::{Change, Counts, Preview},
};

/// The changes from one version to another.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct Comparison {
    pub from: VersionRecord,
    pub to: VersionRecord,
    pub summary: ComparisonSummary,
    /// In the shape of a plan's changes. All have the `op` 0.
    #[schema(value_type = Vec<Change>)]
    pub changes: Box<RawValue>,
    /// Always true: the changes quote the content.
    pub content_is_untrusted: bool,
}

/// The numbers of changes, and the sizes of the two contents.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub struct ComparisonSummary {
    #[serde(flatten)]
    pub counts: Counts,
    /// Bytes of `from`.
    pub bytes_before: i64,
    /// Bytes of `to`.
    pub bytes_after: i64,
}

#[derive(Debug)]
pub struct With(VersionId);

impl FromQuery for With {
    fn describe() -> Vec<QueryParameter> {
        vec![QueryParameter::typed::<VersionId>("with", true, "The version that is `to` in the answer.")]
    }

    // A missing parameter is refused by `params` itself.
    fn from_query(params: &mut Params<'_>) -> Option<Self> {
        match params.text("with")?.parse() {
            Ok(version) => Some(Self(version)),
            Err(rule) => params.refuse("with", rule),
        }
    }
}

pub const NO_SUCH_VERSION: NextStep = NextStep::CorrectOne("with", "must be a version of the file");

pub async fn compare(
    caller: Caller<ReadFiles>,
    Path((id, from)): Path<(FileId, VersionId)>,
    Query(With(to)): Query<With>,
    State(links): State<FileLinks>,
    context: Context,
) -> Result<Answer<Comparison>, Error> {
    let owner = Owner::of_caller(&caller)?;
    // Compared where the database is read, and not where requests are served: a workbook may have a million cells.
    let compared = context.read(move |conn| {
        let file = files::store::find(conn, owner, id)?.ok_or_else(code::not_found)?;
        let (from, before) = version_store::find(conn, id, from)?.ok_or_else(code::not_found)?;
        let (to, after) = version_store::find(conn, id, to)?.ok_or_else(|| code::not_found().step(NO_SUCH_VERSION))?;
        let preview = of_kind!(file.kind, C => changes::<C>(&before.content, &after.content)?);
        let preview = preview.ok_or_else(|| {
            let message = format!("Versions of a file of type {} cannot be compared.", file.kind.as_str());
            files::store::not_of_type(&file, message, &links)
        })?;
        let summary = ComparisonSummary { counts: preview.counts, bytes_before: from.bytes, bytes_after: to.bytes };
        let changes = to_raw_value(&preview.changes).map_err(Failure::from)?;
        Ok(Comparison { from, to, summary, changes, content_is_untrusted: true })
    });
    Ok(Answer::ok(&compared.await?)?)
}

fn changes<C: Content>(before: &str, after: &str) -> Result<Preview, Error> {
    let (before, after): (C, C) = (parsed(before)?, parsed(after)?);
    comparison::compare(&before, &after)
}

fn parsed<C: Content>(content: &str) -> Result<C, Failure> {
    Ok(serde_json::from_str(content)?)
}
