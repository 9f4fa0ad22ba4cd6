//! Links to the open plans for a file.

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::SignedIn;

use super::{
    phrases::{actor, counted, is_mine, proposal_href, time},
    plan::shown_plan::{ShownPlan, state_word},
};
use crate::{
    edits::plans::{list::PlanList, plan::PlanState},
    files::file::FileRecord,
};

/// Empty if there are none.
pub async fn show(visit: &SignedIn, file: &FileRecord) -> Result<Markup, Error> {
    let list: PlanList =
        visit.operation("list_edit_plans").path(&[&file.id.to_string()]).query("limit", "100").answer().await?;
    let plans = list.items.into_iter().map(ShownPlan::parse).collect::<Result<Vec<_>, _>>()?;
    // Agents propose many plans, and most of them wait for nobody: they must not stand before the content.
    let is_waiting = |plan: &&ShownPlan| {
        let state = plan.record.state;
        let is_own = is_mine(visit, &plan.record.actor) && (state == PlanState::Returned || !plan.record.stale);
        matches!(state, PlanState::InReview | PlanState::Approved) || is_own
    };
    let (waiting, others): (Vec<_>, Vec<_>) = plans.iter().partition(is_waiting);
    Ok(html! {
        @if !plans.is_empty() {
            section.plans aria-labelledby="plans" {
                h2 #plans { (text!("Open plans")) }
                (items(visit, &waiting))
                @if !others.is_empty() {
                    details {
                        summary { (counted(others.len(), text!("{n} plan that is not in review"), text!("{n} plans that are not in review"))) }
                        (items(visit, &others))
                    }
                }
                @if list.has_more { p { (text!("The newest {n} are shown.", n = plans.len())) } }
            }
        }
    })
}

fn items(visit: &SignedIn, plans: &[&ShownPlan]) -> Markup {
    html! {
        @if !plans.is_empty() {
            ul {
                @for plan in plans {
                    li {
                        a href=(plan.href()) {
                            @let edits = counted(plan.record.operations, text!("{n} edit"), text!("{n} edits"));
                            (text!("{edits} by {author}", edits = edits, author = actor(&plan.record.actor))) ", " (time(plan.record.created_at))
                        }
                        " " span.state { (state_word(plan.record.state)) }
                        @if plan.record.state == PlanState::Proposed && !is_mine(visit, &plan.record.actor) {
                            ", " (text!("not in review"))
                        }
                        @if plan.record.stale { " " span.state { (text!("Stale")) } }
                        @if !plan.warnings.is_empty() {
                            ", " (counted(plan.warnings.len(), text!("{n} warning"), text!("{n} warnings")))
                        }
                        @if let Some(proposal) = plan.record.proposal_id {
                            ", " a href=(proposal_href(proposal)) { (text!("decided with its proposal")) }
                        }
                    }
                }
            }
        }
    }
}
