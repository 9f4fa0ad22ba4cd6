//! Whatever the bytes, reading content of any kind and edits of it does not panic. Accepted content stays the same
//! when it is stored. After an edit, the content can still be looked through and compared.

use std::collections::HashSet;

use cloud_content::{content::Content, edited::edited, for_each_kind, hidden_text::content_warnings};
use serde_json::Value;
use shared_model::{Name, Random, json, json_reader};

pub fn run(bytes: &[u8]) {
    let Ok(value) = json::parse_object(bytes) else { return };
    let content = value.get("content").unwrap_or(&Value::Null);
    let operations = value.get("operations").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    for_each_kind!(C => try_kind::<C>(content, operations));
}

fn try_kind<C: Content>(value: &Value, operations: &[Value]) {
    let mut content: C = match json_reader::read(value) {
        Ok(content) => content,
        Err(_) => C::smallest(&Name::parse("Name").expect("a name")),
    };
    content.give_ids(&Random::seeded(1));
    let stored = serde_json::to_string(&content).expect("JSON");
    assert_eq!(serde_json::from_str::<C>(&stored).expect("stored content"), content);
    let again = json::parse(stored.as_bytes()).expect("strict JSON");
    let read: C = json_reader::read(&again).expect("what is stored keeps the rules");
    assert_eq!(serde_json::to_string(&read).expect("JSON"), stored);
    content_warnings(&content);
    let operations: Vec<C::Operation> = operations.iter().filter_map(|value| json_reader::read(value).ok()).collect();
    if let Ok((after, _)) = edited(&content, &operations, HashSet::new()) {
        content_warnings(&after);
        assert_eq!(content.differences(&after).is_empty(), after.differences(&content).is_empty());
    }
}
