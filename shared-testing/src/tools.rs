//! Checks the tools of `/mcp`: schemas that every common model API accepts, in few characters.
//!
//! The subset is what the providers' documents and SDKs take in November 2026:
//! - OpenAI, "Structured outputs", supported schemas (`developers.openai.com/api/docs/guides/structured-outputs`), and
//!   `openai-agents` 0.24, `strict_schema.py`, which adds `additionalProperties` itself.
//! - Gemini, `types.Schema` and `FunctionDeclaration` of `google-genai` 3.6.1: one `type` in each node, `enum` only of
//!   strings. Its converter of MCP tools fails at `additionalProperties: false` (issues 2393 and 2476).
//! - Anthropic, "Strict tool use" (`platform.claude.com/docs/en/build-with-claude/structured-outputs`): an object at the
//!   top, names of up to 64 letters, digits, underscores and hyphens.

use serde_json::{Value, json};

use crate::{caller::Caller, response::Text as _};

const MEMBERS: [&str; 6] = ["type", "description", "properties", "required", "items", "enum"];
const TYPES: [&str; 6] = ["string", "integer", "number", "boolean", "array", "object"];
const DEPTH: usize = 5;

/// Reads the list of tools as this caller and checks it.
pub async fn suite(caller: &Caller) {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}});
    let request = caller.post("/mcp").header("accept", "application/json, text/event-stream").json(body);
    let listed = request.await.status(200);
    let tools = listed["result"]["tools"].as_array().expect("tools");
    assert!(!tools.is_empty(), "{listed}");
    for tool in tools {
        let name = tool["name"].text();
        let is_plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
        assert!((1..=64).contains(&name.len()) && name.bytes().all(is_plain), "{name}");
        assert!(tool.get("outputSchema").is_none(), "{name}: only programs ask for it");
        assert!(tool["description"].text().len() <= 400, "{name}: a long description");
        assert_eq!(tool["inputSchema"]["type"], "object", "{name}");
        let mut problems = Vec::new();
        check(&tool["inputSchema"], name, 1, &mut problems);
        assert!(problems.is_empty(), "{problems:?}");
    }
}

fn check(schema: &Value, at: &str, depth: usize, problems: &mut Vec<String>) {
    let Some(members) = schema.as_object() else { return problems.push(format!("{at}: not an object")) };
    problems
        .extend(members.keys().filter(|name| !MEMBERS.contains(&name.as_str())).map(|name| format!("{at}: {name}")));
    let kind = members.get("type").and_then(Value::as_str).unwrap_or_default();
    if !TYPES.contains(&kind) {
        problems.push(format!("{at}: has not one type"));
    }
    if matches!(kind, "array" | "object") && depth > DEPTH {
        problems.push(format!("{at}: deeper than {DEPTH}"));
    }
    if let Some(words) = members.get("enum") {
        let are_words = words.as_array().is_some_and(|words| words.iter().all(Value::is_string));
        if kind != "string" || !are_words {
            problems.push(format!("{at}: an enum of something else than strings"));
        }
    }
    match (kind, members.get("properties"), members.get("items")) {
        ("object", Some(Value::Object(properties)), None) => {
            if members.get("required").is_some_and(|required| *required == json!([])) {
                problems.push(format!("{at}: requires nothing"));
            }
            let required = members.get("required").and_then(Value::as_array).into_iter().flatten();
            let unknown = required.filter(|name| !name.as_str().is_some_and(|name| properties.contains_key(name)));
            problems.extend(unknown.map(|name| format!("{at}: requires {name}")));
            for (name, schema) in properties {
                check(schema, &format!("{at}/{name}"), depth + 1, problems);
            }
        }
        ("array", None, Some(items)) => check(items, &format!("{at}/items"), depth + 1, problems),
        ("object" | "array", ..) => problems.push(format!("{at}: has no properties or items")),
        (_, None, None) => {}
        _ => problems.push(format!("{at}: properties or items of a scalar")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(schema: &Value) -> Vec<String> {
        let mut problems = Vec::new();
        check(schema, "tool", 1, &mut problems);
        problems
    }

    #[test]
    fn what_a_model_api_refuses_is_found() {
        let object = |property: Value| json!({"type": "object", "properties": {"a": property}});
        assert_eq!(problems(&object(json!({"type": "string", "enum": ["x"]}))), [""; 0]);
        for bad in [
            json!({"enum": ["x"]}),
            json!({"type": ["string", "null"]}),
            json!({"type": "string", "pattern": "^[^\\x00]$"}),
            json!({"$ref": "#/$defs/A"}),
            json!({"type": "integer", "enum": [1]}),
            json!({"type": "array"}),
            json!({"type": "object", "properties": {}, "additionalProperties": false}),
            json!({"type": "object", "properties": {}, "required": ["b"]}),
            json!({"oneOf": [{"type": "string"}]}),
            object(object(object(object(object(json!({"type": "string"})))))),
        ] {
            assert!(!problems(&object(bad.clone())).is_empty(), "{bad}");
        }
    }
}
