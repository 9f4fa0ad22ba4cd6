//! Replaces values that differ between runs with names, for snapshots.

use serde_json::Value;
use shared_model::{Etag, Timestamp};

/// Replaces random ids, times, entity tags and the stage's addresses.
pub fn redacted(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(text_of(text)),
        Value::Array(items) => items.iter().map(redacted).collect(),
        Value::Object(map) => map.iter().map(|(name, value)| (name.clone(), redacted(value))).collect(),
        other => other.clone(),
    }
}

fn text_of(text: &str) -> String {
    if Etag::parse(text).is_some() {
        return "[etag]".to_owned();
    }
    // Only the form in which services write times: other texts that parse as a time stay visible in snapshots.
    if text.len() == 27 && text.ends_with('Z') && Timestamp::parse(text).is_some() {
        return "[timestamp]".to_owned();
    }
    without_ids(&without_address(text))
}

/// `http://127.0.0.1:41234/v1` → `[base_url]/v1`.
fn without_address(text: &str) -> String {
    const HERE: &str = "://127.0.0.1:";
    let Some(at) = text.find(HERE) else { return text.to_owned() };
    let scheme = text[..at].rfind(|c: char| !c.is_ascii_alphabetic()).map_or(0, |before| before + 1);
    let rest = text[at + HERE.len()..].trim_start_matches(|c: char| c.is_ascii_digit());
    format!("{}[base_url]{rest}", &text[..scheme])
}

/// `…/exports/exp_00…0f/parts` → `…/exports/[exp]/parts`: a prefix, an underscore and 32 hexadecimal digits.
fn without_ids(text: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for c in text.chars().chain(['\n']) {
        if c.is_ascii_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        match word.rsplit_once('_') {
            Some((prefix, _)) if shared_model::id::is_hex_id(prefix, &word) => out.push_str(&format!("[{prefix}]")),
            _ => out.push_str(&word),
        }
        word.clear();
        out.push(c);
    }
    out.pop();
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_differs_from_run_to_run_is_replaced() {
        let response = json!({
            "id": "file_1",
            "request_id": "req_000102030405060708090a0b0c0d0e0f",
            "href": "http://127.0.0.1:4711/v1/exports/exp_000102030405060708090a0b0c0d0e0f/parts",
            "at": "2026-11-21T09:30:00.000001Z",
            "etag": format!("\"{}\"", "0".repeat(64)),
            "text": "Bearer x=\"http://127.0.0.1:1/\", ünïcode",
        });
        assert_eq!(
            redacted(&response),
            json!({
                "id": "file_1",
                "request_id": "[req]",
                "href": "[base_url]/v1/exports/[exp]/parts",
                "at": "[timestamp]",
                "etag": "[etag]",
                "text": "Bearer x=\"[base_url]/\", ünïcode",
            })
        );
    }
}
