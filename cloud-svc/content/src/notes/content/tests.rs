//! The rules of note content.

use serde_json::{Value, json};
use shared_model::json_reader;

use super::NoteContent;

/// The places at which `content` breaks rules.
fn problems(content: &Value) -> Vec<String> {
    match json_reader::read::<NoteContent>(content) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.into_iter().map(|problem| problem.at).collect(),
    }
}

fn with(member: &str, value: Value) -> Value {
    let mut content = json!({"title": "", "content": ""});
    content[member] = value;
    content
}

#[test]
fn a_note_keeps_its_text_and_its_order_of_members() {
    let sent = json!({"archived": false, "tags": ["b", "a"], "content": "# a\n\t<b>", "title": "é", "pinned": true});
    let content: NoteContent = json_reader::read(&sent).expect("accepted");
    assert_eq!(
        serde_json::to_string(&content).expect("JSON"),
        r##"{"title":"é","content":"# a\n\t<b>","tags":["b","a"],"pinned":true,"archived":false}"##
    );
    let smallest: NoteContent = json_reader::read(&with("title", json!(""))).expect("accepted");
    assert_eq!(serde_json::to_string(&smallest).expect("JSON"), r#"{"title":"","content":""}"#);
}

#[test]
fn a_title_is_one_line_of_190_bytes() {
    assert!(problems(&with("title", json!("é".repeat(95)))).is_empty());
    for title in
        [json!("é".repeat(96)), json!("a\nb"), json!("a\tb"), json!("a\u{85}b"), json!("a\u{2028}b"), json!(null)]
    {
        assert_eq!(problems(&with("title", title)), ["/title"]);
    }
    assert_eq!(problems(&json!({"content": ""})), [""]);
}

#[test]
fn a_text_has_500000_bytes() {
    assert!(problems(&with("content", json!("a".repeat(500_000)))).is_empty());
    assert_eq!(problems(&with("content", json!("é".repeat(250_001)))), ["/content"]);
    assert_eq!(problems(&with("content", json!("a\u{0}"))), ["/content"]);
}

#[test]
fn tags_are_at_most_twenty_and_each_once_in_form_c() {
    let tags = |tags: Value| problems(&with("tags", tags));
    let numbered = |count| json!((0..count).map(|number| number.to_string()).collect::<Vec<_>>());
    assert!(tags(numbered(20)).is_empty());
    assert_eq!(tags(numbered(21)), ["/tags"]);
    assert!(tags(json!(["é".repeat(20)])).is_empty());
    assert_eq!(tags(json!(["é".repeat(21)])), ["/tags/0"]);
    for tag in ["", " a", "a\n", "a\u{200b}"] {
        assert_eq!(tags(json!(["x", tag])), ["/tags/1"], "{tag:?}");
    }
    assert_eq!(tags(json!(["e\u{301}", "x", "é"])), ["/tags/2"]);
    // Twenty characters that are three bytes each, and six in the form in which they are kept.
    assert_eq!(tags(json!(["\u{958}".repeat(13)])), ["/tags/0"]);
    let kept: NoteContent = json_reader::read(&with("tags", json!(["e\u{301}"]))).expect("accepted");
    assert_eq!(kept.tags, Some(vec!["é".to_owned()]));
}

#[test]
fn unknown_members_are_refused() {
    assert_eq!(problems(&with("colour", json!("red"))), ["/colour"]);
}
