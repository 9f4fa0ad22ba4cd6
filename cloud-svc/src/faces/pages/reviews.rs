//! `GET /w/reviews`: the open proposals, and the plans that wait for a review by the visitor.

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::{Page, SignedIn};

use super::{
    phrases::{actor, address, counted, file_href, name, proposal_href, time, untrusted},
    plan::shown_plan::ShownPlan,
    proposal,
};
use crate::edits::plans::inbox::WorkspacePlanList;

const ROWS: &str = "20";

async fn list(visit: &SignedIn, cursor: &str) -> Result<WorkspacePlanList, Error> {
    visit
        .operation("list_workspace_plans")
        .query("for", "me")
        .query("limit", ROWS)
        .query("cursor", cursor)
        .answer()
        .await
}

pub async fn reviews(visit: SignedIn) -> Result<Page, Error> {
    let cursor = visit.value("cursor").unwrap_or_default();
    let list = list(&visit, cursor).await?;
    let proposals = if cursor.is_empty() { proposal::list::open(&visit).await? } else { Markup::default() };
    let mut plans = Vec::with_capacity(list.items.len());
    for listed in list.items {
        plans.push((listed.file_name.clone().unwrap_or_default(), ShownPlan::parse(listed)?));
    }
    Ok(Page::new(
        text!("Waiting for your review"),
        html! {
            p { a href="/w" { (text!("All files")) } }
            (proposals)
            h2 { (text!("Plans")) }
            @if plans.is_empty() {
                p { (text!("No plan waits for your review.")) }
            } @else {
                (untrusted(text!("A file's name")))
                ul.plans { @for (file, plan) in &plans { li { (entry(file, plan)) } } }
            }
            @if let Some(cursor) = &list.next_cursor {
                nav.pages aria-label=(text!("Pages of the list")) {
                    a rel="next" href=(address("/w/reviews", &[("cursor", cursor)])) { (text!("Next page")) }
                }
            }
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
    let list = list(&visit, "").await?;
    // The list has one page only: nobody needs to know whether it is 21 or 200.
    let more = if list.has_more { "+" } else { "" };
    Ok((!list.items.is_empty()).then(|| format!("{}{more}", list.items.len())))
}

/// The line on the page of all files; empty if nothing waits.
pub async fn waiting(visit: &SignedIn) -> Result<Markup, Error> {
    let list = list(visit, "").await?;
    let (one, many) = match list.has_more {
        false => (text!("{n} plan waits for your review"), text!("{n} plans wait for your review")),
        true => (text!("More than {n} plan waits for your review"), text!("More than {n} plans wait for your review")),
    };
    let count = counted(list.items.len(), one, many);
    Ok(html! {
        @if !list.items.is_empty() {
            p.waiting {
                a href="/w/reviews" { (count) }
            }
        }
    })
}
