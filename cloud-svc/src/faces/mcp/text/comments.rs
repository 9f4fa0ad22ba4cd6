//! Comments: one line each, with replies under their parents.

use serde_json::Value;
use shared_runtime::mcp::Written;

use super::{if_match, items, line, minute, table, tag, text, who};

pub(in super::super) fn list(body: &Value) -> Option<Written> {
    let row = |comment: &Value| {
        let parent = body["parents"][text(comment, "id")].as_str().unwrap_or_default();
        let (place, at) = (place(comment), minute(comment, "updated_at"));
        line([
            text(comment, "id"),
            text(comment, "status"),
            tag(comment),
            &at,
            who(&comment["actor"]),
            &place,
            parent,
            text(comment, "text"),
        ])
    };
    Some(table(body, "id\tstatus\tif_match\tchanged\tby\twhere\treply_to\ttext", items(body).map(row)))
}

pub(in super::super) fn mentions(body: &Value) -> Option<Written> {
    let row = |comment: &Value| {
        let of = |member: &str| &body[member][text(comment, "id")];
        let answered = of("answers").as_array().map_or(0, Vec::len).to_string();
        let (file, at, place) =
            (of("file_names").as_str().unwrap_or_default(), minute(comment, "updated_at"), place(comment));
        line([
            text(comment, "id"),
            text(comment, "file_id"),
            text(comment, "status"),
            &answered,
            &at,
            who(&comment["actor"]),
            &place,
            file,
            text(comment, "text"),
        ])
    };
    Some(table(body, "id\tfile_id\tstatus\tplans\tchanged\tby\twhere\tfile\ttext", items(body).map(row)))
}

pub(in super::super) fn one(body: &Value) -> Option<Written> {
    let comment = body.get("comment")?;
    Some(
        Written::default().line(format!("{} {}", text(comment, "id"), text(comment, "status"))).line(if_match(comment)),
    )
}

fn place(comment: &Value) -> String {
    let anchor = &comment["anchor"];
    ["block_id", "slide_id", "range"].iter().find_map(|name| anchor[*name].as_str()).unwrap_or_default().to_owned()
}
