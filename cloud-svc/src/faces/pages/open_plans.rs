//! Links to the open plans for a file.

use maud::{Markup, html};
use serde::Deserialize;
use shared_model::{Error, Failure};
use shared_runtime::pages::SignedIn;

use super::{
    listing::FileSeen,
    phrases::{actor, counted, time},
    plan::seen::PlanSeen,
};

#[derive(Deserialize)]
struct List {
    items: Vec<PlanSeen>,
}

/// Empty if there are none.
pub async fn show(visit: &SignedIn, file: &FileSeen) -> Result<Markup, Error> {
    let answer = visit.operation("list_edit_plans").path(&[&file.id]).answer().await?;
    let List { items } = serde_json::from_value(answer).map_err(Failure::from)?;
    Ok(html! {
        @if !items.is_empty() {
            section.plans aria-labelledby="plans" {
                h2 #plans { "Open plans" }
                ul {
                    @for plan in &items {
                        li {
                            a href=(plan.href()) {
                                (counted(plan.operations, "edit", "edits")) " by " (actor(&plan.actor)) ", " (time(plan.created_at))
                            }
                            " " span.state { (plan.state_word()) }
                            @if plan.stale { " " span.state { "Stale" } }
                            @if !plan.warnings.is_empty() { ", " (counted(plan.warnings.len(), "warning", "warnings")) }
                        }
                    }
                }
            }
        }
    })
}
