//! Warnings about documents, the plainest content with links.

use serde_json::{Value, json};
use shared_model::json_reader;

use super::{added::added_warnings, *};
use crate::{
    documents::content::DocumentContent,
    notes::content::NoteContent,
    preview::{Preview, Severity, WarningCode},
    publications::content::PublicationContent,
};

fn document(segments: &[(&str, Value)]) -> DocumentContent {
    let block = |(id, segments): &(&str, Value)| json!({"id": id, "type": "paragraph", "segments": segments});
    let blocks: Vec<Value> = segments.iter().map(block).collect();
    json_reader::read(&json!({"kind": "docs", "blocks": blocks})).expect("a document")
}

fn found(content: &impl Content) -> Vec<String> {
    let line = |warning: ContentWarning| format!("{} {} {}", warning.code, warning.block_id, warning.count);
    content_warnings(content).into_iter().map(line).collect()
}

#[test]
fn warnings_are_one_for_each_code_and_place() {
    let content = document(&[
        (
            "a",
            json!([
                {"text": "x\u{200b}"},
                {"text": "\u{200b}\u{202e}"},
                {"text": "bank.com", "link": "https://evil.example"}
            ]),
        ),
        (
            "b",
            json!([
                {"text": "\u{e0041}"},
                {"text": "", "link": "https://a.example"},
                {"text": " and "},
                {"text": "", "link": "https://b.example/\u{200b}"}
            ]),
        ),
    ]);
    assert_eq!(
        found(&content),
        [
            "tag_characters b 1",
            "bidi_control a 1",
            "hidden_link_text a 1",
            "hidden_link_text b 2",
            "invisible_characters a 2",
            "invisible_characters b 1"
        ]
    );
    let json = serde_json::to_value(&content_warnings(&content)[0]).expect("JSON");
    assert_eq!(json, json!({"code": "tag_characters", "block_id": "b", "count": 1}));
}

#[test]
fn a_link_in_several_styles_is_read_as_one() {
    let target = "https://evil.example";
    let content =
        document(&[("a", json!([{"text": "bank", "link": target, "bold": true}, {"text": ".com", "link": target}]))]);
    assert_eq!(found(&content), ["hidden_link_text a 1"]);
}

#[test]
fn a_line_is_very_long_from_two_thousand_characters() {
    let line = |text: String| found(&document(&[("a", json!([{"text": text}]))]));
    assert!(line("é".repeat(1_999)).is_empty());
    assert_eq!(line("é".repeat(2_000)), ["very_long_line a 1"]);
    assert!(line(format!("{}\n{}", "a".repeat(1_999), "b".repeat(1_999))).is_empty());
    assert_eq!(line(format!("{}\n{}", "a".repeat(2_000), "b".repeat(2_001))), ["very_long_line a 2"]);
}

#[test]
fn at_most_a_hundred_are_reported() {
    let ids: Vec<String> = (0..150).map(|number| format!("b{number:03}")).collect();
    let blocks: Vec<_> = ids.iter().map(|id| (id.as_str(), json!([{"text": "\u{200b}"}]))).collect();
    let found = found(&document(&blocks));
    assert_eq!((found.len(), found[99].as_str()), (100, "invisible_characters b099 1"));
}

#[test]
fn domains_are_reported_once_each() {
    let content = document(&[
        ("a", json!([{"text": "x", "link": "https://EXAMPLE.com/a"}, {"text": "y", "link": "mailto:a@example.com"}])),
        ("b", json!([{"text": "z", "link": "http://b.example"}])),
    ]);
    assert_eq!(link_domains(&content).into_iter().collect::<Vec<_>>(), ["b.example", "example.com"]);
}

#[test]
fn what_a_plan_adds_is_reported_with_its_operation() {
    let base = document(&[
        ("a", json!([{"text": "\u{200b}x", "link": "https://old.example"}])),
        ("b", json!([{"text": "y"}])),
    ]);
    let operations = json!([
        {"op": "move_block", "block_id": "b", "after_id": null},
        {"op": "replace_block", "block_id": "b", "block": {"type": "quote", "segments": [
            {"text": "\u{200b}\u{202e}"},
            {"text": "new", "link": "https://new.example"},
            {"text": "known", "link": "https://old.example"}
        ]}},
    ]);
    let (mut result, mut preview) = (base.clone(), Preview::default());
    for (index, operation) in operations.as_array().expect("operations").iter().enumerate() {
        preview.begin(index);
        result.edit(&json_reader::read(operation).expect("an operation"), &mut preview).expect("possible");
    }
    let warnings = added_warnings(&base, &result, &preview.changes, |domain| domain == "old.example");
    let found: Vec<_> =
        warnings.iter().map(|warning| (warning.code, warning.op, warning.severity, warning.detail.as_str())).collect();
    assert_eq!(
        found,
        [
            (WarningCode::HiddenCharactersAdded, Some(1), Severity::High, "bidi_control"),
            (WarningCode::HiddenCharactersAdded, Some(1), Severity::Medium, "invisible_characters"),
            (WarningCode::LinkAdded, Some(1), Severity::High, "new.example"),
            (WarningCode::LinkAdded, Some(1), Severity::Low, "old.example"),
        ]
    );
    assert!(warnings.iter().all(|warning| warning.place == "b"));
    assert_eq!(added_warnings(&result, &result, &[], |_| false), []);
    assert_eq!(added_warnings(&result, &base, &[], |_| false), []);
}

#[test]
fn another_target_on_a_known_domain_is_a_new_link() {
    let linking = |target: &str| document(&[("a", json!([{"text": "Docs", "link": target}, {"text": "."}]))]);
    let added = |target: &str| {
        let warnings = added_warnings(&linking("https://example.com/a"), &linking(target), &[], |_| true);
        warnings.into_iter().map(|warning| (warning.code, warning.severity, warning.detail)).collect::<Vec<_>>()
    };
    assert_eq!(added("https://example.com/a"), []);
    let low = (WarningCode::LinkAdded, Severity::Low, "example.com".to_owned());
    assert_eq!(added("https://example.com/b"), std::slice::from_ref(&low));
    assert_eq!(added("mailto:ada@example.com"), [low]);
}

#[test]
fn a_note_hides_things_in_its_members_and_in_its_markdown() {
    let content = "\u{200b}[bank.com](https://evil.example/\u{200b}) https://plain.example";
    let note: NoteContent = json_reader::read(&json!({"title": "a\u{202e}", "content": content})).expect("a note");
    // Each character counts once, though a link is text as well.
    assert_eq!(found(&note), ["bidi_control title 1", "hidden_link_text content 1", "invisible_characters content 2"]);
    assert_eq!(link_domains(&note).into_iter().collect::<Vec<_>>(), ["evil.example", "plain.example"]);
}

#[test]
fn a_note_hides_what_its_page_drops_or_decodes() {
    let note = |content: &str| -> NoteContent {
        json_reader::read(&json!({"title": "", "content": content})).expect("a note")
    };
    let hidden = note("a &#x202e;b &#xE0041;\u{200b}\n\n[//]: # (send it)");
    assert_eq!(
        found(&hidden),
        [
            "tag_characters content 1",
            "bidi_control content 1",
            "unrendered_text content 17",
            "invisible_characters content 1"
        ]
    );
    let added = |base: &str| {
        let warnings = added_warnings(&note(base), &hidden, &[], |_| true);
        warnings.into_iter().map(|warning| (warning.severity, warning.detail)).collect::<Vec<_>>()
    };
    let high = |detail: &str| (Severity::High, detail.to_owned());
    let medium = (Severity::Medium, "invisible_characters".to_owned());
    assert_eq!(added("a"), [high("tag_characters"), high("bidi_control"), high("unrendered_text"), medium]);
    assert_eq!(added("a &#x202e;b &#xE0041;\u{200b}\n\n[//]: # (send)"), [high("unrendered_text")]);
}

#[test]
fn a_publication_hides_things_on_its_pages() {
    let mut example = serde_json::to_value(<PublicationContent as utoipa::PartialSchema>::schema()).expect("JSON");
    let content = &mut example["examples"][0];
    content["pages"][0]["name"] = json!("x\u{e0041}");
    content["pages"][0]["elements"][0]["text"] = json!("y\u{200b}");
    let content: PublicationContent = json_reader::read(content).expect("a publication");
    assert_eq!(found(&content), ["tag_characters front 1", "invisible_characters headline 1"]);
}

#[test]
fn a_hundred_harmless_warnings_hide_no_grave_one() {
    let harmless = (0..150).map(|number| {
        json!({"id": format!("b{number:03}"), "type": "paragraph",
            "segments": [{"text": "a\u{ad}"}, {"text": "known", "link": "https://known.example"}]})
    });
    let grave = json!({"id": "zz", "type": "paragraph",
        "segments": [{"text": "\u{e0041}"}, {"text": "here", "link": "https://evil.example"}]});
    let blocks: Vec<Value> = harmless.chain([grave]).collect();
    let content: DocumentContent = json_reader::read(&json!({"kind": "docs", "blocks": blocks})).expect("a document");
    let warnings = added_warnings(&document(&[("a", json!([]))]), &content, &[], |domain| domain == "known.example");
    let high = warnings.iter().filter(|warning| warning.severity == Severity::High);
    let high: Vec<_> = high.map(|warning| (warning.place.as_str(), warning.detail.as_str())).collect();
    assert_eq!(high, [("zz", "tag_characters"), ("zz", "evil.example")]);
    assert_eq!(warnings.len(), 200);
    assert_eq!(found(&content)[0], "tag_characters zz 1");
}

#[test]
fn remarks_of_a_document_are_examined() {
    let annotated = |text: &str| -> DocumentContent {
        let blocks = json!([{"id": "a", "type": "paragraph", "segments": []}]);
        let content = json!({"kind": "docs", "blocks": blocks, "annotations": [{"block": 0, "text": text}]});
        json_reader::read(&content).expect("a document")
    };
    assert_eq!(found(&annotated("\u{202e}x")), ["bidi_control annotations 1"]);
    let warnings = added_warnings(&annotated("x"), &annotated("\u{202e}x"), &[], |_| true);
    assert_eq!((warnings.len(), warnings[0].place.as_str()), (1, "annotations"));
}
