//! `GET /w/reviews`: the plans that wait for a review by the visitor.

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::{Page, SignedIn};

use super::{
    phrases::{actor, address, counted, file_href, name, time, untrusted},
    plan::shown_plan::ShownPlan,
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
    let list = list(&visit, visit.value("cursor").unwrap_or_default()).await?;
    let mut plans = Vec::with_capacity(list.items.len());
    for listed in list.items {
        plans.push((listed.file_name.clone().unwrap_or_default(), ShownPlan::parse(listed)?));
    }
    Ok(Page::new(
        "Waiting for your review",
        html! {
            p { a href="/w" { "All files" } }
            @if plans.is_empty() {
                p { "No plan waits for your review." }
            } @else {
                (untrusted("A file's name"))
                ul.plans { @for (file, plan) in &plans { li { (entry(file, plan)) } } }
            }
            @if let Some(cursor) = &list.next_cursor {
                nav.pages aria-label="Pages of the list" {
                    a rel="next" href=(address("/w/reviews", &[("cursor", cursor)])) { "Next page" }
                }
            }
        },
    ))
}

fn entry(file: &str, plan: &ShownPlan) -> Markup {
    let record = &plan.record;
    html! {
        a href=(plan.href()) { "Plan of " (counted(record.operations, "edit", "edits")) }
        " for " a href=(file_href(record.file_id)) { (name(file)) }
        ", by " (actor(&record.actor)) ", " (time(record.created_at))
        @if record.stale { " " span.state { "Stale" } }
        @if !plan.warnings.is_empty() { ", " (counted(plan.warnings.len(), "warning", "warnings")) }
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
    let count = counted(list.items.len(), "plan waits", "plans wait");
    Ok(html! {
        @if !list.items.is_empty() {
            p.waiting {
                a href="/w/reviews" { @if list.has_more { "More than " } (count) " for your review" }
            }
        }
    })
}
