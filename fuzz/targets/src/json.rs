//! Whatever the bytes, our reader of JSON does not panic, accepts nothing that serde_json refuses, and reads the same values.
//! Accepted values have one canonical text, which is that of the reference implementation.

use serde_json::Value;
use shared_model::json;

pub fn run(bytes: &[u8]) {
    let Ok(value) = json::parse(bytes) else { return };
    let other: Value = serde_json::from_slice(bytes).expect("JSON that serde_json reads, too");
    assert_eq!(value, other);
    let text = canonical_json::value_text(&value);
    assert_eq!(text, serde_json_canonicalizer::to_string(&value).expect("a canonical text"));
    let again = json::parse(text.as_bytes()).expect("a canonical text is JSON");
    assert_eq!(canonical_json::value_text(&again), text);
}
