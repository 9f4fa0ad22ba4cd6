//! Files: lists, details, and what became of one.

use serde_json::{Value, json};
use shared_runtime::mcp::{FOR_TEXT, Written};

use super::{if_match, items, line, minute, table, tag, text, who};

const COLUMNS: &str = "id\ttype\tif_match\tchanged\tname";

pub(in super::super) fn list(body: &Value) -> Option<Written> {
    Some(table(body, COLUMNS, items(body).map(row)))
}

fn row(file: &Value) -> String {
    let changed = minute(file, "updated_at");
    line([text(file, "id"), text(file, "type"), tag(file), &changed, text(file, "name")])
}

/// Files with what was found in them: a line for each match.
pub(in super::super) fn found(body: &Value) -> Option<Written> {
    let rows = items(body).flat_map(|found| {
        let file = &found["file"];
        let head = [text(file, "id"), text(file, "type"), tag(file), text(file, "name")];
        let matches: Vec<_> = found["matches"].as_array().into_iter().flatten().collect();
        let of_match = |found: &&Value| {
            let place = found["where"].as_object().and_then(|place| place.values().find_map(Value::as_str));
            line(head.into_iter().chain([place.unwrap_or_default(), text(found, "excerpt")]))
        };
        // A search by tag alone.
        if matches.is_empty() { vec![line(head)] } else { matches.iter().map(of_match).collect() }
    });
    Some(table(body, "id\ttype\tif_match\tname\twhere\texcerpt", rows))
}

/// The file after a change.
pub(in super::super) fn changed(body: &Value) -> Option<Written> {
    let file = body.get("file")?;
    // A draft outlasts the file that it became.
    if !file.is_object() {
        return Some(Written::default().line("The file is deleted."));
    }
    let state = if text(file, "state") == "trashed" { ", in the trash" } else { "" };
    let written =
        Written::default().line(format!("{} {}{state}", text(file, "type"), text(file, "id"))).line(if_match(file));
    let warnings = body.pointer("/import/warnings").and_then(Value::as_array);
    let warnings: Vec<String> = warnings.into_iter().flatten().map(warning).collect();
    if warnings.is_empty() {
        return Some(written);
    }
    Some(written.quoting(format!("Warnings:\n{}", warnings.join("\n"))))
}

/// The members of a warning, without their names.
fn warning(warning: &Value) -> String {
    let said = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let members = warning.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null());
    members.map(|(_, value)| said(value)).collect::<Vec<_>>().join(" ")
}

pub(in super::super) fn details(body: &Value) -> Option<Written> {
    let (file, details) = (body.get("file")?, body.get("details")?);
    let mut written = Written::default().line(format!(
        "{} {} {}, version {}, changed {}",
        text(file, "type"),
        text(file, "id"),
        text(file, "state"),
        file["current_version_id"].as_str().unwrap_or("none"),
        minute(file, "updated_at"),
    ));
    written = written.line(if_match(file));
    let bytes = details["bytes"].as_i64().map(|bytes| format!("{bytes} bytes, ")).unwrap_or_default();
    let (comments, plans) = (&details["open_comments"], &details["open_plans"]);
    written = written.line(format!("{bytes}{comments} open comments, {plans} open plans"));
    let folders = details["path"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|entry| format!("{} ({})", text(entry, "name"), text(entry, "id")));
    let folders = folders.collect::<Vec<_>>().join(" / ");
    let mut quoted = format!("name: {}", text(file, "name"));
    if !folders.is_empty() {
        quoted.push_str(&format!("\nin: {folders}"));
    }
    for (label, actor) in [("created by", &details["created_by"]), ("changed by", &details["updated_by"])] {
        if actor.is_object() {
            quoted.push_str(&format!("\n{label}: {} ({})", who(actor), text(actor, "type")));
        }
    }
    let tags: Vec<_> = details["tags"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if !tags.is_empty() {
        quoted.push_str(&format!("\ntags: {}", tags.join(", ")));
    }
    if body[FOR_TEXT]["can_convert"] == true {
        written = written.next("copy_file", &json!({"file_id": file["id"], "convert": true}));
    }
    Some(written.quoting(quoted))
}

pub(in super::super) fn download(body: &Value) -> Option<Written> {
    let download = body.get("download")?;
    let written = Written::default()
        .line(format!("{} (GET, until {})", text(download, "url"), text(download, "expires_at")))
        .line(format!("{} bytes, {}", download["bytes"], text(download, "mime")));
    Some(written.quoting(text(download, "filename")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::changed;

    #[test]
    fn a_file_that_is_gone_has_no_record() {
        let written = changed(&json!({"draft": {"id": "draft_1"}, "file": null})).expect("a text");
        assert_eq!(written.lines, ["The file is deleted."]);
        assert!(changed(&json!({"draft": {"id": "draft_1"}})).is_none());
    }
}
