//! `apply_plan`: applies a plan, after a person has agreed if it has warnings of high severity.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::de::IgnoredAny;
use serde_json::Value;
use shared_model::{Error, Failure, NextAction, text};
use shared_runtime::{
    Permission as _,
    http::operations::CallResult,
    idempotency::CommandsOfKey,
    mcp::{Arguments, Asking, Confirmation, Outcome, PersonsAnswer, Question, ToolCall},
};

use super::next_step::{self, is_author};
use crate::{
    base::{codes::APPROVAL_REQUIRED, permissions::WriteFiles},
    edits::plans::plan::PlanState,
    edits::plans::record::{PlanAnswer, PlanRecord},
    files::file::FileAnswer,
};
use cloud_content::{
    content::Content,
    for_each_kind, kinds,
    preview::{PlanWarning, Severity},
};

// One of them, by the kind of the plan.
pub(super) const OPERATIONS: &[&str] = &for_each_kind!(C => C::KIND.apply.id);

pub(super) async fn apply(mut call: ToolCall<'_>) -> Result<Outcome, Failure> {
    let named = |name: &&str| call.arguments.get(*name).map(|value| ((*name).to_owned(), value.clone()));
    let plan: Arguments = ["file_id", "plan_id"].iter().filter_map(named).collect();
    let read = call.call("get_edit_plan", plan).await?;
    let CallResult::Answered(json) = &read else {
        return Ok(Outcome::Finished(first_answer(&mut call).await?.unwrap_or(read)));
    };
    // The plan is read first: its kind decides the operation, and its warnings whether to ask.
    let PlanAnswer { plan, .. } = serde_json::from_str(json)?;
    let kind =
        kinds::of_plan(&plan.kind).ok_or_else(|| Failure::fault("a plan of a kind that no operation applies"))?;
    let operation = kind.apply.id;
    let agreement = agreement(&call, operation, &plan).await?;
    // All arguments go to the operation, which checks the key, the ETag and the policy of the workspace.
    let arguments = std::mem::take(&mut call.arguments);
    Ok(match agreement {
        Agreement::NotNeeded => Outcome::Finished(call.call(operation, arguments).await?),
        Agreement::Given => Outcome::Finished(call.call_confirmed(operation, arguments).await?),
        Agreement::Missing(outcome) => outcome,
    })
}

/// The answer that this call has had before its plan was purged, or hidden.
// A retry must tell that the plan was applied, whatever became of the file since.
async fn first_answer(call: &mut ToolCall<'_>) -> Result<Option<CallResult>, Failure> {
    let Some(key) = call.arguments.get("idempotency_key").and_then(Value::as_str) else { return Ok(None) };
    let key = utf8_percent_encode(key, NON_ALPHANUMERIC).to_string();
    let asked = Arguments::from_iter([("key".to_owned(), key.into())]);
    let CallResult::Answered(json) = call.call("read_command", asked).await? else { return Ok(None) };
    let CommandsOfKey { commands, .. } = serde_json::from_str(&json)?;
    let has_run = |id: &&&str| commands.iter().any(|command| command.operation == **id);
    let Some(operation) = OPERATIONS.iter().find(has_run) else { return Ok(None) };
    let arguments = std::mem::take(&mut call.arguments);
    call.call(operation, arguments).await.map(Some)
}

const QUESTION: &str = "confirm";

enum Agreement {
    NotNeeded,
    Given,
    /// The question, or the refusal if nobody can be asked or agreed.
    Missing(Outcome),
}

async fn agreement(call: &ToolCall<'_>, operation: &str, plan: &PlanRecord) -> Result<Agreement, Failure> {
    let mut high: Vec<PlanWarning> = serde_json::from_str(plan.warnings.get())?;
    high.retain(|warning| warning.severity == Severity::High);
    // An approved plan needs no agreement, and the operation refuses one that is closed, stale, or in a proposal.
    let may_be_applied = plan.state == PlanState::Proposed && !plan.stale && plan.proposal_id.is_none();
    if !may_be_applied || high.is_empty() {
        return Ok(Agreement::NotNeeded);
    }
    // No agreement helps a caller who may not apply the plan. The operation says what does.
    match next_step::allowed(call.operations).await {
        Ok(known) if known["apply"] == false || known["review"] == "every" => return Ok(Agreement::NotNeeded),
        Ok(_) => {}
        Err(Error::Refused(_)) => return Ok(Agreement::NotNeeded),
        Err(Error::Failed(failure)) => return Err(failure),
    }
    // With the content: an agreement cannot apply another plan, nor this one after a rebase.
    let asked = format!("{} {}", plan.id, plan.proposal_sha256);
    let is_answer = |said: &&Confirmation| said.state == asked;
    // An answer counts only in a protocol that has questions.
    let can_ask = call.asking != Asking::Impossible;
    let answer = call.confirmation.as_ref().filter(is_answer).filter(|_| can_ask).map(|said| said.answer(QUESTION));
    let why = match (answer, call.asking) {
        (Some(PersonsAnswer::Accepted), Asking::InClient) => return Ok(Agreement::Given),
        // Opening a page is not an agreement: the person decides there.
        (Some(PersonsAnswer::Accepted), _) => "The person has the page of the plan, and has not decided yet.",
        (Some(PersonsAnswer::Declined), _) => "The person said no: do not try again. Ask what should be different.",
        (Some(PersonsAnswer::Cancelled), _) => "The person was asked and has not answered.",
        (None, Asking::Impossible) => "A person must agree to this plan, and this client cannot ask one.",
        (None, _) => {
            let Some(question) = question(call, plan, &high).await? else { return Ok(Agreement::NotNeeded) };
            let question = Question { state: asked, ..question };
            return Ok(Agreement::Missing(Outcome::Question(question)));
        }
    };
    if !is_author(call.operations, plan.co_authors.iter().chain([&plan.actor]).cloned()) {
        let message = format!("{why} {} The author of the plan can ask for its review.", listed(&high));
        let next = NextAction::OtherActor { scope: WriteFiles::SCOPE.to_owned() };
        return call.refused(operation, &APPROVAL_REQUIRED.because(message).next(next)).map(Agreement::Missing);
    }
    let message = format!("{why} {} request_review asks somebody to approve it.", listed(&high));
    let href = format!("/v1/files/{}/edit-plans/{}/request-review", plan.file_id, plan.id);
    let href = call.operations.context().href(&href);
    let refusal = APPROVAL_REQUIRED.because(message).next(NextAction::RequestReview { href });
    call.refused(operation, &refusal).map(Agreement::Missing)
}

/// What the person is asked. `None` if the file cannot be read, which the operation refuses better.
async fn question(call: &ToolCall<'_>, plan: &PlanRecord, high: &[PlanWarning]) -> Result<Option<Question>, Failure> {
    let file = Arguments::from_iter([("file_id".to_owned(), plan.file_id.to_string().into())]);
    let CallResult::Answered(json) = call.call("get_file", file).await? else { return Ok(None) };
    let FileAnswer { file } = serde_json::from_str(&json)?;
    let changes: Vec<IgnoredAny> = match &plan.changes {
        Some(changes) => serde_json::from_str(changes.get())?,
        None => Vec::new(),
    };
    let count = changes.len();
    let noun = if count == 1 { "change" } else { "changes" };
    // The name is somebody's text: in quotation marks, and without characters that could end them or hide.
    let message = format!("Apply {count} {noun} to the file “{}”? {}", plain(&file.name), listed(high));
    let url = format!("{}/plans/{}", file.human_url, plan.id);
    Ok(Some(Question { name: QUESTION, message, url, state: String::new() }))
}

fn plain(name: &str) -> String {
    let is_plain = |c: &char| !c.is_control() && !matches!(c, '“' | '”' | '"') && !text::is_invisible(*c);
    name.chars().filter(is_plain).collect()
}

/// The warnings in a sentence.
fn listed(warnings: &[PlanWarning]) -> String {
    // Details quote what others wrote, and a person reads this before agreeing: only plain ones are shown.
    let is_plain =
        |detail: &&str| detail.len() <= 80 && detail.bytes().all(|b| b.is_ascii_alphanumeric() || b".-_ ".contains(&b));
    let each = warnings.iter().map(|warning| {
        let code = warning.code;
        match Some(warning.detail.as_str()).filter(is_plain) {
            Some(detail) => format!("{code} ({detail})"),
            None => code.to_string(),
        }
    });
    format!("Its warnings of high severity: {}.", each.collect::<Vec<_>>().join(", "))
}
