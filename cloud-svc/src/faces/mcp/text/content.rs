//! What a file says.

use serde::Deserialize as _;
use serde_json::{Value, json};
use shared_runtime::mcp::{FOR_TEXT, Written};

use super::{IN_TRASH, content_warnings, files, if_match, line, one_line, sheets, text};
use cloud_content::{
    documents::{content::block::Block, markdown},
    spreadsheets::content::SpreadsheetContent,
};

pub(in super::super) fn write(body: &Value) -> Option<Written> {
    let file = body.get("file")?;
    if body.get("details").is_some() {
        // Of an uploaded file or a folder.
        return files::details(body);
    }
    if body.get("range").is_some() {
        return sheets::range(body);
    }
    if body.get("sheets").is_some() {
        return sheets::list(body);
    }
    let is_note = text(file, "type") == "note";
    let known = &body[FOR_TEXT];
    let quoted = match body.get("content").or_else(|| body.get("text")) {
        Some(Value::String(uploaded)) => uploaded.clone(),
        Some(content) => native(content)?,
        None => match (&body["markdown"], &body["outline"]) {
            // The first part of a note begins with its title, which is not part of its content.
            (Value::String(markdown), _) if is_note && known.is_object() => {
                let heading = markdown.split_once("\n\n").filter(|_| !text(known, "title").is_empty());
                titled(known, heading.map_or(markdown.as_str(), |(_, content)| content))
            }
            (Value::String(markdown), _) => markdown.clone(),
            (_, Value::Array(entries)) => {
                let entries: Vec<_> = entries.iter().map(Value::to_string).collect();
                format!(
                    "Too long for one result. This is only its outline; view: markdown gives the text:\n{}",
                    entries.join("\n")
                )
            }
            _ => return None,
        },
    };
    let shown = body["version_id"].as_str();
    let is_current = shown.is_none_or(|shown| shown == text(file, "current_version_id"));
    let mut written = Written::default().line(match shown {
        Some(version) if !is_current => {
            format!("This is {version}, an earlier version. Read the current one before you edit.")
        }
        _ => if_match(file),
    });
    if text(file, "state") == "trashed" {
        written = written.line(IN_TRASH);
    }
    written.lines.extend(content_warnings::lines(&body["content_warnings"]));
    if body["text"].is_string() && known["can_convert"] == true {
        let copy = json!({"file_id": file["id"], "convert": true});
        written = written.line(format!("To edit it, make a native copy: copy_file {copy}"));
    }
    let name = text(file, "name");
    // The title of a document usually is its name. What may be sent back as content has no other text around it.
    let is_said =
        is_note || body["text"].is_string() || quoted.strip_prefix("# ").is_some_and(|rest| rest.starts_with(name));
    Some(written.quoting(if is_said { quoted } else { format!("{name}\n\n{quoted}") }))
}

fn native(content: &Value) -> Option<String> {
    if let Some(blocks) = content["blocks"].as_array() {
        return blocks.iter().map(block).collect::<Option<Vec<_>>>().map(|blocks| blocks.join("\n"));
    }
    if let Some(parts) = content["slides"].as_array().or(content["pages"].as_array()) {
        return Some(parts.iter().map(part).collect::<Vec<_>>().join("\n"));
    }
    if content["sheets"].is_array() {
        let workbook = SpreadsheetContent::deserialize(content).ok()?;
        let sheets = workbook.sheets.iter().map(|sheet| {
            let rows = sheet.cells.iter().map(|row| line(row.iter().map(String::as_str)));
            format!("{}\n{}", one_line(&sheet.name), rows.collect::<Vec<_>>().join("\n"))
        });
        return Some(sheets.collect::<Vec<_>>().join("\n\n"));
    }
    let note = content["content"].as_str()?;
    Some(titled(content, note))
}

/// A note: a line for each member, so that none of them is sent back as content.
fn titled(members: &Value, content: &str) -> String {
    let mut lines = vec![format!("title: {}", one_line(text(members, "title")))];
    let tags: Vec<_> = members["tags"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if !tags.is_empty() {
        lines.push(format!("tags: {}", tags.join(", ")));
    }
    let flags = ["pinned", "archived"].into_iter().filter(|flag| members[*flag] == true);
    lines.extend(flags.map(|flag| format!("{flag}: true")));
    format!("{}\n\n{content}", lines.join("\n"))
}

/// A block as Markdown after its id.
pub(super) fn block(block: &Value) -> Option<String> {
    let read = Block::deserialize(block).ok()?;
    let id = read.id.as_ref().map(|id| format!("[{id}] ")).unwrap_or_default();
    Some(format!("{id}{}", markdown::write::block(&read)))
}

/// A page or a slide: its own members, then a line for each element.
pub(super) fn part(part: &Value) -> String {
    let members = inline(part, &["elements"]);
    let elements = part["elements"].as_array().into_iter().flatten();
    let elements: Vec<_> = elements.map(|element| format!("  {}", inline(element, &[]))).collect();
    [members].into_iter().chain(elements).collect::<Vec<_>>().join("\n")
}

/// Members of an object in one line, the id first: `[id] name="…" x=10`.
fn inline(object: &Value, without: &[&str]) -> String {
    let id = object["id"].as_str().map(|id| format!("[{id}]")).into_iter();
    let members = object.as_object().into_iter().flatten();
    let others = members.filter(|(name, _)| *name != "id" && !without.contains(&name.as_str()));
    id.chain(others.map(|(name, value)| format!("{name}={value}"))).collect::<Vec<_>>().join(" ")
}
