//! Writes what plans show: one plan, or all plans of a proposal.

use std::{borrow::Cow, collections::HashMap};

use shared_model::{Error, Failure, NextAction, Refusal};
use shared_runtime::{Conn, Permission as _};

use super::{
    applied_parts,
    derive::supersede,
    operation,
    outcome::{Outcome, Outcomes},
    plan::{Plan, StoredPreview},
    receipt, store,
};
use crate::{
    base::{
        codes,
        ids::{CommentId, FileId, PlanId},
        permissions::WriteFiles,
        plan_state::StoredState,
    },
    edits::receipts::receipt::Decision,
    files::{
        authorship,
        comments::{
            self,
            moved_anchors::{self, Move},
        },
        editors::Editors,
        file::File,
        protection::{self, store::Protection},
        versions::add::{self, Next, Origin},
    },
    workspace::{self, command::ChangeContext},
};
use cloud_content::{
    anchor::Anchor,
    canonical::Canonical,
    content::Content,
    of_kind,
    preview::{PlanWarning, Severity, WarningCode},
    protection::touched,
};

/// A plan with its preview and its file.
#[derive(Clone, Debug)]
pub struct FilePlan {
    pub plan: Plan,
    pub preview: String,
    pub file: File,
}

/// Writes what these open plans for different files show, with a receipt for each. The previews that it returns have no
/// changes. `refused` says what the refusal of one plan means for the caller.
pub fn carry_out(
    conn: &mut Conn,
    by: &ChangeContext,
    plans: Vec<(Plan, File)>,
    prepared: &Outcomes,
    refused: impl Fn(&Plan, Error) -> Error,
) -> Result<Vec<FilePlan>, Error> {
    let ids: Vec<PlanId> = plans.iter().map(|(plan, _)| plan.id).collect();
    let outcomes = prepared.of(conn, by.workspace(), &ids)?;
    for (plan, file) in &plans {
        check(conn, by, (plan, file), outcomes.get(plan.id)?).map_err(|error| refused(plan, error))?;
    }
    let mut written = Vec::new();
    for (plan, file) in plans.iter().filter(|(plan, _)| !plan.is_no_op()) {
        written.push(Written::new(conn, (plan, file), outcomes.get(plan.id)?)?);
    }
    let nexts = written.iter().map(|written| (written.file.clone(), written.next())).collect();
    let files: HashMap<FileId, File> = add::add_all(conn, by, nexts)?.into_iter().map(|file| (file.id, file)).collect();
    // In the same transaction: a comment must never name the cells that took the place of its own.
    move_anchors(conn, by, &written)?;
    let applied = plans.into_iter().map(|(plan, file)| {
        let added = files.get(&file.id);
        let preview = outcomes.get(plan.id)?.preview.clone();
        let plan = Plan {
            state: StoredState::Applied,
            applied_version_id: added.and_then(|file| file.current_version_id),
            confirmed_at: by.is_confirmed.then_some(by.at),
            content_bytes: 0,
            ..plan
        };
        Ok(FilePlan { plan, preview, file: added.cloned().unwrap_or(file) })
    });
    let applied = applied.collect::<Result<Vec<FilePlan>, Failure>>()?;
    store::set_applied(conn, &ids, by.is_confirmed.then_some(by.at))?;
    for FilePlan { plan, .. } in &applied {
        receipt::write(by, plan, Decision::Applied);
    }
    end_wholes(conn, by, &applied)?;
    Ok(applied)
}

/// Ends the plans whose last part was just applied. They are stale, and a rebase would find nothing to propose.
fn end_wholes(conn: &mut Conn, by: &ChangeContext, applied: &[FilePlan]) -> Result<(), Error> {
    for FilePlan { plan: part, .. } in applied {
        for whole in applied_parts::without_rest(conn, part, by.at)? {
            supersede(conn, by, whole, part.id)?;
        }
    }
    Ok(())
}

/// Refuses a plan that is for another state of the file, or not approved where it must be.
fn check(conn: &mut Conn, by: &ChangeContext, (plan, file): (&Plan, &File), outcome: &Outcome) -> Result<(), Error> {
    check_base(by, file, plan)?;
    check_approval(conn, by, (plan, file), outcome)
}

/// 409 if the plan is for another state of the file, or has expired. A rebase proposes its edits again.
fn check_base(by: &ChangeContext, file: &File, plan: &Plan) -> Result<(), Refusal> {
    plan.check_not_returned(&by.links)?;
    plan.check_current(&by.links, file)?;
    plan.check_not_expired(by.at, &by.links, file)
}

/// 403 during a review, or if a person must approve what this agent writes. The only such check: pages, tools and HTTP
/// all run it.
fn check_approval(
    conn: &mut Conn,
    by: &ChangeContext,
    (plan, file): (&Plan, &File),
    outcome: &Outcome,
) -> Result<(), Error> {
    let href = format!("{}/edit-plans/{}", by.links.href(plan.file_id), plan.id);
    let is_approved = plan.state == StoredState::Approved;
    if is_approved && (plan.is_approved_by_person() || agents_approval_counts(conn, by, plan)?) {
        return Ok(());
    }
    if plan.state == StoredState::InReview {
        let refusal = codes::APPROVAL_REQUIRED.because("The plan waits for its review.");
        return Err(refusal.next(NextAction::Refresh { href, etag: None }).into());
    }
    // A confirmation is enough for the risks that the plan shows, and not where every edit needs an approval.
    let is_risky = |conn: &mut Conn| {
        let warnings = warnings(&outcome.preview)?;
        if !by.is_confirmed && warnings.iter().any(|warning| warning.severity == Severity::High) {
            return Ok(true);
        }
        let touches = of_kind!(file.kind, C => touches_protected::<C>(conn, plan, outcome, &warnings)?);
        Ok(touches.unwrap_or_default())
    };
    if by.needs_approval(conn, is_risky)? {
        if is_approved && is_own_approval(by, plan) {
            let next = NextAction::OtherActor { scope: WriteFiles::SCOPE.to_owned() };
            let message = "You approved this plan, so somebody else must apply it.";
            return Err(codes::APPROVAL_REQUIRED.because(message).next(next).into());
        }
        if is_approved {
            let message = "Agents may no longer approve plans. Discard the plan, and ask for a review of a new one.";
            return Err(codes::APPROVAL_REQUIRED
                .because(message)
                .next(NextAction::Refresh { href, etag: None })
                .into());
        }
        // Only its author can ask for a review.
        if !plan.is_by(&by.author) {
            let next = NextAction::OtherActor { scope: WriteFiles::SCOPE.to_owned() };
            return Err(codes::APPROVAL_REQUIRED.refusal().next(next).into());
        }
        let next = NextAction::RequestReview { href: format!("{href}/request-review") };
        return Err(codes::APPROVAL_REQUIRED.refusal().next(next).into());
    }
    Ok(())
}

// What an agent applies, somebody else has seen. And the workspace may have taken the right to approve from agents.
fn agents_approval_counts(conn: &mut Conn, by: &ChangeContext, plan: &Plan) -> Result<bool, Failure> {
    Ok(!is_own_approval(by, plan) && workspace::store::agents_may_review(conn, by.workspace())?)
}

fn is_own_approval(by: &ChangeContext, plan: &Plan) -> bool {
    plan.review.as_ref().and_then(|review| review.by.as_ref()).is_some_and(|reviewer| by.author.is(reviewer))
}

fn warnings(preview: &str) -> Result<Vec<PlanWarning>, Failure> {
    let StoredPreview { warnings, .. } = serde_json::from_str(preview)?;
    Ok(serde_json::from_str(warnings.get())?)
}

/// Whether it changes a part that was protected after it was proposed: no warning of the plan tells of that part.
fn touches_protected<C: Content>(
    conn: &mut Conn,
    plan: &Plan,
    outcome: &Outcome,
    warnings: &[PlanWarning],
) -> Result<bool, Failure> {
    let places = protection::store::places(conn, plan.file_id)?;
    // Most files protect nothing, and then no content is parsed.
    if places.is_empty() {
        return Ok(false);
    }
    let Outcome { content: Some(later), operations, .. } = outcome else { return Ok(false) };
    let base = authorship::store::find(conn, plan.base_version_id)?;
    let (before, later): (C, C) = (serde_json::from_str(&base.stored.content)?, serde_json::from_str(later.as_str())?);
    let operations = operation::stored::<C>(operations)?;
    let is_shown = |place: &Anchor| {
        let place = place.to_string();
        warnings.iter().any(|warning| warning.code == WarningCode::ProtectedPart && warning.place == place)
    };
    Ok(touched(&before, &later, Some(&operations), &places).into_iter().any(|place| !is_shown(place)))
}

/// What a plan that changes something writes.
struct Written<'a> {
    plan: &'a Plan,
    file: &'a File,
    outcome: &'a Outcome,
    content: &'a Canonical,
    authorship: Cow<'a, str>,
    editors: Editors,
}

impl<'a> Written<'a> {
    fn new(conn: &mut Conn, (plan, file): (&'a Plan, &'a File), outcome: &'a Outcome) -> Result<Self, Failure> {
        // The stored content, not the operations again: reviewers have approved this content.
        let content = outcome.content.as_ref();
        let content = content.ok_or_else(|| Failure::fault("the content of an open plan is gone"))?;
        if content.sha256_hex() != plan.proposal_sha256 {
            return Err(Failure::fault("a plan is corrupt: its content is not what was proposed"));
        }
        let authorship = match &outcome.authorship {
            Some(authorship) => Cow::Borrowed(authorship.as_str()),
            None => {
                let changed = of_kind!(file.kind, C => {
                    let operations = operation::stored::<C>(&outcome.operations)?;
                    authorship::kept::changed::<C>(conn, file, content.as_str(), Some(&operations))?
                });
                Cow::Owned(changed.ok_or_else(|| Failure::fault("a plan for a file without content"))?)
            }
        };
        Ok(Self { plan, file, outcome, content, authorship, editors: plan.editors() })
    }

    fn next(&self) -> Next<'_> {
        let Self { plan, .. } = self;
        // It makes link domains known, which no agent may do.
        let origin = if plan.is_approved_by_person() { Origin::ApprovedPlan(plan.id) } else { Origin::Plan(plan.id) };
        Next {
            content: self.content.into(),
            gone: &self.outcome.gone,
            origin,
            authorship: Some(&self.authorship),
            edited_by: Some(&self.editors),
            freed_bytes: plan.content_bytes,
        }
    }
}

/// Moves comments on cells and protected cells as the plans, which have just been applied, move their cells.
fn move_anchors(conn: &mut Conn, by: &ChangeContext, all: &[Written<'_>]) -> Result<(), Error> {
    // No statement for files whose parts keep their ids.
    let moves = |file: &File| of_kind!(file.kind, C => C::SHIFT_ANCHOR.is_some()).unwrap_or_default();
    let ids: Vec<FileId> =
        all.iter().map(|written| written.file).filter(|file| moves(file)).map(|file| file.id).collect();
    if ids.is_empty() {
        return Ok(());
    }
    let mut comments = comments::store::ranges(conn, &ids)?;
    let mut protections = protection::store::of_files(conn, &ids)?;
    for Written { plan, file, outcome, .. } in all {
        let (comments, protection) = (comments.remove(&file.id), protections.remove(&file.id));
        // Most files have none, and then no operation is parsed.
        if comments.is_some() || protection.is_some() {
            let of_file = (comments.unwrap_or_default(), protection);
            of_kind!(file.kind, C => {
                let operations = operation::stored::<C>(&outcome.operations)?;
                move_in_file::<C>(conn, by, (plan, &operations), of_file)?;
            });
        }
    }
    Ok(())
}

fn move_in_file<C: Content>(
    conn: &mut Conn,
    by: &ChangeContext,
    (plan, operations): (&Plan, &[C::Operation]),
    (comments, protection): (Vec<(CommentId, Anchor)>, Option<Protection>),
) -> Result<(), Error> {
    let moves = comments.into_iter().filter_map(|(comment, before)| {
        let now = C::shift_anchor(operations, before.clone());
        (now != before).then_some(Move { comment, before, now })
    });
    moved_anchors::move_all(conn, by, &moves.collect::<Vec<_>>(), plan.base_version_id)?;
    if let Some(protection) = protection {
        protection::moved::shift::<C>(conn, (plan.file_id, plan.base_version_id), protection, operations)?;
    }
    Ok(())
}
