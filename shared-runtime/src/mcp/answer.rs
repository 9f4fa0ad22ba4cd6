//! Results of tools: text for a model. A program can also ask for the body, as structured content.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};
use shared_model::{ErrorBody, Failure, NextAction, code};

use super::{
    arguments::{Arguments, name_arguments},
    next_tool,
    shorten::shorten,
    text::escaped,
    tool::{Recovery, Tool},
    tools::Tools,
    written::{FOR_TEXT, Written},
};
use crate::http::operations::Operations;

// Clients cut or refuse larger results; 48 kB is about 12 000 tokens.
pub(super) const RESULT_BYTES: usize = 48_000;
// The body may be sent twice, as structure and as text with escapes, within some words around it.
const SHORTENED_BYTES: usize = RESULT_BYTES / 5;

/// What a result is made for.
pub(super) struct Answering<'a> {
    pub tools: &'a Tools,
    pub tool: &'a Tool,
    pub operations: &'a Operations,
    /// As they were sent.
    pub arguments: &'a Arguments,
    /// Whether the caller wants the body, too.
    pub is_structured: bool,
}

impl Answering<'_> {
    /// The result of a success. `left_out` has the JSON pointers of omitted parts.
    pub(super) fn done(&self, body: &Value, left_out: &[String]) -> CallToolResult {
        let mut written = (self.tool.write)(body).unwrap_or_else(|| Written::outline(&without_envelope(body)));
        if body["replayed"] == true || body["meta"]["replayed"] == true {
            let line = "Nothing new happened: this is the answer to the same call before. To do it again on purpose, call \
                        again with an idempotency_key of your own.";
            written.lines.insert(0, line.to_owned());
        }
        let cursor = [&body["next_cursor"], &body["meta"]["next_cursor"]].into_iter().find_map(Value::as_str);
        if let Some(cursor) = cursor.filter(|_| body["has_more"] != false) {
            written.lines.push(format!("cursor: {cursor}"));
        }
        if !left_out.is_empty() {
            written.lines.push("Parts that are too long are left out; omitted_bytes is the length of each.".to_owned());
        }
        let shown = written.shown.take();
        let result = CallToolResult::success(vec![ContentBlock::text(written.into_text())]);
        // Its own member marks what others wrote, because programs drop the text that has the marks.
        let mut result = self.marked(result, || json!({"untrusted": as_answered(body)}));
        if let (Some(meta), Some(uri)) = (&mut result.meta, shown) {
            meta.0.insert("service/view_uri".to_owned(), uri.into());
        }
        result
    }

    /// [`Self::done`], without the longest parts of the body if the result is too long.
    pub(super) fn shortened(&self, mut body: Value) -> CallToolResult {
        // What is written is often far shorter than the body.
        let whole = self.done(&body, &[]);
        if length(&whole) <= RESULT_BYTES {
            return whole;
        }
        // In steps: the text of a body is longer than its JSON by a factor that depends on its content.
        let mut max = RESULT_BYTES;
        let mut left_out = Vec::new();
        loop {
            left_out.extend(shorten(&mut body, max));
            let result = self.done(&body, &left_out);
            if length(&result) <= RESULT_BYTES || max <= SHORTENED_BYTES {
                return result;
            }
            max = max * 3 / 4;
        }
    }

    /// The result of a refusal: what is wrong, and the call that helps.
    pub(super) fn refused(&self, mut body: ErrorBody) -> Result<CallToolResult, Failure> {
        // The agent knows arguments of tools, not headers and parameters of HTTP.
        name_arguments(&mut body.error);
        let error = &body.error;
        let mut lines = vec![format!("refused {}: {}", error.code, error.message)];
        let instead = || (self.tools.instead)(self.arguments).filter(|_| error.code == code::NOT_FOUND.name);
        // What the arguments show is nearer to the mistake than what the operation can say.
        let recovery = (self.tool.recovers)(self.arguments, error);
        let then = recovery.as_ref().map(|recovery| recovery.then).unwrap_or_default();
        let recovered = recovery.map(|Recovery { tool, arguments, .. }| (tool, arguments));
        let next =
            instead().or(recovered).or_else(|| next_tool::for_action(self.tools, self.operations, &error.next_action));
        match &error.next_action {
            NextAction::CorrectRequest { problems } => {
                // The first problem is often the message itself.
                let is_said = problems.first().is_some_and(|problem| error.message.contains(&problem.rule));
                let each = problems.iter().skip(usize::from(is_said));
                lines.extend(each.map(|problem| format!("- {}: {}", problem.at, problem.rule)));
                if !self.tool.example.is_empty() {
                    lines.push(format!("Example: {}", self.tool.example));
                }
            }
            NextAction::NewKey { .. } => lines.push("Use another idempotency_key for another action.".to_owned()),
            action => lines.extend(
                action
                    .after_seconds()
                    .map(|seconds| format!("Call it again with the same arguments after {seconds} seconds.")),
            ),
        }
        match &next {
            Some((tool, arguments)) => lines.push(format!("Next: {tool} {arguments}")),
            None if error.retryable => {}
            // The operator finds it in the log.
            None if error.next_action == NextAction::ContactSupport => lines.push(format!("({})", error.request_id)),
            None => {}
        }
        if !then.is_empty() {
            lines.push(then.to_owned());
        }
        let text = lines.iter().map(|line| escaped(line)).collect::<Vec<_>>().join("\n");
        let result = CallToolResult::error(vec![ContentBlock::text(text)]);
        let mut structured = serde_json::to_value(&body)?;
        if let Some((tool, arguments)) = next {
            structured["next_tool"] = json!({"name": tool, "arguments": arguments});
        }
        Ok(self.marked(result, || structured))
    }

    fn marked(&self, mut result: CallToolResult, structured: impl FnOnce() -> Value) -> CallToolResult {
        result.structured_content = self.is_structured.then(structured);
        result.meta = Some(self.tools.marks());
        result
    }
}

/// The body of the operation.
fn as_answered(body: &Value) -> Value {
    let mut body = body.clone();
    if let Value::Object(members) = &mut body {
        members.remove(FOR_TEXT);
    }
    body
}

/// Without the members that are the same in each answer.
fn without_envelope(body: &Value) -> Value {
    let mut body = body.clone();
    if let Value::Object(members) = &mut body {
        members.retain(|name, _| {
            !matches!(
                name.as_str(),
                "request_id" | "content_is_untrusted" | "replayed" | "next_cursor" | "has_more" | "meta" | FOR_TEXT
            )
        });
    }
    body
}

pub(super) fn length(result: &CallToolResult) -> usize {
    serde_json::to_vec(result).map_or(usize::MAX, |bytes| bytes.len())
}
