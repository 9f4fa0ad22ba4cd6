//! `POST /v1/{collection}/{file_id}/edit-plans/{plan_id}/apply`: writes the content that the plan previewed.

use serde::Serialize;
use shared_model::{Error, Failure, NextAction, Refusal, code, json_column::Json};
use shared_runtime::{Answer, Body, Conn, IfMatch, Path};
use utoipa::ToSchema;

use super::{
    anchors, operation,
    plan::{Effects, Plan, StoredPreview, StoredState},
    receipt,
    record::PlanRecord,
    store::{self, Outcome},
};
use crate::{
    base::{
        codes,
        empty::Empty,
        ids::{FileId, PlanId, VersionId},
        permissions::WriteFiles,
    },
    edits::receipts::receipt::Decision,
    files::{
        self, authorship, comments,
        file::{File, FileRecord, FileState},
        precondition, protection,
        versions::add::{self, Next, Origin},
    },
    workspace::{
        self,
        command::{ChangeContext, Command},
    },
};
use cloud_content::{
    canonical::Canonical,
    content::Content,
    preview::{PlanWarning, Severity},
    protection::touched,
};

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
    command
        .run(move |conn, by| {
            // The path names the collection of the type: 404 at the URL of another collection.
            let file = files::store::of_type(conn, by.owner(), id, C::TYPE, &by.links)?;
            let (plan, preview) = store::find(conn, id, plan)?.ok_or_else(code::not_found)?;
            // First whether the plan is open: applying it has changed the file, and 412 would hide that it is done.
            plan.check_open(&by.links, &file)?;
            plan.check_alone(&by.links)?;
            precondition::check_state(&file, FileState::Active, &by.links)?;
            precondition::check_etag(conn, &file, if_match, &by.links)
                .map_err(|error| plan.rebase_if_stale(&by.links, &file, error))?;
            // Undo restores the version before this one.
            let base = plan.base_version_id;
            let (file, plan) = carry_out::<C>(conn, by, file, (plan, &preview))?;
            let undo = plan.applied_version_id.map(|_| undo(by, &file, base));
            let record =
                PlanRecord { changes: None, totals: None, ..PlanRecord::new(plan, &preview, &file, &by.links, by.at)? };
            let file = by.links.record(file);
            let etag = file.etag;
            Ok(Answer::ok(&ApplyAnswer { file, plan: record, undo, content_is_untrusted: true })?.etag(etag))
        })
        .await
}

/// Writes what an open plan shows, and a receipt, if it is for this state of the file and approved where it must be.
pub fn carry_out<C: Content>(
    conn: &mut Conn,
    by: &ChangeContext,
    file: File,
    (plan, preview): (Plan, &str),
) -> Result<(File, Plan), Error> {
    check_base(by, &file, &plan)?;
    check_approval::<C>(conn, by, &plan, preview)?;
    let plan = Plan { confirmed_at: by.is_confirmed.then_some(by.at), ..plan };
    let (file, plan) = write::<C>(conn, by, file, plan)?;
    receipt::write(conn, by, &plan, Decision::Applied)?;
    Ok((file, plan))
}

/// 409 if the plan is for another state of the file, or has expired. A rebase proposes its edits again.
fn check_base(by: &ChangeContext, file: &File, plan: &Plan) -> Result<(), Refusal> {
    plan.check_not_returned(&by.links)?;
    plan.check_current(&by.links, file)?;
    if by.at >= plan.expires_at {
        return Err(plan.rebase_first(&codes::PLAN_EXPIRED, &by.links, file));
    }
    Ok(())
}

/// 403 during a review, or if a person must approve what this agent writes. The only such check: pages, tools and HTTP
/// all run it.
fn check_approval<C: Content>(conn: &mut Conn, by: &ChangeContext, plan: &Plan, preview: &str) -> Result<(), Error> {
    let href = format!("{}/edit-plans/{}", by.links.href(plan.file_id), plan.id);
    // The workspace may have taken the right to approve from its agents.
    let is_approved = plan.state == StoredState::Approved;
    if is_approved && (plan.is_approved_by_person() || workspace::store::agents_may_review(conn, by.workspace())?) {
        return Ok(());
    }
    if plan.state == StoredState::InReview {
        let refusal = codes::APPROVAL_REQUIRED.because("The plan waits for its review.");
        return Err(refusal.next(NextAction::Refresh { href, etag: None }).into());
    }
    // A confirmation is enough for risks, and not where every edit needs an approval.
    let is_risky =
        |conn: &mut Conn| Ok(!by.is_confirmed && (has_high_warning(preview)? || touches_protected::<C>(conn, plan)?));
    if by.needs_approval(conn, is_risky)? {
        if is_approved {
            let message = "Agents may no longer approve plans. Discard the plan, and ask for a review of a new one.";
            return Err(codes::APPROVAL_REQUIRED
                .because(message)
                .next(NextAction::Refresh { href, etag: None })
                .into());
        }
        let next = NextAction::RequestReview { href: format!("{href}/request-review") };
        return Err(codes::APPROVAL_REQUIRED.refusal().next(next).into());
    }
    Ok(())
}

fn has_high_warning(preview: &str) -> Result<bool, Failure> {
    let StoredPreview { warnings, .. } = serde_json::from_str(preview)?;
    let warnings: Vec<PlanWarning> = serde_json::from_str(warnings.get())?;
    Ok(warnings.iter().any(|warning| warning.severity == Severity::High))
}

/// Whether it changes a part that is protected by now. Its preview says what was protected when it was proposed.
fn touches_protected<C: Content>(conn: &mut Conn, plan: &Plan) -> Result<bool, Failure> {
    let places = protection::store::places(conn, plan.file_id)?;
    // Most files protect nothing, and then no content is read.
    if places.is_empty() {
        return Ok(false);
    }
    let Outcome { content: Some(later), operations, .. } = store::outcome(conn, plan.id)? else { return Ok(false) };
    let base = authorship::store::find(conn, plan.base_version_id)?;
    let (before, later): (C, C) = (serde_json::from_str(&base.content)?, serde_json::from_str(&later)?);
    let operations = operation::stored::<C>(&operations)?;
    Ok(!touched(&before, &later, Some(&operations), &places).is_empty())
}

/// Adds the version that the plan previewed.
fn write<C: Content>(conn: &mut Conn, by: &ChangeContext, file: File, plan: Plan) -> Result<(File, Plan), Error> {
    if plan.is_no_op() {
        return Ok((file, store::set_applied(conn, plan, None)?));
    }
    // The stored content, not the operations again: reviewers have approved this content.
    let Outcome { content, effects, operations, authorship } = store::outcome(conn, plan.id)?;
    let content = content.ok_or_else(|| Failure::fault("the content of an open plan is gone"))?;
    let Json(Effects { gone_part_ids: gone, link_domains, content_warnings }) = effects;
    let content = Canonical::stored(content, content_warnings).linking_to(link_domains);
    // It makes link domains known, which no agent may do.
    let origin = if plan.is_approved_by_person() { Origin::ApprovedPlan(plan.id) } else { Origin::Plan(plan.id) };
    let operations = operation::stored::<C>(&operations)?;
    let authorship = match authorship {
        Some(authorship) => authorship,
        // Plans that were proposed before kept none.
        None => authorship::kept::changed::<C>(conn, &file, content.as_str(), Some(&operations))?,
    };
    let next = Next {
        content: (&content).into(),
        gone: &gone,
        origin,
        authorship: Some(&authorship),
        edited_by: Some(&plan.editors()),
        freed_bytes: plan.content_bytes,
    };
    let file = add::add(conn, by, file, next)?;
    // In the same transaction: a comment must never name the cells that took the place of its own.
    move_comments::<C>(conn, by, &file, (&plan, &operations))?;
    protection::store::shift::<C>(conn, file.id, &operations)?;
    let version = file.current_version_id;
    Ok((file, store::set_applied(conn, plan, version)?))
}

/// Moves the comments on a file as the plan, which has just been applied, moves their cells.
fn move_comments<C: Content>(
    conn: &mut Conn,
    by: &ChangeContext,
    file: &File,
    (plan, operations): (&Plan, &[C::Operation]),
) -> Result<(), Failure> {
    for (comment, anchor) in comments::store::ranges(conn, file.id)? {
        let later = anchors::shifted::<C>(operations, anchor.clone());
        if later != anchor {
            comments::moved_anchors::move_to(conn, comment, (&anchor, plan.base_version_id), &later, by.at)?;
        }
    }
    Ok(())
}

fn undo(by: &ChangeContext, file: &File, base: VersionId) -> Undo {
    Undo {
        method: "POST",
        url: format!("{}/versions/{base}/restore", by.links.href(file.id)),
        if_match: by.links.etag(file).to_string(),
    }
}
