//! What a plan would do, without the page around it: for other programs that show it to a person.

use maud::{Markup, html};
use serde_json::Value;
use shared_model::Failure;

use super::{
    changes,
    part_names::PartNames,
    shown_plan::{ShownPlan, state_word},
    totals, warnings,
};
use crate::{
    edits::plans::record::PlanRecord,
    faces::pages::phrases::{actor, name, proposal_href, untrusted},
};

pub struct Excerpt<'a> {
    pub plan: PlanRecord,
    pub file_name: &'a str,
    /// The content of the version that the plan is for, which names the changed parts.
    pub base: Option<&'a Value>,
    /// The page of the changes, from 1.
    pub page: usize,
    /// What a link to another page begins with; empty if the excerpt is shown alone.
    pub uri: &'a str,
}

/// Without forms: a click in another program is not known to be a person's.
pub fn excerpt(Excerpt { plan, file_name, base, page, uri }: Excerpt<'_>) -> Result<Markup, Failure> {
    let plan = ShownPlan::parse(plan)?;
    let names = base.map(PartNames::of).unwrap_or_default();
    Ok(html! {
        section.plan {
            h1 { (text!("Plan for {file}", file = name(file_name))) }
            p.standing {
                span class=(format!("state {}", plan.record.state)) { (state_word(plan.record.state)) }
                @if plan.record.stale && plan.is_open() {
                    " " span.state.stale { (text!("Stale: the file has changed since")) }
                }
                " " (text!("Proposed by {author}", author = actor(&plan.record.actor)))
            }
            (warnings::show(&plan.warnings))
            (untrusted(text!("What a plan would write")))
            (changes::list(&plan.changes, &names, page, |page| format!("{uri}?page={page}")))
            @if let Some(totals) = &plan.totals { (totals::show(totals)) }
            @match plan.record.proposal_id.filter(|_| plan.is_decided_together()) {
                Some(proposal) => p { a href=(proposal_href(proposal)) { (text!("Decide on the page of the proposal")) } },
                None => p { a href=(plan.href()) { (text!("Decide on the page of the plan")) } },
            }
        }
    })
}
