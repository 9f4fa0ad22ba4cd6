//! `GET /f/{file_id}/state`: whether a page is still up to date. The script of the pages asks it.

use serde_json::json;
use shared_model::{Error, code};
use shared_runtime::pages::{PageResponse, SignedIn};

use super::{
    phrases::{address, file_href},
    refused,
};
use crate::{
    base::ids::FileId,
    edits::plans::record::{PlanAnswer, PlanRecord},
    files::file::{FileAnswer, FileRecord},
};

/// What the script asks about a page of this file, or of this plan for it.
pub fn path(file: &FileRecord, plan: Option<&PlanRecord>) -> String {
    let plan_id = plan.map(|plan| plan.id.to_string()).unwrap_or_default();
    address(&format!("{}/state", file_href(file.id)), &[("plan", &plan_id), ("seen", &seen(file, plan))])
}

fn seen(file: &FileRecord, plan: Option<&PlanRecord>) -> String {
    let etag = file.etag.to_string();
    let etag = etag.trim_matches('"');
    // A verdict changes the plan and not the file.
    match plan {
        Some(plan) => format!("{etag} {}", plan.state),
        None => etag.to_owned(),
    }
}

pub async fn state(visit: SignedIn) -> Result<PageResponse, Error> {
    let (id,): (FileId,) = visit.path()?;
    let file = visit.operation("get_file").path(&[&id.to_string()]).answer::<FileAnswer>().await?.file;
    let plan = match visit.value("plan").unwrap_or_default() {
        "" => None,
        plan => {
            let read = visit.operation("get_edit_plan").path(&[&id.to_string(), plan]).answer::<PlanAnswer>().await?;
            Some(read.plan)
        }
    };
    let asked = visit.value("seen").ok_or_else(|| code::invalid_parameter("seen", "must be what the page showed"))?;
    if asked == seen(&file, plan.as_ref()) {
        return Ok(PageResponse::json(&json!({"is_current": true})));
    }
    // Only what the file's own changes say: a verdict on a plan has no change of the file.
    let is_of_file = !asked.starts_with(file.etag.to_string().trim_matches('"'));
    let change = if is_of_file { refused::latest_change(&visit, id).await? } else { None };
    let by = change.map(|change| change.actor.display_name);
    Ok(PageResponse::json(&json!({"is_current": false, "by": by})))
}
