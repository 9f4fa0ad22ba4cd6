//! Proposals: plans for several files.

use serde_json::{Value, json};
use shared_runtime::mcp::{FOR_TEXT, Written};

use super::{line, may, plans::is_stale, text, who};

/// A proposal with a line for each plan, and the call that follows.
pub(in super::super) fn one(body: &Value) -> Option<Written> {
    let proposal = body.get("proposal")?;
    let plans = proposal["plans"].as_array()?;
    let state = text(proposal, "state");
    let is_expired = proposal["expired"] == true;
    // Otherwise the agent would lose a call to the refusal of a stale plan, or of an expired proposal.
    let has_stale = is_expired || plans.iter().any(is_stale);
    let row = |plan: &Value| {
        let stale = if is_stale(plan) { "stale" } else { "" };
        line([text(plan, "id"), text(plan, "file_id"), &high(plan).to_string(), stale, text(plan, "file_name")])
    };
    let title = format!("{} by {}", text(proposal, "title"), who(&proposal["actor"]));
    let reason = proposal["review"]["reason"].as_str().map(|reason| format!("reason: {reason}"));
    let header = "plan_id\tfile_id\thigh_warnings\tstale\tfile".to_owned();
    let quoted: Vec<_> = [title].into_iter().chain(reason).chain([header]).chain(plans.iter().map(row)).collect();
    let shown_state = if is_expired { "expired" } else { state };
    let written = Written::default()
        .line(format!("proposal {} {shown_state}, {} plans", text(proposal, "id"), plans.len()))
        .shown_at(format!("service-cloud://proposals/{}", text(proposal, "id")))
        .quoting(quoted.join("\n"));
    let id = json!({"proposal_id": proposal["id"]});
    let seen = json!({"proposal_id": proposal["id"], "proposal_sha256": proposal["proposal_sha256"]});
    let known = &body[FOR_TEXT];
    let is_risky = || plans.iter().any(|plan| high(plan) > 0);
    let needs_review = known["review"] == "every" || known["review"] == "risky" && is_risky();
    let may_ask = may(known, "propose") && may(known, "is_author");
    Some(match state {
        "proposed" | "in_review" | "approved" if has_stale && may(known, "propose") => {
            written.next("rebase_proposal", &seen)
        }
        "proposed" if (needs_review || !may(known, "apply")) && may_ask => written.next("request_proposal_review", &id),
        "proposed" if needs_review => written.line("It needs an approval. Its author can ask for its review."),
        "proposed" | "in_review" | "approved" if is_expired => written.line("Somebody who may propose can rebase it."),
        "proposed" | "in_review" | "approved" if has_stale => {
            written.line("Some plans are stale. Somebody who may propose can rebase the proposal.")
        }
        "proposed" | "approved" if !may(known, "apply") => written.line("Somebody who may write applies it."),
        "proposed" | "approved" => written.next("apply_proposal", &seen),
        "in_review" => waiting(written, plans, known, &id),
        "applied" if known["review"] == "every" => {
            written.line("To undo it, propose the earlier content of each file: a person must approve it.")
        }
        "applied" if !may(known, "apply") => written.line("Somebody who may write can undo it."),
        "applied" => undo(written, plans, known),
        _ => written,
    })
}

/// Where it is approved, and the call that waits for the verdict: one verdict is on all plans.
fn waiting(written: Written, plans: &[Value], known: &Value, id: &Value) -> Written {
    let page = known["page"].as_str().map(|page| format!(": {page}")).unwrap_or_default();
    let written = written.line(format!("A person approves it on its page{page}"));
    match plans.first() {
        Some(plan) => written.next("await_decision", &json!({"file_id": plan["file_id"], "plan_id": plan["id"]})),
        None => written.next("get_proposal", id),
    }
}

/// The number of warnings of high severity.
fn high(plan: &Value) -> usize {
    let warnings = plan["warnings"].as_array().into_iter().flatten();
    warnings.filter(|warning| text(warning, "severity") == "high").count()
}

/// The versions before a proposal: each file is restored by itself. `known` may say which restores need an approval.
fn undo(mut written: Written, plans: &[Value], known: &Value) -> Written {
    let refused = &known["undo_is_refused_for"];
    let is_refused = |plan: &&Value| refused.as_array().is_some_and(|files| files.contains(&plan["file_id"]));
    let changed = plans.iter().filter(|plan| plan["applied_version_id"].is_string());
    let (others, own): (Vec<&Value>, Vec<&Value>) = changed.partition(is_refused);
    let before = |plans: &[&Value]| {
        let lines = plans.iter().map(|plan| format!("{} {}", text(plan, "file_id"), text(plan, "base_version_id")));
        lines.collect::<Vec<_>>().join(", ")
    };
    if !own.is_empty() {
        let versions = before(&own);
        written =
            written.line(format!("Undo: restore_version for each file, with the if_match of read_file: {versions}."));
    }
    if !others.is_empty() {
        let versions = before(&others);
        written = written.line(format!(
            "To undo these, a person must agree. Propose their earlier content as edits, then request_review: {versions}."
        ));
    }
    if refused.is_null() && known["review"] == "risky" {
        written = written.line("If a restore is refused, propose the earlier content as edits, then request_review.");
    }
    written
}
