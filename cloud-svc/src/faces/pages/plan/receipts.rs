//! `GET /f/{file_id}/plans/{plan_id}/receipts`: the signed receipts of the decisions about a plan, to keep.

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::{http::reply::Reply, pages::SignedIn};

use super::shown_plan::ShownPlan;
use crate::{
    base::ids::{FileId, PlanId},
    edits::plans::plan::PlanState,
};

pub fn link(visit: &SignedIn, plan: &ShownPlan) -> Markup {
    // An approved plan can expire, and its approval was decided all the same.
    let is_reviewed = plan.record.review.as_ref().is_some_and(|review| review.verdict.is_some());
    let is_decided = is_reviewed || matches!(plan.record.state, PlanState::Discarded | PlanState::Applied);
    html! {
        @if is_decided && visit.may("get_plan_receipt") {
            p { a href=(format!("{}/receipts", plan.href())) download="receipts.json" { (text!("Download its signed receipts")) } }
        }
    }
}

pub async fn receipts(visit: SignedIn) -> Result<Reply, Error> {
    let (file, plan): (FileId, PlanId) = visit.path()?;
    visit.operation("get_plan_receipt").path(&[&file.to_string(), &plan.to_string()]).reply().await
}
