//! The page of a plan: state, warnings, forms and changes.

use maud::{Markup, html};
use shared_model::{Error, Refusal};
use shared_runtime::pages::{Page, SignedIn};

use super::{
    base_names, changes, forms, receipts, review,
    shown_plan::{ShownPlan, state_word},
    totals, warnings, word,
};
use crate::{
    base::{
        codes,
        ids::{FileId, PlanId},
    },
    edits::plans::{
        lineage::DerivedBy,
        record::{PlanAnswer, PlanRecord},
    },
    faces::pages::{
        crumbs, paging,
        phrases::{actor, ago, bytes, counted, file_href, name, proposal_href, time, untrusted},
        refused, up_to_date, version_forms,
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
    let names = base_names::read(visit, &plan, file.kind).await?;
    let not_up_to_date = not_up_to_date(visit, &plan, &file).await?;
    let ended = ended(visit, &plan.record).await?;
    let body = html! {
        (facts(&plan, &ended))
        (not_up_to_date)
        (reviewed(&plan.record))
        (warnings::show(&plan.warnings))
        section.changes aria-labelledby="changes" {
            h2 #changes { (text!("Changes")) }
            (untrusted(text!("What a plan would write")))
            (changes::list(&plan.changes, &names, asked, |page| format!("{}?page={page}", plan.href())))
        }
        (word::link(visit, &plan, &file))
        (receipts::link(visit, &plan))
        @if let Some(totals) = &plan.totals { (totals::show(totals)) }
        (forms::show(visit, &plan, &file))
        (undo(visit, &plan.record, &file))
        (ids(&plan.record))
    };
    let alert = match refused {
        // Below it stands who has changed the file.
        Some(refusal) => refused::alert_because(visit, refusal, &reason(&plan, refusal), &body).await?,
        None => Markup::default(),
    };
    let body = html! { (crumbs::show(&folders)) (alert) (body) };
    let page = Page::new(title!("Plan for {file}", file = file.name), body)
        .heading(text!("Plan for {file}", file = name(&file.name)))
        .watched(up_to_date::path(&file, Some(&plan.record)));
    Ok(match refused {
        // With the status of the refusal, not 200.
        Some(refusal) => page.refused_with(refusal.code),
        None => page,
    })
}

/// Why a form was refused.
fn reason(plan: &ShownPlan, refusal: &Refusal) -> Markup {
    // A plan of a proposal is refused in every state, and the message says why.
    if *refusal.code == codes::PLAN_STATE && plan.record.proposal_id.is_none() {
        return text!("Its state has changed meanwhile: {state}.", state = state_word(plan.record.state));
    }
    refused::reason(refusal)
}

/// Until the file changes again.
fn undo(visit: &SignedIn, plan: &PlanRecord, file: &FileRecord) -> Markup {
    let is_current = plan.applied_version_id.is_some() && plan.applied_version_id == file.current_version_id;
    if !is_current {
        return Markup::default();
    }
    match plan.proposal_id {
        // One file alone would be half of what was applied together.
        Some(proposal) if visit.may("undo_proposal") => {
            let page = html! { a href=(proposal_href(proposal)) { (text!("the page of the proposal")) } };
            html! { p { (text!("It was applied together with others: undo all of them on {page}.", page = page)) } }
        }
        Some(_) => Markup::default(),
        None => version_forms::restore(visit, file, plan.base_version_id, text!("Undo this")),
    }
}

/// What has taken the place of a plan; empty if nothing has.
async fn ended(visit: &SignedIn, plan: &PlanRecord) -> Result<Markup, Error> {
    let Some(new) = plan.superseded_by else { return Ok(Markup::default()) };
    let read = visit.operation("get_edit_plan").path(&[&plan.file_id.to_string(), &new.to_string()]).answer();
    let is_part = match read.await {
        Ok(PlanAnswer { plan: new, .. }) => !is_made_from(&new, plan),
        // The older plan may be kept longer.
        Err(Error::Refused(_)) => false,
        Err(failed) => return Err(failed),
    };
    let href = format!("{}/plans/{new}", file_href(plan.file_id));
    Ok(html! {
        @if is_part {
            div {
                dt { (text!("Ended by")) }
                dd { a href=(href) { (text!("the last of its parts")) } ". " (text!("Its parts have made all its changes.")) }
            }
        } @else {
            div { dt { (text!("Replaced by")) } dd { a href=(href) { (text!("another plan")) } } }
        }
    })
}

/// Whether this plan is the rebase, the amendment or the next revision of the other.
// Otherwise it is the last of its parts, which ended it.
fn is_made_from(new: &PlanRecord, old: &PlanRecord) -> bool {
    let derived = new.derived_from.as_ref().filter(|derived| derived.plan_id == old.id);
    new.rebased_from == Some(old.id) || derived.is_some_and(|derived| derived.how != DerivedBy::Split)
}

/// What has happened since, and one button.
async fn not_up_to_date(visit: &SignedIn, plan: &ShownPlan, file: &FileRecord) -> Result<Markup, Error> {
    let is_stale = plan.record.stale && plan.is_open();
    let change = if is_stale { refused::latest_change(visit, file.id).await? } else { None };
    let now = visit.context.clock.now();
    let update = forms::update(visit, plan, file);
    Ok(html! {
        @if is_stale || !update.0.is_empty() {
            div.alert role="group" aria-label=(text!("Not up to date")) {
                @if is_stale {
                    p {
                        strong { (text!("The file has changed since this plan was made.")) }
                        @if let Some(change) = change {
                            " " (text!("Last by {author}, {time}.", author = actor(&change.actor), time = ago(now, change.at)))
                        }
                    }
                } @else { p { strong { (text!("This plan was not applied in time.")) } } }
                (update)
            }
        }
    })
}

/// For those who compare it with what a program says.
fn ids(plan: &PlanRecord) -> Markup {
    let href = file_href(plan.file_id);
    html! {
        details.organize {
            summary { (text!("Details")) }
            dl.facts {
                div {
                    dt { (text!("For version")) }
                    dd { a href=(format!("{href}?version={}", plan.base_version_id)) { (plan.base_version_id) } }
                }
                div { dt { (text!("Result's SHA-256")) } dd { code { (plan.proposal_sha256) } } }
            }
        }
    }
}

fn facts(shown: &ShownPlan, ended: &Markup) -> Markup {
    let (plan, summary, href) = (&shown.record, &shown.summary, file_href(shown.record.file_id));
    let counts = [
        (summary.counts.inserted, text!("{n} inserted")),
        (summary.counts.replaced, text!("{n} replaced")),
        (summary.counts.deleted, text!("{n} deleted")),
        (summary.counts.moved, text!("{n} moved")),
    ];
    html! {
        p.standing {
            span class=(format!("state {}", plan.state)) { (state_word(plan.state)) }
            @if plan.stale && shown.is_open() { " " span.state.stale { (text!("Stale: the file has changed since")) } }
            @if plan.no_op { " " span.state { (text!("Changes nothing")) } }
        }
        dl.facts {
            div {
                dt { (text!("Proposed by")) }
                dd {
                    (actor(&plan.actor))
                    @for other in &plan.co_authors { ", " (text!("with {other}", other = actor(other))) }
                    ", " (time(plan.created_at))
                    @if plan.revision > 1 { " (" (text!("revision {n}", n = plan.revision)) ")" }
                }
            }
            @if let Some(by) = &plan.rebased_by {
                div { dt { (text!("Updated to the current file by")) } dd { (actor(by)) } }
            }
            (ended)
            @if let Some(proposal) = plan.proposal_id {
                div {
                    dt { (text!("Belongs to")) }
                    dd { a href=(proposal_href(proposal)) { (text!("a proposal over several files")) } }
                }
            }
            @if let Some(at) = plan.confirmed_at {
                div {
                    dt { (text!("The agent's client says that a person agreed")) }
                    dd { (time(at)) ". " (text!("This is not an approval.")) }
                }
            }
            @if let Some(comment) = plan.answers_comment_id {
                div { dt { (text!("Answers")) } dd { a href=(format!("{href}#{comment}")) { (text!("a comment")) } } }
            }
            @if shown.is_open() { div { dt { (text!("Can be applied until")) } dd { (time(plan.expires_at)) } } }
            @if let Some(version) = &plan.applied_version_id {
                div {
                    dt { (text!("Became")) }
                    dd { a href=(format!("{href}?version={version}")) { (text!("a version of the file")) } }
                }
            }
            div {
                dt { (text!("Result")) }
                dd {
                    @for (count, word) in counts { @if count > 0 { (word.with(&[("n", &count)])) ", " } }
                    @if summary.counts.cells_changed > 0 {
                        (counted(summary.counts.cells_changed, text!("{n} cell changed"), text!("{n} cells changed"))) ", "
                    }
                    @if summary.counts.formulas_rewritten > 0 {
                        (counted(summary.counts.formulas_rewritten, text!("{n} formula follows its cells"), text!("{n} formulas follow their cells"))) ", "
                    }
                    (bytes(summary.bytes_before)) " → " (bytes(summary.bytes_after))
                }
            }
        }
    }
}

fn reviewed(plan: &PlanRecord) -> Markup {
    let earlier = html! {
        @if let Some(earlier) = &plan.approval_carried_from {
            p {
                @let plan = html! { a href=(format!("{}/plans/{earlier}", file_href(plan.file_id))) { (text!("an earlier plan")) } }
                ;
                (text!("The approval is of {plan}, which had the same changes and warnings.", plan = plan))
            }
        }
    };
    html! { @if let Some(review) = &plan.review { (review::show(review, &earlier)) } }
}
