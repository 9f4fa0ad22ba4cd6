//! A JSON Schema in words: what kind of value it is, and its constraints.

use maud::{Markup, html};
use serde_json::Value;

use super::document::referred;

/// Where a named type is explained, on the same page.
pub fn anchor(name: &str) -> String {
    format!("type-{name}")
}

/// The kind of value, and what holds of it.
pub fn kind(schema: &Value) -> Markup {
    let rules = rules(schema);
    html! {
        (name(schema))
        @if let Some(values) = schema["enum"].as_array() {
            ": " @for (at, value) in values.iter().enumerate() { @if at > 0 { ", " } code { (plain(value)) } }
        }
        @for rule in rules { ", " (rule) }
    }
}

fn name(schema: &Value) -> Markup {
    if let Some(name) = referred(schema) {
        return html! { a href=(format!("#{}", anchor(name))) { (name) } };
    }
    for (key, word) in [("oneOf", "one of"), ("anyOf", "any of"), ("allOf", "all of")] {
        if let Some(variants) = schema[key].as_array() {
            return html! {
                (word) ": "
                @for (at, variant) in variants.iter().enumerate() { @if at > 0 { " · " } (kind(variant)) }
            };
        }
    }
    if let Some(value) = schema.get("const") {
        return html! { code { (plain(value)) } };
    }
    let named = schema["type"].as_str().map(|name| vec![name]);
    let named = named.or_else(|| Some(schema["type"].as_array()?.iter().filter_map(Value::as_str).collect()));
    let named = named.unwrap_or_else(|| vec!["any value"]);
    html! {
        (named.join(" or "))
        @if let Some(items) = schema.get("items").filter(|items| items.is_object()) { " of " (kind(items)) }
        @if let Some(values) = schema.get("additionalProperties").filter(|values| values.is_object()) {
            ", each member " (kind(values))
        }
    }
}

/// A value without quotation marks around text.
pub fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// What applies to a value in addition to its type.
fn rules(schema: &Value) -> Vec<Markup> {
    let mut rules = Vec::new();
    for (least, most, unit) in [
        ("minLength", "maxLength", " characters"),
        ("minItems", "maxItems", " items"),
        ("minProperties", "maxProperties", " members"),
        ("minimum", "maximum", ""),
    ] {
        let said = match (schema.get(least), schema.get(most)) {
            (Some(least), Some(most)) if least == most => format!("exactly {least}{unit}"),
            (Some(least), Some(most)) => format!("{least} to {most}{unit}"),
            (Some(least), None) => format!("at least {least}{unit}"),
            (None, Some(most)) => format!("at most {most}{unit}"),
            (None, None) => continue,
        };
        rules.push(html! { (said) });
    }
    if let Some(format) = schema["format"].as_str() {
        rules.push(html! { "format " code { (format) } });
    }
    if let Some(pattern) = schema["pattern"].as_str() {
        rules.push(html! { "pattern " code { (pattern) } });
    }
    if let Some(default) = schema.get("default") {
        rules.push(html! { "otherwise " code { (plain(default)) } });
    }
    rules
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_type_says_what_holds_of_its_values() {
        let schema = json!({"type": ["array", "null"], "items": {"$ref": "#/components/schemas/Line"}, "maxItems": 3});
        let html = kind(&schema).into_string();
        assert_eq!(html, "array or null of <a href=\"#type-Line\">Line</a>, at most 3 items");
        let schema = json!({"type": "string", "enum": ["a", "<b>"], "minLength": 1, "pattern": "^<$"});
        let html = kind(&schema).into_string();
        let expected =
            "string: <code>a</code>, <code>&lt;b&gt;</code>, at least 1 characters, pattern <code>^&lt;$</code>";
        assert_eq!(html, expected);
    }
}
