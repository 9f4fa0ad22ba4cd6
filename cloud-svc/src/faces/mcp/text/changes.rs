//! What happened, a line for each change.

use serde_json::Value;
use shared_runtime::mcp::Written;

use super::{items, line, minute, table, text, who};

const COLUMNS: &str = "at\tby\tchange\tfile_id\tversion\tname";

pub(in super::super) fn recent(body: &Value) -> Option<Written> {
    Some(table(body, COLUMNS, items(body).map(row)))
}

/// The feed has a cursor to go on with even when there is nothing more yet.
pub(in super::super) fn followed(body: &Value) -> Option<Written> {
    let written = table(body, COLUMNS, items(body).map(row));
    Some(if body["has_more"] == false {
        written.line(format!("cursor for later changes: {}", text(body, "next_cursor")))
    } else {
        written
    })
}

fn row(change: &Value) -> String {
    let at = minute(change, "at");
    let about = ["version_id", "comment_id", "plan_id", "webhook_id"];
    let about = about.iter().find_map(|name| change[*name].as_str()).unwrap_or_default();
    let name = change["file"]["name"].as_str().unwrap_or(if change["removed"] == true { "(purged)" } else { "" });
    line([&at, who(&change["actor"]), text(change, "type"), text(change, "file_id"), about, name])
}
