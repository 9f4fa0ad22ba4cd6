//! The forms of a plan.

use maud::{Markup, html};
use shared_runtime::pages::SignedIn;

use super::{shown_plan::ShownPlan, warnings};
use crate::{
    edits::plans::plan::PlanState,
    faces::pages::{
        actions::{APPLY, APPROVE, DISCARD, REBASE, REJECT, REQUEST_REVIEW, RETURN},
        editable::may_edit,
        phrases::{file_href, is_mine, proposal_href},
        typed::typed,
    },
    files::file::{FileRecord, FileState},
};

/// The forms that can succeed for this person now, or why there are none.
// Only a help: the operations check again.
pub fn show(visit: &SignedIn, plan: &ShownPlan, file: &FileRecord) -> Markup {
    let inside = if plan.is_decided_together() {
        together(plan)
    } else if file.state == FileState::Trashed {
        Markup::default()
    } else if plan.waits_for_author() {
        returned(visit, plan, file)
    } else if plan.is_open() {
        open(visit, plan, file)
    } else {
        Markup::default()
    };
    html! {
        @if !inside.0.is_empty() {
            section.decide aria-labelledby="decide" {
                h2 #decide { (text!("Decide")) }
                (inside)
            }
        }
    }
}

/// Where a plan of a proposal is decided.
fn together(plan: &ShownPlan) -> Markup {
    html! {
        @if let Some(proposal) = plan.record.proposal_id {
            @let page = html! { a href=(proposal_href(proposal)) { (text!("the page of the proposal")) } };
            p { (text!("This plan is decided together with the others of its proposal, on {page}.", page = page)) }
        }
    }
}

/// What its author can do with a plan that a reviewer has sent back.
fn returned(visit: &SignedIn, plan: &ShownPlan, file: &FileRecord) -> Markup {
    let edit = html! { a href=(format!("{}/edit", file_href(file.id))) { (text!("the edit page")) } };
    html! {
        @if !plan.is_by(visit) {
            p { (text!("The plan waits for its author, who proposes other edits or discards it.")) }
        } @else {
            @if may_edit(visit, file) {
                p { (text!("Propose other edits on {page}, then discard this plan.", page = edit)) }
            } @else {
                p { (text!("Propose other edits, then discard this plan.")) }
            }
            @if visit.may("discard_edit_plan") { (discard(visit, plan, file)) }
        }
    }
}

fn discard(visit: &SignedIn, plan: &ShownPlan, file: &FileRecord) -> Markup {
    form(visit, plan, file, (DISCARD, html! { button.quiet { (text!("Discard the plan")) } }))
}

fn open(visit: &SignedIn, plan: &ShownPlan, file: &FileRecord) -> Markup {
    let state = plan.record.state;
    let is_proposed = state == PlanState::Proposed;
    let is_in_review = state == PlanState::InReview;
    let is_proposer = is_mine(visit, &plan.record.actor);
    let is_author = plan.is_by(visit);
    let may_apply = plan.apply_operation().is_some_and(|operation| visit.may(operation));
    let form = |action: &str, inside: Markup| form(visit, plan, file, (action, inside));
    // The text of a form that was refused stays in it.
    let kept = |action: &str, field: &str| {
        if visit.value("action") == Some(action) { typed(visit, field) } else { String::new() }
    };
    let may_judge = visit.may("approve_edit_plan") && !is_author;
    // An approval can be taken back.
    let may_refuse = may_judge && (is_in_review || state == PlanState::Approved);
    let forms = html! {
        @if (is_proposed || state == PlanState::Approved) && !plan.record.stale && may_apply {
            (form(APPLY, html! { (warnings::worst(&plan.warnings)) button { (text!("Apply to the file")) } }))
        }
        @if may_judge && is_in_review {
            @if plan.record.stale {
                p.note {
                    (text!("The file has changed since. Update the plan first: what is approved must fit the present file."))
                }
            } @else {
                (form(APPROVE, html! { (warnings::worst(&plan.warnings)) button { (text!("Approve")) } }))
            }
        }
        @if may_refuse {
            (form(RETURN, html! {
                label for="wish" { (text!("What its author should change")) }
                textarea #wish name="reason" required maxlength="1000" dir="auto" { "\n" (kept(RETURN, "reason")) }
                button.quiet { (text!("Send back to its author")) }
            }))
            (form(REJECT, html! {
                label for="reason" { (text!("Reason for rejecting it")) }
                textarea #reason name="reason" required maxlength="1000" dir="auto" { "\n" (kept(REJECT, "reason")) }
                button.danger { (text!("Reject")) }
            }))
        }
        @if is_proposed && is_proposer && !plan.record.stale && visit.may("request_plan_review") {
            (form(REQUEST_REVIEW, html! {
                label for="note" { (text!("What the reviewer should know (optional)")) }
                textarea #note name="note" maxlength="1000" dir="auto" { "\n" (kept(REQUEST_REVIEW, "note")) }
                button.quiet { (text!("Ask somebody else for a review")) }
            }))
        }
        @if is_proposer && visit.may("discard_edit_plan") { (discard(visit, plan, file)) }
    };
    html! {
        @if is_in_review && is_proposer {
            p { (text!("You have proposed this plan: somebody else has to approve it.")) }
        }
        @else if is_in_review && is_author {
            p { (text!("Some of the edits are yours: somebody else has to approve them.")) }
        }
        @else if is_in_review && !may_judge { p { (text!("The plan waits for somebody who may approve plans.")) } }
        @if forms.0.is_empty() && !is_in_review { p { (text!("You may read this plan, but not change it.")) } }
        (forms)
    }
}

/// The one thing to do with a plan that is not up to date. Empty if it is, or if it can only be replaced.
pub fn update(visit: &SignedIn, plan: &ShownPlan, file: &FileRecord) -> Markup {
    let is_expired = plan.record.state == PlanState::Expired;
    let is_old = plan.record.stale && plan.is_open() || is_expired;
    // A returned plan needs other edits, and a plan of a proposal is rebased with the others.
    let is_refused = plan.was_returned() || plan.is_decided_together();
    if !is_old || is_refused || file.state == FileState::Trashed || !visit.may("rebase_edit_plan") {
        return Markup::default();
    }
    let button = html! { button { (text!("Update to the current file")) } };
    html! {
        p { (text!("The same edits can be proposed for the file as it is now, if they still fit.")) }
        (form(visit, plan, file, (REBASE, button)))
    }
}

fn form(visit: &SignedIn, plan: &ShownPlan, file: &FileRecord, (action, inside): (&str, Markup)) -> Markup {
    let fields = html! {
        input type="hidden" name="action" value=(action);
        // The state of the file that the person has seen.
        input type="hidden" name="etag" value=(file.etag);
        (inside)
    };
    visit.form(&plan.href(), fields)
}
