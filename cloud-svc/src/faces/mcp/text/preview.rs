//! Changes of plans and comparisons: `+` inserted, `-` deleted, `~` replaced, `>` moved.

use serde_json::Value;

use super::{
    content,
    difference::{self, Rest},
    one_line, sheets, text,
};

pub(super) fn changes(changes: &Value) -> String {
    let mut rest = Rest::of_result();
    let changes = changes.as_array().into_iter().flatten();
    changes.map(|one| change(one, &mut rest)).collect::<Vec<_>>().join("\n")
}

/// The same, each after its id, by which other tools name it: `c2 ~ b_4`.
// A formula that follows its cells has none: nobody can choose it by itself.
pub(super) fn named_changes(changes: &Value) -> String {
    let mut rest = Rest::of_result();
    let changes = changes.as_array().into_iter().flatten();
    let named = changes.map(|one| match text(one, "kind") {
        "formula" => change(one, &mut rest),
        _ => format!("{} {}", text(one, "id"), change(one, &mut rest)),
    });
    named.collect::<Vec<_>>().join("\n")
}

fn change(change: &Value, rest: &mut Rest) -> String {
    if let Some(more) = change["more"].as_u64() {
        return format!("… and {more} more formulas follow their cells");
    }
    let place = place(change);
    let (before, after) = (part(&change["before"]), part(&change["after"]));
    match text(change, "kind") {
        "insert" => format!("+ {}{}", place_before(&place, &after), indented(&after)),
        "delete" => format!("- {}{}", place_before(&place, &before), indented(&before)),
        "move" => {
            let to = change["after_id"].as_str().map_or("the beginning".to_owned(), |id| format!("after {id}"));
            format!("> {place} to {to}")
        }
        _ => format!("~ {place}\n{}", difference::write(without_id(&before), without_id(&after), rest)),
    }
}

/// The place of a replacement has the id already.
fn without_id(part: &str) -> &str {
    part.strip_prefix('[').and_then(|rest| rest.split_once("] ")).map_or(part, |(_, rest)| rest)
}

/// Empty if the part begins with its id.
fn place_before(place: &str, part: &str) -> String {
    if part.starts_with('[') { String::new() } else { format!("{place} ") }
}

fn place(change: &Value) -> String {
    if let Some(place) = change["where"].as_str() {
        return one_line(place);
    }
    let within = match (change["sheet"].as_str(), change["cell"].as_str().or(change["range"].as_str())) {
        (Some(sheet), Some(cell)) => Some(format!("{}!{cell}", one_line(sheet))),
        (Some(sheet), None) => Some(format!("sheet {}", one_line(sheet))),
        _ => None,
    };
    let members = ["page_id", "slide_id", "element_id", "block_id", "member"];
    let named = members.iter().filter_map(|name| change[*name].as_str()).map(one_line);
    within.into_iter().chain(named).collect::<Vec<_>>().join(" ")
}

/// Further lines are indented, so that none of them looks like a change.
fn indented(part: &str) -> String {
    part.replace('\n', "\n    ")
}

/// The content of a change: a block as Markdown, a text as it is, and anything else as JSON.
fn part(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Object(members) if members.contains_key("segments") => {
            content::block(value).unwrap_or_else(|| value.to_string())
        }
        Value::Object(members) if members.contains_key("elements") => content::part(value),
        other => other.to_string(),
    }
}

/// Computed values that change with the plan. A reader must know if some are missing.
pub(super) fn totals(totals: &Value) -> Option<String> {
    let Some(cells) = totals["cells"].as_array() else {
        return totals["reason"].is_string().then(|| "They are too many to compute.".to_owned());
    };
    if cells.is_empty() {
        return None;
    }
    let cell = |total: &Value| {
        let (before, after) = (sheets::computed(&total["before"]), sheets::computed(&total["after"]));
        format!("{}!{}: {before} → {after}", one_line(text(total, "sheet")), text(total, "cell"))
    };
    let changed = totals["changed"].as_u64().and_then(|changed| usize::try_from(changed).ok()).unwrap_or_default();
    let more = changed.saturating_sub(cells.len());
    let more = (more > 0).then(|| format!("… and {more} more"));
    Some(cells.iter().map(cell).chain(more).collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{changes, named_changes, totals};

    #[test]
    fn values_that_are_left_out_are_counted() {
        let cell = json!({
            "sheet": "Budget", "cell": "B5",
            "before": {"type": "number", "value": 1150}, "after": {"type": "number", "value": 1270},
        });
        let of = |cells, changed, reason| totals(&json!({"cells": cells, "changed": changed, "reason": reason}));
        assert_eq!(of(json!([]), json!(0), json!(null)), None);
        let one = "Budget!B5: 1150 → 1270";
        assert_eq!(of(json!([cell]), json!(1), json!(null)).as_deref(), Some(one));
        assert_eq!(of(json!([cell]), json!(301), json!(null)), Some(format!("{one}\n… and 300 more")));
        let too_large = of(json!(null), json!(null), json!("computation_too_large"));
        assert_eq!(too_large.as_deref(), Some("They are too many to compute."));
        assert_eq!(totals(&json!(null)), None, "a plan without formulas");
    }

    #[test]
    fn a_change_that_can_be_chosen_begins_with_its_id() {
        let listed = json!([
            {"id": "c1", "kind": "delete", "sheet": "S", "range": "2:2", "before": "c9 + x\nc9 + y", "after": null},
            {"id": "c2", "kind": "formula", "where": "S!A2", "before": "=A3", "after": "=A2"},
            {"id": "c3", "kind": "formula", "before": null, "after": null, "more": 7},
        ]);
        let named = named_changes(&listed);
        let lines: Vec<_> = named.lines().filter(|line| !line.starts_with(' ')).collect();
        assert_eq!(lines, ["c1 - S!2:2 c9 + x", "~ S!A2", "… and 7 more formulas follow their cells"]);
        assert_eq!(format!("c1 {}", changes(&listed)), named);
    }
}
