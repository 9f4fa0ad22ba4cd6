//! Tables of what JSON objects have: of an operation's own bodies, and of every named type that they lead to.

use std::collections::BTreeSet;

use maud::{Markup, html};
use serde_json::Value;
use shared_model::Failure;

use super::{
    document::{Document, referred},
    prose,
    types::{anchor, kind},
};
use crate::pages::layout::scrollable;

/// The named types that these schemas lead to, each explained once, in the order of their names.
pub fn named(document: &Document<'_>, from: &[&Value]) -> Result<Vec<(String, Value)>, Failure> {
    let mut waiting = BTreeSet::new();
    from.iter().for_each(|schema| refer(schema, &mut waiting));
    let mut found: Vec<(String, Value)> = Vec::new();
    while let Some(name) = waiting.pop_first() {
        if found.iter().any(|(known, _)| *known == name) {
            continue;
        }
        let schema = document.schema(&name)?.unwrap_or_default();
        refer(&schema, &mut waiting);
        found.push((name, schema));
    }
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(found)
}

fn refer(schema: &Value, names: &mut BTreeSet<String>) {
    match schema {
        Value::Object(members) => {
            names.extend(referred(schema).map(str::to_owned));
            // An example may have a member of any name.
            let members = members.iter().filter(|(key, _)| !matches!(key.as_str(), "example" | "examples"));
            members.for_each(|(_, value)| refer(value, names));
        }
        Value::Array(values) => values.iter().for_each(|value| refer(value, names)),
        _ => {}
    }
}

/// One named type, under a heading.
pub fn section(name: &str, schema: &Value) -> Markup {
    html! {
        section {
            h3 id=(anchor(name)) { code { (name) } }
            @if let Some(description) = schema["description"].as_str() { (prose::paragraphs(description)) }
            (shape(name, schema))
        }
    }
}

/// What a value of this schema is made of.
pub fn shape(label: &str, schema: &Value) -> Markup {
    let mut rows = Vec::new();
    members("", schema, &mut rows);
    if !rows.is_empty() {
        return table(label, &rows);
    }
    let variants = ["oneOf", "anyOf"].iter().find_map(|key| schema[*key].as_array());
    match variants.filter(|variants| variants.iter().any(|variant| variant["properties"].is_object())) {
        Some(variants) => html! {
            p { "One of these:" }
            @for (at, variant) in variants.iter().enumerate() {
                @if let Some(description) = variant["description"].as_str() { (prose::paragraphs(description)) }
                (shape(&format!("{label}, form {}", at + 1), variant))
            }
        },
        None => html! { p { (kind(schema)) } },
    }
}

/// One member of an object.
struct Row<'a> {
    name: String,
    is_required: bool,
    schema: &'a Value,
}

/// The members of an object, and those of the nameless objects within it, by their paths.
fn members<'a>(prefix: &str, schema: &'a Value, rows: &mut Vec<Row<'a>>) {
    for part in schema["allOf"].as_array().into_iter().flatten() {
        if referred(part).is_some() {
            rows.push(Row { name: format!("{prefix}…"), is_required: true, schema: part });
        }
        members(prefix, part, rows);
    }
    let Some(properties) = schema["properties"].as_object() else { return };
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (key, value) in properties {
        let name = format!("{prefix}{key}");
        let (within, inner) = match value["items"]["properties"].is_object() {
            true => (format!("{name}[]."), &value["items"]),
            false => (format!("{name}."), value),
        };
        rows.push(Row { name, is_required: required.contains(&key.as_str()), schema: value });
        members(&within, inner, rows);
    }
}

fn table(label: &str, rows: &[Row<'_>]) -> Markup {
    let caption = format!("Members of {label}");
    scrollable(
        &caption,
        html! {
            table {
                caption.hidden { (caption) }
                thead { tr { th scope="col" { "Member" } th scope="col" { "Type" } th scope="col" { "What it is" } } }
                tbody {
                    @for row in rows {
                        tr {
                            th scope="row" { code { (row.name) } @if !row.is_required { " " span.note { "optional" } } }
                            td { (kind(row.schema)) }
                            td { @if let Some(said) = row.schema["description"].as_str() { (prose::line(said)) } }
                        }
                    }
                }
            }
        },
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nameless_objects_are_shown_within_the_table_of_theirs() {
        let schema = json!({"type": "object", "required": ["data"], "properties": {
            "data": {"type": "object", "properties": {"lines": {"type": "array", "items": {"type": "object", "properties": {
                "sku": {"type": "string"}}}}}}}});
        let mut rows = Vec::new();
        members("", &schema, &mut rows);
        let names: Vec<_> = rows.iter().map(|row| (row.name.as_str(), row.is_required)).collect();
        assert_eq!(names, [("data", true), ("data.lines", false), ("data.lines[].sku", false)]);
    }
}
