//! The page of a plan: state, warnings, forms and changes.

use maud::{Markup, html};
use shared_model::{Error, Refusal};
use shared_runtime::pages::{Page, SignedIn};

use super::{changes, forms, seen::PlanSeen, warnings};
use crate::{
    base::ids::{FileId, PlanId},
    faces::pages::{
        answer::member,
        crumbs,
        listing::FileSeen,
        paging,
        phrases::{actor, bytes, counted, name, time, untrusted},
    },
};

pub async fn plan(visit: SignedIn) -> Result<Page, Error> {
    page(&visit, None).await
}

/// `refused` is the refusal of the form that was sent.
pub async fn page(visit: &SignedIn, refused: Option<&Refusal>) -> Result<Page, Error> {
    let (file, plan): (FileId, PlanId) = visit.path()?;
    let (file, plan) = (file.to_string(), plan.to_string());
    // A form has no page number.
    let asked = match refused {
        Some(_) => 1,
        None => paging::asked(visit.value("page"))?,
    };
    let plan: PlanSeen = member(visit.operation("get_edit_plan").path(&[&file, &plan]).answer().await?, "plan")?;
    let file: FileSeen = member(visit.operation("get_file").path(&[&file]).answer().await?, "file")?;
    let mut folders = crumbs::folders(visit, file.parent_id.as_deref()).await?;
    // The last crumb leads back to the file.
    folders.extend(file.id.parse().ok().map(|id| (id, file.name.clone())));
    let body = html! {
        (crumbs::show(&folders))
        @if let Some(refusal) = refused {
            div.alert role="alert" {
                p { strong { "Nothing was done. " } (refusal.message) }
                (shared_runtime::pages::what_next(refusal.next_action(false).as_ref()))
            }
        }
        (facts(&plan, &file))
        (review(&plan))
        (warnings::show(&plan.warnings))
        (forms::show(visit, &plan, &file))
        section.changes aria-labelledby="changes" {
            h2 #changes { "Changes" }
            (untrusted("What a plan would write"))
            (changes::show(&plan, asked))
        }
    };
    let page = Page::new(format!("Plan for {}", file.name), body).heading(html! { "Plan for " (name(&file.name)) });
    Ok(match refused {
        // With the status of the refusal, not 200.
        Some(refusal) => page.refused_with(refusal.code),
        None => page,
    })
}

fn facts(plan: &PlanSeen, file: &FileSeen) -> Markup {
    let summary = &plan.summary;
    let counts = [
        (summary.inserted, "inserted"),
        (summary.replaced, "replaced"),
        (summary.deleted, "deleted"),
        (summary.moved, "moved"),
    ];
    html! {
        p.standing {
            span class=(format!("state {}", plan.state)) { (plan.state_word()) }
            @if plan.stale && is_open(plan) { " " span.state.stale { "Stale: the file has changed since" } }
            @if plan.no_op { " " span.state { "Changes nothing" } }
        }
        dl.facts {
            div { dt { "Proposed by" } dd { (actor(&plan.actor)) ", " (time(plan.created_at)) } }
            @if is_open(plan) { div { dt { "Can be applied until" } dd { (time(plan.expires_at)) } } }
            div { dt { "For version" } dd { a href=(format!("{}?version={}", file.href(), plan.base_version_id)) { (plan.base_version_id) } } }
            @if let Some(version) = &plan.applied_version_id {
                div { dt { "Became version" } dd { a href=(format!("{}?version={version}", file.href())) { (version) } } }
            }
            div {
                dt { "Result" }
                dd {
                    @for (count, word) in counts { @if count > 0 { (count) " " (word) ", " } }
                    @if summary.cells_changed > 0 { (counted(summary.cells_changed, "cell", "cells")) " changed, " }
                    (bytes(summary.bytes_before)) " → " (bytes(summary.bytes_after))
                }
            }
            div { dt { "Result's SHA-256" } dd { code { (plan.proposal_sha256) } } }
        }
    }
}

/// Whether the plan can still be applied or decided.
pub fn is_open(plan: &PlanSeen) -> bool {
    matches!(plan.state.as_str(), "proposed" | "in_review" | "approved")
}

fn review(plan: &PlanSeen) -> Markup {
    html! {
        @if let Some(review) = &plan.review {
            section.review aria-labelledby="review" {
                h2 #review { "Review" }
                p { (actor(&review.requested_by)) " asked for a review." }
                @if let Some(note) = &review.note { blockquote.as-written dir="auto" { (note) } }
                @if let (Some(verdict), Some(by)) = (&review.verdict, &review.by) {
                    p { (actor(by)) " has " strong { (verdict) } " it" @if let Some(at) = review.at { ", " (time(at)) } "." }
                }
                @if let Some(reason) = &review.reason { blockquote.as-written dir="auto" { (reason) } }
            }
        }
    }
}
