//! Drafts.

use serde_json::Value;
use shared_runtime::mcp::Written;

use super::{line, minute, table, text};

pub(in super::super) fn write(body: &Value) -> Option<Written> {
    if let Some(drafts) = body["drafts"].as_array() {
        return Some(table(body, "draft_id\ttype\texpires\tname", drafts.iter().map(row)));
    }
    let draft = body.get("draft")?;
    let written = Written::default().line(format!(
        "draft {} {}, kept until {}",
        text(draft, "id"),
        text(draft, "state"),
        minute(draft, "expires_at")
    ));
    let content = draft.get("content").map(Value::to_string).unwrap_or_default();
    Some(written.quoting(format!("{}\n{content}", text(draft, "name"))))
}

fn row(draft: &Value) -> String {
    let expires = minute(draft, "expires_at");
    line([text(draft, "id"), text(draft, "type"), &expires, text(draft, "name")])
}
