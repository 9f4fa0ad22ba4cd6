//! The page of a plan: state, warnings, forms and changes.

use maud::{Markup, html};
use shared_model::{Error, Refusal};
use shared_runtime::pages::{Page, SignedIn};

use super::{
    changes, forms,
    shown_plan::{ShownPlan, state_word},
    totals, warnings,
};
use crate::{
    base::ids::{FileId, PlanId},
    edits::plans::record::{PlanAnswer, PlanRecord},
    faces::pages::{
        crumbs, paging,
        phrases::{actor, bytes, counted, file_href, name, time, untrusted},
        version_forms,
    },
    files::{
        details::{read::DetailsAnswer, record::PathEntry},
        file::FileRecord,
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
    let answer: PlanAnswer = visit.operation("get_edit_plan").path(&[&file, &plan]).answer().await?;
    let plan = ShownPlan::parse(answer.plan)?;
    let details = visit.operation("get_file_details").path(&[&file]);
    let DetailsAnswer { file, details, .. } = details.answer().await?;
    let mut folders = details.path;
    // The last crumb leads back to the file.
    folders.push(PathEntry { id: file.id, name: file.name.clone() });
    let body = html! {
        (crumbs::show(&folders))
        @if let Some(refusal) = refused {
            div.alert role="alert" {
                p { strong { "Nothing was done. " } (refusal.message) }
                (shared_runtime::pages::what_next(refusal.next_action(false).as_ref()))
            }
        }
        (facts(&plan, &file))
        (review(&plan.record))
        (warnings::show(&plan.warnings))
        (forms::show(visit, &plan, &file))
        (undo(visit, &plan.record, &file))
        section.changes aria-labelledby="changes" {
            h2 #changes { "Changes" }
            (untrusted("What a plan would write"))
            (changes::list(&plan.changes, asked, |page| format!("{}?page={page}", plan.href())))
        }
        @if let Some(totals) = &plan.totals { (totals::show(totals)) }
    };
    let page = Page::new(format!("Plan for {}", file.name), body).heading(html! { "Plan for " (name(&file.name)) });
    Ok(match refused {
        // With the status of the refusal, not 200.
        Some(refusal) => page.refused_with(refusal.code),
        None => page,
    })
}

/// Until the file changes again.
fn undo(visit: &SignedIn, plan: &PlanRecord, file: &FileRecord) -> Markup {
    let is_current = plan.applied_version_id.is_some() && plan.applied_version_id == file.current_version_id;
    if is_current { version_forms::restore(visit, file, plan.base_version_id, "Undo this") } else { Markup::default() }
}

fn facts(shown: &ShownPlan, file: &FileRecord) -> Markup {
    let (plan, summary, href) = (&shown.record, &shown.summary, file_href(file.id));
    let counts = [
        (summary.counts.inserted, "inserted"),
        (summary.counts.replaced, "replaced"),
        (summary.counts.deleted, "deleted"),
        (summary.counts.moved, "moved"),
    ];
    html! {
        p.standing {
            span class=(format!("state {}", plan.state)) { (state_word(plan.state)) }
            @if plan.stale && shown.is_open() { " " span.state.stale { "Stale: the file has changed since" } }
            @if plan.no_op { " " span.state { "Changes nothing" } }
        }
        dl.facts {
            div { dt { "Proposed by" } dd { (actor(&plan.actor)) ", " (time(plan.created_at)) } }
            @if let Some(by) = &plan.rebased_by { div { dt { "Rebased by" } dd { (actor(by)) } } }
            @if shown.is_open() { div { dt { "Can be applied until" } dd { (time(plan.expires_at)) } } }
            div { dt { "For version" } dd { a href=(format!("{href}?version={}", plan.base_version_id)) { (plan.base_version_id) } } }
            @if let Some(version) = &plan.applied_version_id {
                div { dt { "Became version" } dd { a href=(format!("{href}?version={version}")) { (version) } } }
            }
            div {
                dt { "Result" }
                dd {
                    @for (count, word) in counts { @if count > 0 { (count) " " (word) ", " } }
                    @if summary.counts.cells_changed > 0 { (counted(summary.counts.cells_changed, "cell", "cells")) " changed, " }
                    @if summary.counts.formulas_rewritten > 0 {
                        (counted(summary.counts.formulas_rewritten, "formula follows its cells", "formulas follow their cells")) ", "
                    }
                    (bytes(summary.bytes_before)) " → " (bytes(summary.bytes_after))
                }
            }
            div { dt { "Result's SHA-256" } dd { code { (plan.proposal_sha256) } } }
        }
    }
}

fn review(plan: &PlanRecord) -> Markup {
    html! {
        @if let Some(review) = &plan.review {
            section.review aria-labelledby="review" {
                h2 #review { "Review" }
                p { (actor(&review.requested_by)) " asked for a review." }
                @if let Some(note) = &review.note { blockquote.as-written dir="auto" { (note) } }
                @if let (Some(verdict), Some(by)) = (&review.verdict, &review.by) {
                    p { (actor(by)) " has " strong { (verdict) } " it" @if let Some(at) = review.at { ", " (time(at)) } "." }
                }
                @if let Some(earlier) = &plan.approval_carried_from {
                    p {
                        "The approval is of "
                        a href=(format!("{}/plans/{earlier}", file_href(plan.file_id))) { "an earlier plan" }
                        ", which had the same changes and warnings."
                    }
                }
                @if let Some(reason) = &review.reason { blockquote.as-written dir="auto" { (reason) } }
            }
        }
    }
}
