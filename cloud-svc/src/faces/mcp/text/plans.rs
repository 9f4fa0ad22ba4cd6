//! Plans: proposed, listed, decided, applied.

use serde_json::{Value, json};
use shared_runtime::mcp::{FOR_TEXT, Written, short_tag};

use super::{if_match, items, line, may, minute, preview, table, text, who};
use cloud_content::kinds;

/// A plan with its changes, and the call that follows.
pub(in super::super) fn one(body: &Value) -> Option<Written> {
    let plan = body.get("plan")?;
    let written = next(head(plan, body["joined"] == true), plan, &body[FOR_TEXT]);
    let changes = if has_choice(plan) { preview::named_changes } else { preview::changes };
    let mut quoted = vec![changes(&plan["changes"])];
    if let Some(totals) = preview::totals(&plan["totals"]) {
        quoted.push(format!("Values that follow:\n{totals}"));
    }
    quoted.extend(details_of_warnings(plan));
    quoted.extend(words_of_review(plan));
    let uri = format!("service-cloud://plans/{}/{}", text(plan, "file_id"), text(plan, "id"));
    Some(written.shown_at(uri).quoting(quoted.join("\n")))
}

/// A plan without its changes.
pub(in super::super) fn brief(body: &Value) -> Option<Written> {
    let plan = body.get("plan")?;
    let written = head(plan, false);
    let written = if text(plan, "state") == "in_review" {
        written.next("await_decision", &json!({"file_id": plan["file_id"], "plan_id": plan["id"]}))
    } else {
        written
    };
    Some(written.quoting(words_of_review(plan).unwrap_or_default()))
}

/// What a reviewer has said, or that nobody has.
pub(in super::super) fn verdict(body: &Value) -> Option<Written> {
    let plan = body.get("plan")?;
    let is_in_review = text(plan, "state") == "in_review";
    let written = head(plan, false);
    let written = if is_in_review { written.line("No verdict yet.") } else { written };
    // A stale plan cannot be approved, so the wait would be for nothing.
    let written = if is_in_review && !is_stale(plan) {
        written.next("await_decision", &json!({"file_id": plan["file_id"], "plan_id": plan["id"]}))
    } else {
        next(written, plan, &body[FOR_TEXT])
    };
    Some(written.quoting(words_of_review(plan).unwrap_or_default()))
}

pub(in super::super) fn list(body: &Value) -> Option<Written> {
    let row = |plan: &Value| {
        let (state, expires) = (state(plan), minute(plan, "expires_at"));
        // A reviewer of a list looks at these first.
        let high = warnings(plan).filter(|warning| text(warning, "severity") == "high").count().to_string();
        line([
            text(plan, "id"),
            text(plan, "file_id"),
            &state,
            &high,
            &expires,
            who(&plan["actor"]),
            text(plan, "file_name"),
        ])
    };
    Some(table(body, "plan_id\tfile_id\tstate\thigh_warnings\texpires\tby\tfile", items(body).map(row)))
}

/// The file after a plan was applied, and how to undo it.
pub(in super::super) fn applied(body: &Value) -> Option<Written> {
    let (file, plan) = (body.get("file")?, body.get("plan")?);
    let mut written = Written::default().line(format!(
        "applied: {} has version {}",
        text(file, "id"),
        file["current_version_id"].as_str().unwrap_or_default()
    ));
    written = written.line(if_match(file));
    if body["undo"].is_object() {
        let mut undo = json!({"file_id": file["id"], "version_id": plan["base_version_id"]});
        written = written.line(if body[FOR_TEXT]["undo_is_refused"] == true {
            format!(
                "To undo it, a person must agree: read_file {undo} shows the content before. Propose it as an edit, \
                 then request_review."
            )
        } else {
            undo["if_match"] = short_tag(text(&body["undo"], "if_match")).into();
            format!("Undo: restore_version {undo}")
        });
    }
    Some(written)
}

fn head(plan: &Value, is_joined: bool) -> Written {
    let counts: Vec<String> = plan["summary"]
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(name, count)| !name.starts_with("bytes") && count.as_u64() != Some(0))
        .map(|(name, count)| format!("{} {count}", name.replace('_', " ")))
        .collect();
    let counts = if counts.is_empty() { "changes nothing".to_owned() } else { counts.join(", ") };
    let again = if is_joined { " (proposed before)" } else { "" };
    let answers =
        plan["answers_comment_id"].as_str().map(|comment| format!(" (answers {comment})")).unwrap_or_default();
    let mut written =
        Written::default().line(format!("plan {} {}{again}{answers}: {counts}", text(plan, "id"), state(plan)));
    for warning in warnings(plan) {
        written = written.line(format!("warning, {}: {}", text(warning, "severity"), text(warning, "code")));
    }
    written
}

fn state(plan: &Value) -> String {
    let stale = if is_stale(plan) { ", stale" } else { "" };
    format!("{}{stale}", text(plan, "state"))
}

/// Whether the calls that follow need the current tag of the file.
pub(in super::super) fn needs_tag(plan: &Value) -> bool {
    is_stale(plan) || text(plan, "state") == "expired"
}

/// Whether a rebase would help: a plan that has ended is usually older than its file.
pub(in super::super) fn is_stale(plan: &Value) -> bool {
    is_open(plan) && plan["stale"] == true
}

fn is_open(plan: &Value) -> bool {
    matches!(text(plan, "state"), "proposed" | "in_review" | "approved" | "returned")
}

/// Whether somebody may name single changes: `split_plan` and `return_plan` take their ids, and remarks have them.
// Elsewhere a model would pay for ids that nothing takes.
fn has_choice(plan: &Value) -> bool {
    is_open(plan) && !plan["proposal_id"].is_string()
}

/// The call that follows. `known` has what the caller may do: a call that is refused for certain costs a turn.
fn next(written: Written, plan: &Value, known: &Value) -> Written {
    let is_stale = is_stale(plan);
    let has_high = warnings(plan).any(|warning| text(warning, "severity") == "high");
    let page = known["page"].as_str().map(|page| format!(": {page}")).unwrap_or_default();
    let tag = known["if_match"].as_str().unwrap_or_else(|| short_tag(text(plan, "base_etag")));
    let (file, id) = (&plan["file_id"], &plan["id"]);
    let named = json!({"file_id": file, "plan_id": id});
    let with_tag = json!({"file_id": file, "plan_id": id, "if_match": tag});
    // Its author can revise it even after it expires.
    let was_returned = plan["review"]["verdict"] == "returned";
    match text(plan, "state") {
        "proposed" | "in_review" | "approved" | "expired" if plan["proposal_id"].is_string() => {
            if may(known, "see_proposal") {
                written.next("get_proposal", &json!({"proposal_id": plan["proposal_id"]}))
            } else {
                written.line("It is decided together with plans that you do not see.")
            }
        }
        "expired" if !was_returned && may(known, "propose") => written.next("rebase_plan", &with_tag),
        "proposed" | "approved" | "in_review" if is_stale && may(known, "propose") => {
            written.next("rebase_plan", &with_tag)
        }
        "proposed" | "approved" | "in_review" if is_stale => written,
        "proposed" | "approved" if !may(known, "apply") => {
            written.line(format!("A person applies it on its page{page}"))
        }
        // The agent's own call would be refused.
        "proposed" if has_high || known["review"] == "every" => {
            if may(known, "is_author") {
                written.next("request_review", &named)
            } else {
                written.line("It needs an approval. Its author can ask for its review.")
            }
        }
        "proposed" | "approved" => written.next("apply_plan", &with_tag),
        "returned" | "expired" if was_returned && may(known, "propose") && may(known, "is_author") => {
            let kind = kinds::of_plan(text(plan, "kind")).map_or("document", |kind| kind.file_type.as_str());
            let known = json!({"file_id": file, "if_match": tag, "revises": id});
            // In words, not as a call: only the caller knows the missing operations.
            written.line(format!("Next: edit_{kind} with your operations and {known}"))
        }
        "discarded" if plan["superseded_by"].is_string() => {
            let other = json!({"file_id": file, "plan_id": plan["superseded_by"]});
            written
                .line("Another plan has taken its place, or its parts have made all its changes.")
                .next("get_plan", &other)
        }
        "in_review" => written.line(format!("A person approves it on its page{page}")).next("await_decision", &named),
        _ => written,
    }
}

fn warnings(plan: &Value) -> impl Iterator<Item = &Value> {
    plan["warnings"].as_array().into_iter().flatten()
}

fn details_of_warnings(plan: &Value) -> Option<String> {
    let each: Vec<_> = warnings(plan)
        .map(|warning| format!("! {} {} {}", text(warning, "code"), text(warning, "where"), text(warning, "detail")))
        .collect();
    (!each.is_empty()).then(|| each.join("\n"))
}

fn words_of_review(plan: &Value) -> Option<String> {
    let review = plan.get("review").filter(|review| review.is_object())?;
    let note = review["note"].as_str().map(|note| format!("note: {note}"));
    let by = review["by"].is_object().then(|| format!("{} by {}", text(review, "verdict"), who(&review["by"])));
    let reason = review["reason"].as_str().map(|reason| format!("reason: {reason}"));
    let on = review["on"].as_array().into_iter().flatten();
    let on = on.map(|note| format!("on {}: {}", text(note, "change"), text(note, "text")));
    let words: Vec<_> = note.into_iter().chain(by).chain(reason).chain(on).collect();
    (!words.is_empty()).then(|| words.join("\n"))
}
