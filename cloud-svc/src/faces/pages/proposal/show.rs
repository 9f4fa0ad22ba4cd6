//! `GET /w/proposals/{proposal_id}`: what a proposal would change in each file, and the forms of its decision.

use maud::{Markup, html};
use shared_model::{Error, Refusal};
use shared_runtime::pages::{Page, SignedIn, in_english};

use super::{
    facts,
    forms::{self, SEEN},
    plans,
    shown_proposal::{ShownProposal, state_mark},
};
use crate::{
    base::{codes, ids::ProposalId},
    edits::proposals::{
        proposal::{ProposalState, named_file},
        record::ProposalDetails,
    },
    faces::pages::{
        crumbs,
        phrases::{name, untrusted},
        plan::review,
        refused,
    },
};

pub async fn proposal(visit: SignedIn) -> Result<Page, Error> {
    page(&visit, None).await
}

/// `refused` is the refusal of the form that was sent. What was typed stays in the form.
pub async fn page(visit: &SignedIn, refused: Option<&Refusal>) -> Result<Page, Error> {
    let (id,): (ProposalId,) = visit.path()?;
    let ProposalDetails { proposal, .. } = visit.operation("get_proposal").path(&[&id.to_string()]).answer().await?;
    let proposal = ShownProposal::read(visit, proposal).await?;
    let plans = plans::show(visit, &proposal).await?;
    let record = &proposal.record;
    let body = html! {
        (facts::show(&proposal))
        (untrusted(text!("What a proposal says and would write")))
        @if let Some(reason) = &record.reason {
            section aria-labelledby="why" {
                h2 #why { (text!("Why")) }
                blockquote.as-written dir="auto" { (reason) }
            }
        }
        (facts::not_up_to_date(&proposal))
        @if let Some(review) = &record.review { (review::show(review, &Markup::default())) }
        (plans.shown)
        (forms::show(visit, &proposal, plans.are_all_shown))
        (facts::ids(&proposal))
    };
    let alert = match refused {
        // Below it stands which files have changed.
        Some(refusal) => refused::alert_because(visit, refusal, &reason(visit, &proposal, refusal), &body).await?,
        None => Markup::default(),
    };
    let body = html! { (crumbs::show(&[])) (alert) (body) };
    let page = Page::new(title!("Proposal: {title}", title = record.title), body)
        .heading(text!("Proposal: {title}", title = name(&record.title)));
    Ok(match refused {
        // With the status of the refusal, not 200.
        Some(refusal) => page.refused_with(refusal.code),
        None => page,
    })
}

/// Why a form was refused, with the name of a file in the place of its id.
fn reason(visit: &SignedIn, proposal: &ShownProposal, refusal: &Refusal) -> Markup {
    // The plans are those that the form has shown, and all are there. So only the state can be the reason.
    let is_seen = visit.value(SEEN) == Some(proposal.record.proposal_sha256.as_str()) && proposal.is_whole;
    if *refusal.code == codes::PROPOSAL_STATE && is_seen {
        let state = state_mark(proposal.record.state, proposal.is_over());
        return text!("Its state has changed meanwhile: {state}.", state = state);
    }
    let about = named_file(&refusal.message).and_then(|(file, message)| {
        let plan = proposal.plans.iter().find(|plan| plan.record.file_id == file)?;
        Some((plan, message))
    });
    html! {
        @match about {
            Some((plan, message)) => { (plans::file_name(plan)) ": " (in_english(message)) },
            None => (refused::reason(refusal)),
        }
        @if *refusal.code == codes::PLAN_CONFLICT {
            " " (text!("Its author can discard the proposal and propose the edits again."))
            @if proposal.record.state != ProposalState::Proposed && !proposal.is_over() {
                " " (text!("A reviewer can reject it."))
            }
        }
    }
}
