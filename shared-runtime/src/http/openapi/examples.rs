//! Examples, put together from a schema's parts: an `example`, a constant, the first of several values, a bound.
//! Where that is not enough, the field needs `#[schema(example = …)]`.

use std::cell::RefCell;

use serde_json::{Map, Value, json};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};

use crate::http::next_action::ETAG;

pub(super) const REQUEST_ID: &str = "req_000102030405060708090a0b0c0d0e0f";

/// An example of this schema, or the places in it that have none; references lead into `components`.
pub fn for_schema(schema: &Value, components: &Value) -> Result<Value, Vec<String>> {
    make(schema, Maker { components, is_sent: false, lacking: RefCell::default() })
}

/// The same for the body of a request.
pub fn for_request_body(schema: &Value, components: &Value) -> Result<Value, Vec<String>> {
    make(schema, Maker { components, is_sent: true, lacking: RefCell::default() })
}

fn make(schema: &Value, maker: Maker<'_>) -> Result<Value, Vec<String>> {
    let example = maker.make(schema, "");
    let lacking = maker.lacking.into_inner();
    if lacking.is_empty() { Ok(example) } else { Err(lacking) }
}

struct Maker<'a> {
    components: &'a Value,
    is_sent: bool,
    lacking: RefCell<Vec<String>>,
}

impl Maker<'_> {
    fn make(&self, schema: &Value, at: &str) -> Value {
        if let Some(given) = given(schema) {
            // An example by hand wins, because only its author knows what looks real.
            return given.clone();
        }
        if let Some(reference) = schema["$ref"].as_str() {
            let name = reference.rsplit('/').next().unwrap_or_default();
            return self.make(&self.components[name], &format!("{at} {name}"));
        }
        for choices in ["oneOf", "anyOf"] {
            let first = schema[choices].as_array().and_then(|all| all.iter().find(|one| one["type"] != "null"));
            if let Some(first) = first {
                return self.make(first, at);
            }
        }
        if let Some(parts) = schema["allOf"].as_array() {
            return self.together(parts, at);
        }
        match kind(schema) {
            Some("object") => self.object(schema, at),
            Some("array") => json!([self.make(&schema["items"], &format!("{at}/0"))]),
            Some("string") if schema["format"] == "date-time" => json!("2026-11-21T09:30:00.000000Z"),
            Some("integer") => json!(schema["minimum"].as_i64().unwrap_or(1)),
            Some("number") => json!(schema["minimum"].as_f64().unwrap_or(1.0)),
            Some("boolean") => json!(true),
            _ => {
                self.lacking.borrow_mut().push(at.to_owned());
                Value::Null
            }
        }
    }

    fn together(&self, parts: &[Value], at: &str) -> Value {
        let mut whole = Map::new();
        for part in parts {
            match self.make(part, at) {
                Value::Object(members) => whole.extend(members),
                other => return other,
            }
        }
        Value::Object(whole)
    }

    fn object(&self, schema: &Value, at: &str) -> Value {
        let mut example = Map::new();
        let is_required =
            |name: &str| schema["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name));
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            // An optional flag is usually absent.
            if kind(property) == Some("boolean") && !is_required(name) && given(property).is_none() {
                continue;
            }
            // A request should work on an empty service, so it names no object that it does not need.
            if self.is_sent && name.ends_with("_id") && !is_required(name) {
                continue;
            }
            example.insert(name.clone(), self.make(property, &format!("{at}/{name}")));
        }
        Value::Object(example)
    }
}

fn given(schema: &Value) -> Option<&Value> {
    [
        schema.get("example"),
        schema["examples"].get(0),
        schema.get("const"),
        schema["enum"].get(0),
        schema.get("default"),
    ]
    .into_iter()
    .find_map(|given| given)
}

/// The first type that is not null.
fn kind(schema: &Value) -> Option<&str> {
    match &schema["type"] {
        Value::String(kind) => Some(kind),
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null"),
        _ => None,
    }
}

pub(super) fn request_header(name: &str, is_of_command: bool) -> RefOr<Schema> {
    let text = ObjectBuilder::new().schema_type(Type::String);
    match name {
        "Idempotency-Key" => text.pattern(Some("^[!-~]{1,255}$")).examples(["minutes-of-november-21"]),
        "If-Match" => text.pattern(Some("^(W/)?\"[!#-~]*\"$")).examples([ETAG]),
        "If-None-Match" if is_of_command => text.enum_values(Some(["*"])).examples(["*"]),
        "If-None-Match" | "If-Range" => text.examples([ETAG]),
        "Origin" => text.examples(["https://desk.example"]),
        "Content-Digest" => text.examples(["sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"]),
        "Range" => text.examples(["bytes=1024-"]),
        _ => text,
    }
    .into()
}

pub(super) fn request_id() -> RefOr<Schema> {
    let text = ObjectBuilder::new().schema_type(Type::String).pattern(Some("^req_[0-9a-f]{32}$"));
    text.examples([REQUEST_ID]).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_is_made_of_its_parts() {
        let components = json!({"Room": {"type": "object", "required": ["id"], "properties": {
            "id": {"type": "string", "example": "room_1"},
            "size": {"type": "integer", "minimum": 3},
            "is_old": {"type": "boolean"},
        }}});
        let schema = json!({"type": "object", "required": ["open"], "properties": {
            "rooms": {"type": "array", "items": {"$ref": "#/components/schemas/Room"}},
            "state": {"enum": ["a", "b"]},
            "open": {"type": "boolean"},
            "at": {"oneOf": [{"type": "null"}, {"type": "string", "format": "date-time"}]},
            "next": {"type": ["string", "null"], "example": null},
        }});
        let expected = json!({
            "rooms": [{"id": "room_1", "size": 3}], "state": "a", "open": true,
            "at": "2026-11-21T09:30:00.000000Z", "next": null,
        });
        assert_eq!(for_schema(&schema, &components), Ok(expected));
    }

    #[test]
    fn a_request_names_no_id_that_it_need_not() {
        let id = json!({"type": "string", "example": "room_1"});
        let schema = json!({"type": "object", "required": ["room_id"], "properties": {"room_id": id, "parent_id": id}});
        assert_eq!(for_request_body(&schema, &Value::Null), Ok(json!({"room_id": "room_1"})));
        assert_eq!(for_schema(&schema, &Value::Null), Ok(json!({"room_id": "room_1", "parent_id": "room_1"})));
    }

    #[test]
    fn what_lacks_an_example_is_named() {
        let components = json!({"Room": {"type": "object", "properties": {"name": {"type": "string"}}}});
        let schema = json!({"type": "array", "items": {"$ref": "#/components/schemas/Room"}});
        assert_eq!(for_schema(&schema, &components), Err(vec!["/0 Room/name".to_owned()]));
    }
}
