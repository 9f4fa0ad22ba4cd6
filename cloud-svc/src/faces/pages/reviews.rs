//! `GET /w/reviews`: the plans and proposals that wait for a review by the visitor, and the other open proposals.

use std::collections::HashSet;

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::{Page, SignedIn};

use super::{
    phrases::{actor, address, counted, file_href, name, proposal_href, time, untrusted},
    plan::shown_plan::ShownPlan,
    proposal::{self, list::OpenProposals},
};
use crate::{base::ids::ProposalId, edits::plans::inbox::WorkspacePlanList};

const ROWS: &str = "20";
/// The most plans of one answer.
const MOST: &str = "100";

async fn list(visit: &SignedIn, cursor: &str, limit: &str) -> Result<WorkspacePlanList, Error> {
    visit
        .operation("list_workspace_plans")
        .query("for", "me")
        .query("limit", limit)
        .query("cursor", cursor)
        .answer()
        .await
}

async fn first(visit: &SignedIn) -> Result<WorkspacePlanList, Error> {
    let few = list(visit, "", ROWS).await?;
    // The plans of one proposal may fill the list, and are one decision.
    if few.has_more && !proposals(&few).is_empty() { list(visit, "", MOST).await } else { Ok(few) }
}

/// The proposals to which plans of the list belong.
fn proposals(list: &WorkspacePlanList) -> HashSet<ProposalId> {
    list.items.iter().filter_map(|plan| plan.proposal_id).collect()
}

/// How many decisions wait: one for each proposal, and one for each other plan.
fn decisions(list: &WorkspacePlanList) -> usize {
    proposals(list).len() + list.items.iter().filter(|plan| plan.proposal_id.is_none()).count()
}

pub async fn reviews(visit: SignedIn) -> Result<Page, Error> {
    let cursor = visit.value("cursor").unwrap_or_default();
    let (list, open) = if cursor.is_empty() {
        let first = first(&visit).await?;
        let open = proposal::list::open(&visit, &proposals(&first)).await?;
        (first, open)
    } else {
        (list(&visit, cursor, ROWS).await?, OpenProposals::default())
    };
    let (mut plans, mut listed) = (Vec::with_capacity(list.items.len()), open.listed);
    for plan in list.items {
        // A proposal that has no line above gets one with the first of its plans.
        if plan.proposal_id.is_none_or(|proposal| listed.insert(proposal)) {
            plans.push((plan.file_name.clone().unwrap_or_default(), ShownPlan::parse(plan)?));
        }
    }
    Ok(Page::new(
        text!("Waiting for your review"),
        html! {
            p { a href="/w" { (text!("All files")) } }
            (open.waiting)
            @if !plans.is_empty() {
                h2 { (text!("Plans")) }
                (untrusted(text!("A file's name")))
                ul.plans { @for (file, plan) in &plans { li { (entry(file, plan)) } } }
            } @else if listed.is_empty() {
                p { (text!("No plan waits for your review.")) }
            }
            @if let Some(cursor) = &list.next_cursor {
                nav.pages aria-label=(text!("Pages of the list")) {
                    a rel="next" href=(address("/w/reviews", &[("cursor", cursor)])) { (text!("Next page")) }
                }
            }
            (open.others)
        },
    ))
}

fn entry(file: &str, plan: &ShownPlan) -> Markup {
    let record = &plan.record;
    html! {
        @let edits = html! { a href=(plan.href()) { (counted(record.operations, text!("Plan of {n} edit"), text!("Plan of {n} edits"))) } }
        ;
        @let file = html! { a href=(file_href(record.file_id)) { (name(file)) } };
        (text!("{plan} for {file}, by {author}", plan = edits, file = file, author = actor(&record.actor))) ", " (time(record.created_at))
        @if record.stale { " " span.state { (text!("Stale")) } }
        @if !plan.warnings.is_empty() {
            ", " (counted(plan.warnings.len(), text!("{n} warning"), text!("{n} warnings")))
        }
        @if let Some(proposal) = record.proposal_id {
            ", " a href=(proposal_href(proposal)) { (text!("decided with its proposal")) }
        }
    }
}

/// For the header of every page.
pub async fn count(visit: SignedIn) -> Result<Option<String>, Error> {
    let list = first(&visit).await?;
    // The list has one page only: nobody needs to know whether it is 21 or 200.
    let more = if list.has_more { "+" } else { "" };
    Ok((!list.items.is_empty()).then(|| format!("{}{more}", decisions(&list))))
}

/// The line on the page of all files; empty if nothing waits.
pub async fn waiting(visit: &SignedIn) -> Result<Markup, Error> {
    let list = first(visit).await?;
    let (one, many) = match (list.has_more, proposals(&list).is_empty()) {
        (false, true) => (text!("{n} plan waits for your review"), text!("{n} plans wait for your review")),
        (false, false) => {
            (text!("{n} plan or proposal waits for your review"), text!("{n} plans or proposals wait for your review"))
        }
        // The plans of one proposal may fill more than one list.
        (true, _) => (text!("At least {n} review waits for you"), text!("At least {n} reviews wait for you")),
    };
    let count = counted(decisions(&list), one, many);
    Ok(html! {
        @if !list.items.is_empty() {
            p.waiting {
                a href="/w/reviews" { (count) }
            }
        }
    })
}
