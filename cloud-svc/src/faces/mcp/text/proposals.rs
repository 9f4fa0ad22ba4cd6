//! Proposals: plans for several files.

use serde_json::{Value, json};
use shared_runtime::mcp::Written;

use super::{line, plans::is_stale, text, who};

/// A proposal with a line for each plan, and the call that follows.
pub(in super::super) fn one(body: &Value) -> Option<Written> {
    let proposal = body.get("proposal")?;
    let plans = proposal["plans"].as_array()?;
    let state = text(proposal, "state");
    // The refusal of a stale plan would cost the agent a call.
    let has_stale = plans.iter().any(is_stale);
    let row = |plan: &Value| {
        let stale = if is_stale(plan) { "stale" } else { "" };
        let high = plan["warnings"].as_array().into_iter().flatten();
        let high = high.filter(|warning| text(warning, "severity") == "high").count().to_string();
        line([text(plan, "id"), text(plan, "file_id"), &high, stale, text(plan, "file_name")])
    };
    let title = format!("{} by {}", text(proposal, "title"), who(&proposal["actor"]));
    let reason = proposal["review"]["reason"].as_str().map(|reason| format!("reason: {reason}"));
    let header = "plan_id\tfile_id\thigh_warnings\tstale\tfile".to_owned();
    let quoted: Vec<_> = [title].into_iter().chain(reason).chain([header]).chain(plans.iter().map(row)).collect();
    let written = Written::default()
        .line(format!("proposal {} {state}, {} plans", text(proposal, "id"), plans.len()))
        .shown_at(format!("service-cloud://proposals/{}", text(proposal, "id")))
        .quoting(quoted.join("\n"));
    let id = json!({"proposal_id": proposal["id"]});
    Some(match state {
        "proposed" | "in_review" | "approved" if has_stale => written.next("rebase_proposal", &id),
        "proposed" | "approved" => written.next("apply_proposal", &id),
        "in_review" => written.line("A person approves it. get_proposal shows the verdict."),
        _ => written,
    })
}
