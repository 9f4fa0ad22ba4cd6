//! JSON schemas of tools' arguments, from the contracts of their operations: the same types decode requests and are
//! in the OpenAPI document.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use utoipa::openapi::{RefOr, Schema};

use super::{arguments::header_argument, tool::Tool};
use crate::http::{contract::Contract, openapi};

const COMPONENTS: &str = "#/components/schemas/";
// Only of use in OpenAPI documents; every token that a model reads costs.
const LEFT_OUT: [&str; 4] = ["example", "examples", "discriminator", "format"];

type Named = BTreeMap<String, Value>;

/// The arguments of one operation, or of all operations of a tool.
#[derive(Default)]
struct Accepted {
    properties: BTreeMap<String, Value>,
    required: Vec<String>,
}

pub(super) fn for_tool(tool: &Tool, contracts: &[&Contract]) -> Map<String, Value> {
    let schemas = contracts.iter().flat_map(|contract| openapi::schemas(contract));
    let named: Named = schemas.map(|(name, schema)| (name, of_part(&schema))).collect();
    let each: Vec<Accepted> = contracts.iter().map(|contract| accepted(contract, &named)).collect();
    let mut all = Accepted::default();
    for one in &each {
        for (name, schema) in &one.properties {
            match all.properties.get_mut(name) {
                Some(known) if known != schema => *known = either(known.take(), schema.clone()),
                Some(_) => {}
                None => {
                    all.properties.insert(name.clone(), schema.clone());
                }
            }
        }
    }
    // Only what every operation requires, whichever is called.
    let first = each.first().map(|one| one.required.as_slice()).unwrap_or_default();
    all.required = first.iter().filter(|name| each.iter().all(|one| one.required.contains(name))).cloned().collect();
    for own in &tool.extra {
        all.properties.insert(own.name.to_owned(), own.schema.clone());
        all.required.retain(|name| name != own.name);
        if own.required {
            all.required.push(own.name.to_owned());
        }
    }
    // Last, because an argument of the tool itself may replace a hidden one of its operations.
    all.properties.retain(|name, _| !tool.hidden.contains(&name.as_str()));
    all.required.retain(|name| !tool.hidden.contains(&name.as_str()));
    let mut schema = json!({
        "type": "object",
        "properties": all.properties,
        "required": all.required,
        "additionalProperties": false,
    });
    let definitions = definitions(&schema, &named);
    if !definitions.is_empty() {
        schema["$defs"] = json!(definitions);
    }
    match cleaned(schema) {
        Value::Object(schema) => schema,
        _ => Map::new(),
    }
}

fn accepted(contract: &Contract, named: &Named) -> Accepted {
    let mut taken = Accepted::default();
    let mut take = |name: &str, schema: Value, required: bool| {
        taken.properties.insert(name.to_owned(), schema);
        if required {
            taken.required.push(name.to_owned());
        }
    };
    for (name, schema) in contract.path_names().zip(&contract.path_parameters) {
        take(name, of_part(schema), true);
    }
    for parameter in &contract.query {
        take(parameter.name, described(of_part(&parameter.schema), parameter.description), parameter.required);
    }
    for header in &contract.headers {
        if let Some(known) = header_argument(header.name) {
            let schema = json!({"type": "string", "minLength": 1, "maxLength": 255, "description": known.description});
            take(known.argument, schema, header.required);
        }
    }
    if let Some(body) = contract.body_schema.as_ref().map(|schema| resolved(of_part(schema), named)) {
        let required: Vec<&str> = body["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        for (name, schema) in body["properties"].as_object().into_iter().flatten() {
            take(name, schema.clone(), required.contains(&name.as_str()));
        }
    }
    taken
}

fn of_part(schema: &RefOr<Schema>) -> Value {
    serde_json::to_value(schema).unwrap_or_default()
}

fn described(mut schema: Value, description: &str) -> Value {
    if let Value::Object(members) = &mut schema {
        members.insert("description".to_owned(), description.into());
    }
    schema
}

fn resolved(schema: Value, named: &Named) -> Value {
    let name = schema["$ref"].as_str().and_then(|reference| reference.strip_prefix(COMPONENTS));
    match name.and_then(|name| named.get(name)) {
        Some(schema) => schema.clone(),
        None => schema,
    }
}

fn either(one: Value, other: Value) -> Value {
    match one {
        Value::Object(mut choice) if choice.contains_key("anyOf") => {
            if let Some(choices) = choice.get_mut("anyOf").and_then(Value::as_array_mut)
                && !choices.contains(&other)
            {
                choices.push(other);
            }
            Value::Object(choice)
        }
        one => json!({"anyOf": [one, other]}),
    }
}

/// Every named schema that the schema refers to.
fn definitions<'n>(schema: &Value, named: &'n Named) -> BTreeMap<&'n str, &'n Value> {
    let mut found = BTreeMap::new();
    let mut sought = references(schema);
    while let Some(name) = sought.pop() {
        if let Some((name, schema)) = named.get_key_value(&name)
            && found.insert(name.as_str(), schema).is_none()
        {
            sought.extend(references(schema));
        }
    }
    found
}

fn references(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().flat_map(references).collect(),
        Value::Object(members) => members.values().flat_map(references).collect(),
        Value::String(text) => text.strip_prefix(COMPONENTS).map(str::to_owned).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Without examples; references lead to `$defs`.
fn cleaned(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(cleaned).collect(),
        Value::Object(members) => {
            // `properties` may have members of any name, such as "format".
            let is_schema =
                members.keys().any(|key| matches!(key.as_str(), "type" | "$ref" | "oneOf" | "anyOf" | "allOf"));
            let kept = members.into_iter().filter(|(key, _)| !is_schema || !LEFT_OUT.contains(&key.as_str()));
            Value::Object(kept.map(|(key, value)| (key, cleaned(value))).collect())
        }
        Value::String(text) => match text.strip_prefix(COMPONENTS) {
            Some(name) => format!("#/$defs/{name}").into(),
            None => text.into(),
        },
        other => other,
    }
}
