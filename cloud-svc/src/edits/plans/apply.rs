//! `POST /v1/{collection}/{file_id}/edit-plans/{plan_id}/apply`: writes the content that the plan previewed.

use serde::Serialize;
use shared_model::{Error, Failure, code};
use shared_runtime::{Answer, Body, IfMatch, Path};
use utoipa::ToSchema;

use super::{
    carry_out::{FilePlan, carry_out},
    outcome::Outcomes,
    record::PlanRecord,
    store,
};
use crate::{
    base::{
        empty::Empty,
        ids::{FileId, PlanId, VersionId},
        permissions::WriteFiles,
    },
    files::{
        self,
        file::{FileRecord, FileState},
        precondition,
    },
    workspace::command::{ChangeContext, Command},
};
use cloud_content::content::Content;

/// An applied plan and its file.
#[derive(Serialize, ToSchema)]
pub struct ApplyAnswer {
    /// The file after the plan.
    pub file: FileRecord,
    /// The applied plan, without its `changes`.
    pub plan: PlanRecord,
    /// The command that restores the old content. Null if nothing was changed.
    #[schema(required)]
    pub undo: Option<Undo>,
    /// Always true: the warnings quote the content.
    pub content_is_untrusted: bool,
}

/// A command that undoes another until the file changes again. It needs its own `Idempotency-Key`.
#[derive(Serialize, ToSchema)]
pub struct Undo {
    #[schema(example = "POST")]
    pub method: &'static str,
    /// The URL. The body is `{}`.
    #[schema(example = "{base_url}/v1/files/file_12/versions/ver_40/restore")]
    pub url: String,
    /// The `If-Match` to send.
    #[schema(value_type = shared_model::Etag)]
    pub if_match: String,
}

/// Applies a plan. A plan that changes nothing adds no version.
pub async fn apply<C: Content>(
    command: Command<WriteFiles>,
    Path((id, plan)): Path<(FileId, PlanId)>,
    if_match: IfMatch,
    Body(Empty {}): Body<Empty>,
) -> Result<Answer<ApplyAnswer>, Error> {
    let outcomes = Outcomes::prepare(&command, move |conn, owner| store::texts(conn, owner, &[plan])).await?;
    command
        .run(move |conn, by| {
            // The path names the collection of the type: 404 at the URL of another collection.
            let file = files::store::of_type(conn, by.owner(), id, C::TYPE, &by.links)?;
            let plan = store::find_row(conn, id, plan)?.ok_or_else(code::not_found)?;
            // First whether the plan is open: applying it has changed the file, and 412 would hide that it is done.
            plan.check_open(&by.links, &file)?;
            // Checked before the age of the plan: a rebase of a returned plan would be refused.
            plan.check_not_returned(&by.links)?;
            plan.check_alone(&by.links)?;
            precondition::check_state(&file, FileState::Active, &by.links)?;
            precondition::check_etag(conn, &file, if_match, &by.links)
                .map_err(|error| plan.rebase_if_stale(&by.links, &file, error))?;
            // Undo restores the version before this one.
            let base = plan.base_version_id;
            let applied = carry_out(conn, by, vec![(plan, file)], &outcomes, |_, error| error)?.pop();
            let FilePlan { plan, preview, file } = applied.ok_or_else(|| Failure::fault("a plan was not applied"))?;
            let undo = plan.applied_version_id.map(|_| undo(by, &file, base));
            let record =
                PlanRecord { changes: None, totals: None, ..PlanRecord::new(plan, &preview, &file, &by.links, by.at)? };
            let file = by.links.record(file);
            let etag = file.etag;
            Ok(Answer::ok(&ApplyAnswer { file, plan: record, undo, content_is_untrusted: true })?.etag(etag))
        })
        .await
}

fn undo(by: &ChangeContext, file: &files::file::File, base: VersionId) -> Undo {
    Undo {
        method: "POST",
        url: format!("{}/versions/{base}/restore", by.links.href(file.id)),
        if_match: by.links.etag(file).to_string(),
    }
}
