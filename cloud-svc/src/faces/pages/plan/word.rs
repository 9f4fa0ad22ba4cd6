//! `GET /f/{file_id}/plans/{plan_id}/word`: the plan as a Word file, for people who review there.

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::{http::reply::Reply, pages::SignedIn};

use super::shown_plan::ShownPlan;
use crate::{
    base::ids::{FileId, PlanId},
    files::file::FileRecord,
};
use cloud_content::file_type::FileType;

pub fn link(visit: &SignedIn, plan: &ShownPlan, file: &FileRecord) -> Markup {
    let is_document = file.kind == FileType::Document && !plan.changes.is_empty();
    html! {
        @if is_document && visit.may("export_plan_to_word") {
            // Also for plans that are closed: a reviewer may want to keep what was proposed.
            p {
                a href=(format!("{}/word", plan.href())) download {
                    (text!("Download as a Word file with tracked changes"))
                }
            }
        }
    }
}

pub async fn word(visit: SignedIn) -> Result<Reply, Error> {
    let (file, plan): (FileId, PlanId) = visit.path()?;
    visit.operation("export_plan_to_word").path(&[&file.to_string(), &plan.to_string()]).reply().await
}
