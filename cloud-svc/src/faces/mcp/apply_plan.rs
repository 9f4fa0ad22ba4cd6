//! `apply_plan`: applies a plan, after a person has agreed if it has warnings of high severity.

use serde_json::{Value, json};
use shared_model::{Cursor, Failure};
use shared_runtime::{
    http::operations::CallResult,
    mcp::{Arguments, Confirmation, Outcome, Question, ToolCall},
};

use crate::base::codes::APPROVAL_REQUIRED;
use cloud_content::{content::Content, for_each_kind, kinds};

// One of them, by the kind of the plan.
pub(super) const OPERATIONS: &[&str] = &for_each_kind!(C => C::KIND.apply.id);

pub(super) async fn apply(mut call: ToolCall<'_>) -> Result<Outcome, Failure> {
    let named = |name: &&str| call.arguments.get(*name).map(|value| ((*name).to_owned(), value.clone()));
    let plan: Arguments = ["file_id", "plan_id"].iter().filter_map(named).collect();
    let read = call.call("get_edit_plan", plan).await?;
    let CallResult::Answered(json) = &read else { return Ok(Outcome::Finished(read)) };
    // The plan is read first: its kind decides the operation, and its warnings whether to ask.
    let body: Value = serde_json::from_str(json)?;
    let plan = &body["plan"];
    let operation = operation(plan)?;
    if let Some(outcome) = unless_agreed(&call, operation, plan)? {
        return Ok(outcome);
    }
    // All arguments go to the operation, which checks the key and the ETag.
    let arguments = std::mem::take(&mut call.arguments);
    Ok(Outcome::Finished(call.call(operation, arguments).await?))
}

fn operation(plan: &Value) -> Result<&'static str, Failure> {
    let kind = plan["kind"].as_str().and_then(kinds::of_plan);
    Ok(kind.ok_or_else(|| Failure::fault("a plan of a kind that no operation applies"))?.apply.id)
}

/// A question or a refusal, if a person has to agree and has not.
fn unless_agreed(call: &ToolCall<'_>, operation: &str, plan: &Value) -> Result<Option<Outcome>, Failure> {
    let warnings = plan["warnings"].as_array().map(Vec::as_slice).unwrap_or_default();
    let high: Vec<_> = warnings.iter().filter(|warning| warning["severity"] == "high").collect();
    let is_current = plan["stale"] == false && call.arguments.get("if_match") == Some(&plan["base_etag"]);
    // Nobody is asked in vain: an approved plan needs no agreement, and the operation refuses a closed or stale one.
    if plan["state"] != "proposed" || !is_current || high.is_empty() {
        return Ok(None);
    }
    let context = call.operations.context();
    let now = context.clock.now();
    // Bound to the actor and the content: an agreement cannot apply another plan or serve another caller.
    let (subject, sha256) = (actor(call), plan["proposal_sha256"].as_str().unwrap_or_default());
    let cursor = Cursor::for_list(&context.secret, "mcp_apply_plan", &subject, sha256);
    let id = plan["id"].as_str().unwrap_or_default();
    let is_answer = |said: &&Confirmation| cursor.decode(&said.state, now).is_ok_and(|state| state == id);
    match call.confirmation.as_ref().filter(is_answer) {
        Some(said) if said.accepted => return Ok(None),
        // Only clients that can ask a person get a question. Others get the refusal below.
        None if call.can_ask => {
            let message = format!("Apply {id} to {}? {}", plan["file_id"].as_str().unwrap_or_default(), listed(&high));
            return Ok(Some(Outcome::Question(Question { message, state: cursor.encode(id, now) })));
        }
        Some(_) | None => {}
    }
    let message = format!(
        "A person must agree to this plan, and has not. {} Ask for a review with request_review, or let a person apply \
         it over HTTP.",
        listed(&high)
    );
    call.refused(operation, &APPROVAL_REQUIRED.because(message)).map(Some)
}

fn actor(call: &ToolCall<'_>) -> String {
    let identity = call.operations.identity();
    identity.map_or(String::new(), |identity| json!([identity.grant_id, identity.actor]).to_string())
}

/// The warnings in a sentence.
fn listed(warnings: &[&Value]) -> String {
    // Details quote what others wrote, and a person reads this before agreeing: only plain ones are shown.
    let is_plain =
        |detail: &&str| detail.len() <= 80 && detail.bytes().all(|b| b.is_ascii_alphanumeric() || b".-_ ".contains(&b));
    let each = warnings.iter().map(|warning| {
        let code = warning["code"].as_str().unwrap_or_default();
        match warning["detail"].as_str().filter(is_plain) {
            Some(detail) => format!("{code} ({detail})"),
            None => code.to_owned(),
        }
    });
    format!("Its warnings of high severity: {}.", each.collect::<Vec<_>>().join(", "))
}
