//! A command line that carries an operation out with the examples of its document.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use super::{document::Outline, types::plain};

/// The command; the token is taken from the environment.
pub fn command(base: &str, outline: &Outline, operation: &Value) -> String {
    let mut path = outline.path.clone();
    let mut query = Vec::new();
    let mut options = Vec::new();
    if !operation["security"].as_array().is_none_or(Vec::is_empty) {
        // Double quotes: the shell fills it in.
        options.push("-H \"Authorization: Bearer $TOKEN\"".to_owned());
    }
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap_or_default();
        let value = plain(&parameter["example"]);
        let is_required = parameter["required"] == true;
        match parameter["in"].as_str() {
            Some("path") => path = path.replace(&format!("{{{name}}}"), &encoded(&value)),
            Some("query") if is_required => query.push(format!("{name}={}", encoded(&value))),
            Some("header") if is_required => options.push(format!("-H {}", quoted(&format!("{name}: {value}")))),
            _ => {}
        }
    }
    if let Some((media_type, content)) =
        operation["requestBody"]["content"].as_object().and_then(|all| all.iter().next())
    {
        options.push(format!("-H {}", quoted(&format!("Content-Type: {media_type}"))));
        options.push(match content.get("example") {
            Some(example) => format!("--data {}", quoted(&plain(example))),
            None => "--data-binary @body".to_owned(),
        });
    }
    let query = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
    let first = format!("curl -i -X {} {}", outline.method, quoted(&format!("{base}{path}{query}")));
    [vec![first], options].concat().join(" \\\n  ")
}

fn encoded(value: &str) -> String {
    const KEPT: percent_encoding::AsciiSet =
        NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b'/');
    utf8_percent_encode(value, &KEPT).to_string()
}

/// One word of a shell, whatever is in it.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_command_carries_the_examples_quoted_for_a_shell() {
        let outline = Outline {
            id: "rename".to_owned(),
            summary: String::new(),
            method: "POST".to_owned(),
            path: "/v1/things/{id}".to_owned(),
        };
        let operation = json!({
            "security": [{"bearer": []}],
            "parameters": [
                {"in": "path", "name": "id", "required": true, "example": "a b"},
                {"in": "query", "name": "q", "required": false, "example": "x"},
                {"in": "header", "name": "Idempotency-Key", "required": true, "example": "k"},
            ],
            "requestBody": {"content": {"application/json": {"example": {"name": "Ada's"}}}},
        });
        let expected = r#"curl -i -X POST 'https://a.example/v1/things/a%20b' \
  -H "Authorization: Bearer $TOKEN" \
  -H 'Idempotency-Key: k' \
  -H 'Content-Type: application/json' \
  --data '{"name":"Ada'\''s"}'"#;
        assert_eq!(command("https://a.example", &outline, &operation), expected);
    }
}
