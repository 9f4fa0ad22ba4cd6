//! The forms of a proposal.

use maud::{Markup, html};
use shared_runtime::pages::SignedIn;

use super::shown_proposal::ShownProposal;
use crate::{
    edits::proposals::proposal::ProposalState,
    faces::pages::{
        actions::{APPLY, APPROVE, DISCARD, REBASE, REJECT, REQUEST_REVIEW, UNDO},
        phrases::{is_mine, proposal_href},
        plan::warnings,
        typed::typed,
    },
};

/// The hidden field with the hash of the plans that the page shows.
pub const SEEN: &str = "proposal_sha256";

/// The forms that can succeed for this person now, or why there are none. They stand below all changes.
// Only a help: the operations check again.
pub fn show(visit: &SignedIn, proposal: &ShownProposal, are_all_shown: bool) -> Markup {
    let inside = match proposal.record.state {
        ProposalState::Proposed | ProposalState::InReview | ProposalState::Approved => {
            open(visit, proposal, are_all_shown)
        }
        ProposalState::Applied => undo(visit, proposal),
        ProposalState::Rejected | ProposalState::Discarded | ProposalState::Undone => Markup::default(),
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

fn open(visit: &SignedIn, proposal: &ShownProposal, are_all_shown: bool) -> Markup {
    let state = proposal.record.state;
    let (is_proposed, is_in_review) = (state == ProposalState::Proposed, state == ProposalState::InReview);
    let (is_current, is_over) = (proposal.is_current(), proposal.is_over());
    // Nobody can approve, reject, apply or update it while one of its files is in the trash.
    let is_held = !proposal.trashed.is_empty();
    let is_proposer = is_mine(visit, &proposal.record.actor);
    let is_author = is_proposer || proposal.plans.iter().any(|plan| plan.is_by(visit));
    let may_judge = visit.may("approve_proposal") && !is_author;
    let form = |action: &str, inside: Markup| form(visit, proposal, (action, inside));
    // A refused form keeps its text.
    let kept = |action: &str, field: &str| {
        if visit.value("action") == Some(action) { typed(visit, field) } else { String::new() }
    };
    let forms = html! {
        @if !is_current && proposal.is_whole && !is_held && visit.may("rebase_proposal") { (update(visit, proposal)) }
        @if !is_in_review && is_current && visit.may("apply_proposal") {
            (form(APPLY, html! { (unread(proposal, are_all_shown)) button { (text!("Apply to all files")) } }))
        }
        @if may_judge && is_in_review && is_current {
            (form(APPROVE, html! { (unread(proposal, are_all_shown)) button { (text!("Approve")) } }))
        }
        // An approval can be taken back. What is left after a purge can be rejected, too.
        @if may_judge && !is_proposed && !is_over && !is_held {
            (form(REJECT, html! {
                label for="reason" { (text!("Reason for rejecting it")) }
                textarea #reason name="reason" required maxlength="1000" dir="auto" { "\n" (kept(REJECT, "reason")) }
                button.danger { (text!("Reject")) }
            }))
        }
        @if is_proposed && is_proposer && is_current && visit.may("request_proposal_review") {
            (form(REQUEST_REVIEW, html! {
                label for="note" { (text!("What the reviewer should know (optional)")) }
                textarea #note name="note" maxlength="1000" dir="auto" { "\n" (kept(REQUEST_REVIEW, "note")) }
                button.quiet { (text!("Ask somebody else for a review")) }
            }))
        }
        @if is_proposer && visit.may("discard_proposal") {
            (form(DISCARD, html! { button.quiet { (text!("Discard the proposal with its plans")) } }))
        }
    };
    html! {
        @if is_in_review && is_proposer {
            p { (text!("You have made this proposal: somebody else has to approve it.")) }
        }
        @else if is_in_review && is_author {
            p { (text!("Some of the edits are yours: somebody else has to approve them.")) }
        }
        @else if is_in_review && !may_judge { p { (text!("The proposal waits for somebody who may approve plans.")) } }
        @if state == ProposalState::Approved && is_current && !visit.may("apply_proposal") {
            p { (text!("Somebody with write access can apply it.")) }
        }
        @else if forms.0.is_empty() && !is_in_review && !is_held { p { (text!("You may read this proposal, but not change it.")) } }
        (forms)
    }
}

/// The one step that helps where plans are stale or over.
fn update(visit: &SignedIn, proposal: &ShownProposal) -> Markup {
    let asks_again = proposal.record.state != ProposalState::Proposed;
    html! {
        p {
            (text!("The same edits can be proposed for the files as they are now, if they still fit."))
            @if asks_again { " " (text!("Then all of them wait for a review again.")) }
        }
        (form(visit, proposal, (REBASE, html! { button { (text!("Update to the current files")) } })))
    }
}

/// Of an applied proposal.
fn undo(visit: &SignedIn, proposal: &ShownProposal) -> Markup {
    // One that was just refused would be refused again.
    let is_refused = visit.value("action") == Some(UNDO);
    if !visit.may("undo_proposal") {
        return Markup::default();
    }
    if !proposal.is_whole || is_refused {
        return html! { p { (text!("You can restore the earlier version of each file on its own page.")) } };
    }
    html! {
        p { (text!("All files get their earlier content again, unless one of them has changed since.")) }
        (form(visit, proposal, (UNDO, html! { button.quiet { (text!("Undo this")) } })))
    }
}

fn form(visit: &SignedIn, proposal: &ShownProposal, (action, inside): (&str, Markup)) -> Markup {
    let fields = html! {
        input type="hidden" name="action" value=(action);
        // The plans that the person has seen.
        input type="hidden" name=(SEEN) value=(proposal.record.proposal_sha256);
        (inside)
    };
    visit.form(&proposal_href(proposal.record.id), fields)
}

/// What to read before the button below it is pressed.
fn unread(proposal: &ShownProposal, are_all_shown: bool) -> Markup {
    html! {
        (warnings::worst(proposal.plans.iter().flat_map(|plan| &plan.warnings)))
        @if !are_all_shown {
            p.alert { strong { (text!("Some changes or warnings are only on the pages of their plans. Read them there first.")) } }
        }
    }
}
