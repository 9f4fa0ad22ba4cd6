//! The plans of a proposal: for each file its warnings and its changes.

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::SignedIn;

use super::shown_proposal::ShownProposal;
use crate::{
    edits::plans::record::PlanAnswer,
    faces::pages::{
        paging::PAGE_COST,
        phrases::{actor, counted, file_href, name},
        plan::{
            base_names, changes,
            part_names::PartNames,
            shown_plan::{ShownPlan, state_word},
            totals, warnings,
        },
    },
};

/// How many changes of one plan are shown here. The page of the plan shows all of them.
const CHANGES: usize = 50;
const WARNINGS: usize = 20;
/// No other plan is read once the changes take about this many bytes of HTML. The last plan may add a page.
const COST: usize = 3 * PAGE_COST;
/// With more plans, no version is read to name the parts that change. The page makes about fifty calls at most, and one
/// for each stale plan.
const NAMED: usize = 25;

pub struct Plans {
    pub shown: Markup,
    /// Whether nothing is left to the pages of the plans.
    pub are_all_shown: bool,
}

/// The changes of one plan.
struct Changes {
    shown: Markup,
    /// About the bytes of their HTML.
    cost: usize,
    /// Whether none is left to the page of the plan.
    are_all: bool,
}

/// Where the plan with this place in the list stands on the page.
pub fn anchor(index: usize) -> String {
    format!("plan-{}", index + 1)
}

pub fn file_name(plan: &ShownPlan) -> Markup {
    name(plan.record.file_name.as_deref().unwrap_or_default())
}

/// One after another: fifty of them may be megabytes.
pub async fn show(visit: &SignedIn, proposal: &ShownProposal) -> Result<Plans, Error> {
    let are_named = proposal.plans.len() <= NAMED;
    let (mut sections, mut left, mut are_all_shown) = (Vec::with_capacity(proposal.plans.len()), COST, true);
    for (index, plan) in proposal.plans.iter().enumerate() {
        let changes = if left > 0 { read(visit, plan, are_named).await? } else { unread(plan) };
        left = left.saturating_sub(changes.cost);
        are_all_shown &= changes.are_all && plan.warnings.len() <= WARNINGS;
        sections.push(section(index, plan, &changes.shown));
    }
    Ok(Plans { shown: html! { @for section in sections { (section) } }, are_all_shown })
}

/// The changes of a plan that is listed without them.
async fn read(visit: &SignedIn, listed: &ShownPlan, are_named: bool) -> Result<Changes, Error> {
    let record = &listed.record;
    let read = visit.operation("get_edit_plan").path(&[&record.file_id.to_string(), &record.id.to_string()]);
    let PlanAnswer { plan, .. } = read.answer().await?;
    // The hash of the proposal covers these changes, because a rebase makes another plan.
    let plan = ShownPlan::parse(plan)?;
    let (count, cost) = changes::fitting(&plan.changes, CHANGES, PAGE_COST);
    let names = match record.file_type {
        Some(kind) if are_named && count > 0 => base_names::read(visit, &plan, kind).await?,
        _ => PartNames::default(),
    };
    let totals = plan.totals.as_ref().map(totals::table).unwrap_or_default();
    let (all, are_all) = (plan.changes.len(), count == plan.changes.len());
    let shown = html! {
        @if plan.changes.is_empty() { p { (text!("Nothing changes.")) } }
        (changes::all(&plan.changes[..count], &names))
        @if !are_all && count == 0 { (do_not_fit(listed)) }
        @else if !are_all {
            (rest(listed, &title!("The first {shown} of {n} changes are shown.", shown = count, n = all)))
        }
        @if !totals.0.is_empty() { h3 { (text!("Values that change with it")) } (totals) }
    };
    Ok(Changes { shown, cost, are_all })
}

/// Of a plan for which the page has no room.
fn unread(plan: &ShownPlan) -> Changes {
    Changes { shown: do_not_fit(plan), cost: 0, are_all: false }
}

fn do_not_fit(plan: &ShownPlan) -> Markup {
    rest(plan, text!("The changes do not fit on this page.").shown())
}

/// Says what is missing, and where it is.
fn rest(plan: &ShownPlan, missing: &str) -> Markup {
    html! {
        p.alert {
            strong { (missing) }
            " " a href=(plan.href()) { (text!("Read all of them on the page of the plan")) }
        }
    }
}

fn section(index: usize, plan: &ShownPlan, changes: &Markup) -> Markup {
    let anchor = anchor(index);
    html! {
        section.planned aria-labelledby=(anchor) {
            h2 id=(anchor) { a href=(file_href(plan.record.file_id)) { (file_name(plan)) } }
            (standing(plan))
            h3 { (text!("Warnings")) }
            div.warnings { (warnings::list(&plan.warnings, WARNINGS)) }
            h3 { (text!("Changes")) }
            (changes)
        }
    }
}

/// The state of a plan, who wrote it, and its page.
fn standing(plan: &ShownPlan) -> Markup {
    let record = &plan.record;
    html! {
        p.standing {
            span class=(format!("state {}", record.state)) { (state_word(record.state)) }
            @if record.stale && plan.is_open() { " " span.state.stale { (text!("Stale: the file has changed since")) } }
            @if record.no_op { " " span.state { (text!("Changes nothing")) } }
            " " a href=(plan.href()) { (counted(record.operations, text!("Plan of {n} edit"), text!("Plan of {n} edits"))) }
            @for other in &record.co_authors { ", " (text!("with {other}", other = actor(other))) }
        }
    }
}
