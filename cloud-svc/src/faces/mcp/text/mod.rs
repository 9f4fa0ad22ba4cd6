//! Answers of operations as text for models. Lists are lines with tabs, tags have their short form. What no decision
//! needs is left out.

pub(super) mod changes;
pub(super) mod comments;
pub(super) mod content;
mod content_warnings;
mod difference;
pub(super) mod drafts;
pub(super) mod files;
pub(super) mod plans;
mod preview;
pub(super) mod proposals;
mod sheets;
pub(super) mod versions;

use serde_json::Value;
use shared_runtime::mcp::{Written, short_tag};

/// One line of a list.
fn line<'a>(columns: impl IntoIterator<Item = &'a str>) -> String {
    let columns: Vec<_> = columns.into_iter().map(one_line).collect();
    columns.join("\t")
}

/// What results say about a trashed file.
const IN_TRASH: &str = "It is in the trash.";

/// Without tabs and line breaks, which separate columns and lines.
fn one_line(text: &str) -> String {
    text.replace(['\t', '\n', '\r'], " ")
}

/// The list of an answer, with a line that names the columns.
fn table(body: &Value, header: &str, rows: impl IntoIterator<Item = String>) -> Written {
    let rows: Vec<_> = rows.into_iter().collect();
    if rows.is_empty() {
        // A page of a search ends after some thousand candidates, whatever it has found.
        let is_end = body["has_more"] != true;
        return Written::default().line(if is_end { "None." } else { "None so far: continue with the cursor." });
    }
    Written::default().quoting(format!("{header}\n{}", rows.join("\n")))
}

fn items(body: &Value) -> impl Iterator<Item = &Value> {
    body["items"].as_array().into_iter().flatten()
}

fn text<'v>(value: &'v Value, member: &str) -> &'v str {
    value[member].as_str().unwrap_or_default()
}

fn tag(value: &Value) -> &str {
    short_tag(text(value, "etag"))
}

/// To the minute: `2026-11-24T15:33Z`.
fn minute(value: &Value, member: &str) -> String {
    let at = text(value, member);
    at.get(..16).map_or(at.to_owned(), |minute| format!("{minute}Z"))
}

/// Who did it, by the name that others see.
fn who(actor: &Value) -> &str {
    let name = text(actor, "display_name");
    if name.is_empty() { text(actor, "id") } else { name }
}

/// Whether the caller may do something. `known` is made by [`super::next_step`].
fn may(known: &Value, what: &str) -> bool {
    known[what] != false
}

fn if_match(record: &Value) -> String {
    format!("if_match: {}", tag(record))
}
