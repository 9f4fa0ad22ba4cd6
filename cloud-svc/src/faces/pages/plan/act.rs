//! `POST /f/{file_id}/plans/{plan_id}`: carries out the forms of the page.

use serde_json::{Value, json};
use shared_model::{Error, Failure, code};
use shared_runtime::pages::{PageResponse, Redirect, SignedIn};

use super::{show, shown_plan::href as href_of};
use crate::{
    base::ids::{FileId, PlanId},
    edits::plans::record::{NewPlanAnswer, PlanAnswer},
    faces::pages::{
        actions::{APPLY, APPROVE, DISCARD, REBASE, REJECT, REQUEST_REVIEW, RETURN},
        typed::{required, typed},
    },
};
use cloud_content::kinds;

/// Leads back to the plan, or to the new plan of a rebase.
pub async fn act(visit: SignedIn) -> Result<PageResponse, Error> {
    match carry_out(&visit).await {
        Ok(href) => Ok(Redirect::to(href).into()),
        // The page shows the refusal, except where it could not show the plan either.
        Err(Error::Refused(refusal)) if ![401, 404, 429, 503].contains(&refusal.code.status) => {
            show::page(&visit, Some(&refusal)).await.map(PageResponse::from)
        }
        Err(error) => Err(error),
    }
}

async fn carry_out(visit: &SignedIn) -> Result<String, Error> {
    let (file, plan): (FileId, PlanId) = visit.path()?;
    let (file, plan) = (file.to_string(), plan.to_string());
    let href = format!("/f/{file}/plans/{plan}");
    let value = |name: &str| typed(visit, name);
    // With the key of the form: a double click applies a plan once.
    let call = |operation| visit.operation(operation).path(&[&file, &plan]).once();
    match value("action").as_str() {
        APPLY => {
            // The kind of the plan decides the operation.
            let read: PlanAnswer = visit.operation("get_edit_plan").path(&[&file, &plan]).answer().await?;
            let operation = kinds::of_plan(&read.plan.kind).map(|kind| kind.apply.id);
            let operation = operation.ok_or_else(|| Failure::fault("a plan of a kind that no operation applies"))?;
            call(operation).if_match(&value("etag")).json(json!({})).text().await?;
        }
        REBASE => {
            let answer = call("rebase_edit_plan").if_match(&value("etag")).json(json!({})).answer::<NewPlanAnswer>();
            return Ok(href_of(&answer.await?.plan));
        }
        APPROVE => drop(call("approve_edit_plan").json(json!({})).text().await?),
        REJECT => drop(call("reject_edit_plan").json(json!({"reason": required(visit, "reason")?})).text().await?),
        RETURN => drop(call("return_edit_plan").json(json!({"reason": required(visit, "reason")?})).text().await?),
        DISCARD => drop(call("discard_edit_plan").json(json!({})).text().await?),
        REQUEST_REVIEW => drop(call("request_plan_review").json(note(&value("note"))).text().await?),
        _ => return Err(code::invalid_parameter("action", "must be what a form of this page asks for").into()),
    }
    Ok(href)
}

fn note(text: &str) -> Value {
    if text.is_empty() { json!({}) } else { json!({"note": text}) }
}
