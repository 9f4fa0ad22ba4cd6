//! The rules of document content, one by one, and the canonical form for whatever is accepted.

use proptest::prelude::*;
use serde_json::{Value, json};
use shared_model::{Random, json_reader};

use super::DocumentContent;
use crate::{content::Content as _, part_id::PartId};

/// The places at which `content` breaks rules.
fn problems(content: &Value) -> Vec<String> {
    match json_reader::read::<DocumentContent>(content) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.into_iter().map(|problem| problem.at).collect(),
    }
}

fn docs(blocks: &Value) -> Value {
    json!({"kind": "docs", "blocks": blocks})
}

fn canonical(content: &Value) -> String {
    let mut content: DocumentContent = json_reader::read(content).expect("accepted");
    content.give_ids(&Random::seeded(1));
    serde_json::to_string(&content).expect("JSON")
}

#[test]
fn the_canonical_form_has_one_order_of_members_and_leaves_out_what_is_absent() {
    let content = json!({
        "annotations": [{"text": "!", "block": 0}],
        "settings": {"reading": "paged", "page": "A4"},
        "blocks": [{"segments": [{"link": "mailto:a@b", "bold": true, "text": "é\n"}], "type": "heading1", "id": "a"}],
        "kind": "docs",
    });
    assert_eq!(
        canonical(&content),
        r#"{"kind":"docs","blocks":[{"id":"a","type":"heading1","segments":[{"text":"é\n","bold":true,"link":"mailto:a@b"}]}],"settings":{"page":"A4","reading":"paged"},"annotations":[{"block":0,"text":"!"}]}"#
    );
}

#[test]
fn an_absent_id_is_drawn() {
    let text = canonical(&docs(&json!([{"type": "quote", "segments": []}, {"type": "divider", "segments": []}])));
    let stored: Value = serde_json::from_str(&text).expect("JSON");
    let ids: Vec<_> = stored["blocks"].as_array().expect("blocks").iter().map(|block| block["id"].as_str()).collect();
    assert!(ids.iter().all(|id| id.is_some_and(|id| id.len() == PartId::RANDOM_BYTES)), "{ids:?}");
    assert_ne!(ids[0], ids[1]);
}

#[test]
fn the_empty_document_is_one_paragraph() {
    let name = shared_model::Name::parse("Plan").expect("a name");
    let stored = serde_json::to_value(DocumentContent::smallest(&name)).expect("JSON");
    assert_eq!(stored["blocks"][0]["type"], "paragraph");
    assert!(problems(&stored).is_empty());
}

#[test]
fn a_divider_has_no_segments_and_no_rows() {
    let segments = json!([{"text": "a"}]);
    assert_eq!(problems(&docs(&json!([{"type": "divider", "segments": segments}]))), ["/blocks/0/segments"]);
    assert_eq!(problems(&docs(&json!([{"type": "divider", "segments": [], "rows": [[[]]]}]))), ["/blocks/0/rows"]);
    assert!(problems(&docs(&json!([{"type": "divider", "segments": []}]))).is_empty());
}

#[test]
fn a_table_has_rows_of_equal_length_and_empty_segments() {
    let table = |rows: Value| docs(&json!([{"type": "table", "segments": [], "rows": rows}]));
    assert!(problems(&table(json!([[[], [{"text": "a"}]], [[], []]]))).is_empty());
    assert_eq!(problems(&table(json!([]))), ["/blocks/0/rows"]);
    assert_eq!(problems(&table(json!([[]]))), ["/blocks/0/rows/0"]);
    assert_eq!(problems(&table(json!([[[], []], [[]]]))), ["/blocks/0/rows/1"]);
    assert_eq!(problems(&table(json!([[[{"text": 1}]]]))), ["/blocks/0/rows/0/0/0/text"]);
    assert_eq!(problems(&table(json!([vec![json!([]); 27]]))), ["/blocks/0/rows/0"]);
    assert_eq!(problems(&table(json!(vec![json!([[]]); 101]))), ["/blocks/0/rows"]);
    assert_eq!(problems(&docs(&json!([{"type": "table", "segments": []}]))), ["/blocks/0"]);
    let both = json!([{"type": "table", "segments": [{"text": "a"}], "rows": [[[]]]}]);
    assert_eq!(problems(&docs(&both)), ["/blocks/0/segments"]);
}

#[test]
fn only_a_table_has_rows() {
    assert_eq!(problems(&docs(&json!([{"type": "quote", "segments": [], "rows": [[[]]]}]))), ["/blocks/0/rows"]);
}

#[test]
fn ids_are_of_their_form_and_unique() {
    let with_id = |id: Value| json!({"id": id, "type": "quote", "segments": []});
    for id in [json!(""), json!("a b"), json!("é"), json!("a".repeat(65)), json!(7), json!(null)] {
        assert_eq!(problems(&docs(&json!([with_id(id)]))), ["/blocks/0/id"]);
    }
    assert!(problems(&docs(&json!([with_id(json!("a".repeat(64)))]))).is_empty());
    assert_eq!(problems(&docs(&json!([with_id(json!("a")), with_id(json!("a"))]))), ["/blocks/1/id"]);
}

#[test]
fn counts_are_bounded() {
    let block = json!({"type": "quote", "segments": []});
    assert_eq!(problems(&docs(&json!([]))), ["/blocks"]);
    assert!(problems(&docs(&json!(vec![block.clone(); 200]))).is_empty());
    assert_eq!(problems(&docs(&json!(vec![block; 201]))), ["/blocks"]);
    let segments = |count| docs(&json!([{"type": "quote", "segments": vec![json!({"text": ""}); count]}]));
    assert!(problems(&segments(100)).is_empty());
    assert_eq!(problems(&segments(101)), ["/blocks/0/segments"]);
}

#[test]
fn text_is_bounded_in_each_segment_and_in_all() {
    let block = |text: &str, times| json!({"type": "quote", "segments": vec![json!({"text": text}); times]});
    let full = "a".repeat(10_000);
    assert!(problems(&docs(&json!([block(&full, 75)]))).is_empty());
    assert_eq!(problems(&docs(&json!([block(&full, 75), block("a", 1)]))), ["/blocks"]);
    assert_eq!(problems(&docs(&json!([block(&"é".repeat(5_001), 1)]))), ["/blocks/0/segments/0/text"]);
    let cells = json!([{"type": "table", "segments": [], "rows": [[vec![json!({"text": full}); 76]]]}]);
    assert_eq!(problems(&docs(&cells)), ["/blocks"]);
}

#[test]
fn links_lead_to_the_web_or_to_a_mailbox() {
    let linked = |link: &str| docs(&json!([{"type": "quote", "segments": [{"text": "", "link": link}]}]));
    for link in ["http://a", "https://a/b?c#d", "mailto:a@b", &format!("https://{}", "é".repeat(2040))] {
        assert!(problems(&linked(link)).is_empty(), "{link}");
    }
    let long = format!("https://{}", "a".repeat(2041));
    for link in ["", "a", "javascript:alert(1)", "HTTPS://a", "http://a b", "http://a\u{1}", " http://a", &long] {
        assert_eq!(problems(&linked(link)), ["/blocks/0/segments/0/link"], "{link}");
    }
}

#[test]
fn annotations_point_at_a_block() {
    let annotated = |annotation: Value| {
        let mut content = docs(&json!([{"type": "quote", "segments": []}]));
        content["annotations"] = json!([annotation]);
        content
    };
    assert!(problems(&annotated(json!({"block": 0, "text": ""}))).is_empty());
    for block in [json!(1), json!(-1), json!(200), json!(0.5), json!("0")] {
        assert_eq!(problems(&annotated(json!({"block": block, "text": ""}))), ["/annotations/0/block"]);
    }
    assert_eq!(problems(&annotated(json!({"block": 0, "text": "a".repeat(501)}))), ["/annotations/0/text"]);
    assert_eq!(problems(&annotated(json!({"text": ""}))), ["/annotations/0"]);
}

#[test]
fn every_problem_is_reported_at_once() {
    let content = json!({
        "kind": "sheets",
        "blocks": [{"type": "verse", "segments": [{"text": "\u{0}", "bold": 1, "colour": "red"}], "x": 1}, 7],
        "settings": {"page": "A5"},
        "extra": null,
    });
    assert_eq!(
        problems(&content),
        [
            "/kind",
            "/blocks/0/type",
            "/blocks/0/segments/0/text",
            "/blocks/0/segments/0/bold",
            "/blocks/0/segments/0/colour",
            "/blocks/0/x",
            "/blocks/1",
            "/settings/page",
            "/settings",
            "/extra"
        ]
    );
}

/// Any JSON, with the names that content uses among its member names.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "docs|table|divider|A4|\\PC{0,8}".prop_map(Value::from),
    ];
    let name = "kind|blocks|settings|annotations|id|type|segments|rows|text|link|block|\\PC{0,4}";
    leaf.prop_recursive(6, 64, 6, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            proptest::collection::btree_map(name, inner, 0..6).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Content that keeps the rules but for the uniqueness of ids.
fn plausible_content() -> impl Strategy<Value = Value> {
    let flag = proptest::option::of(any::<bool>());
    let link = proptest::option::of("(https?://|mailto:)[a-zé/]{0,9}");
    let segment = ("[^\u{0}-\u{1f}]{0,12}", flag.clone(), flag, link).prop_map(|(text, bold, italic, link)| {
        let members = [
            ("text", Some(json!(text))),
            ("bold", bold.map(Value::from)),
            ("italic", italic.map(Value::from)),
            ("link", link.map(Value::from)),
        ];
        members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect::<Value>()
    });
    let segments = proptest::collection::vec(segment, 0..4);
    let text = ("paragraph|heading1|heading2|bullet|number|quote", segments.clone())
        .prop_map(|(kind, segments)| json!({"type": kind, "segments": segments}));
    let divider = Just(json!({"type": "divider", "segments": []}));
    let table = (1usize..4, proptest::collection::vec(segments, 1..12)).prop_map(|(width, cells)| {
        let rows: Vec<_> = cells.chunks_exact(width.min(cells.len())).map(|row| json!(row)).collect();
        json!({"type": "table", "segments": [], "rows": rows})
    });
    let block = (prop_oneof![text, divider, table], proptest::option::of("[A-Za-z0-9_-]{1,64}"));
    let blocks = proptest::collection::vec(block, 1..6).prop_map(|blocks| {
        let with_id = |(mut block, id): (Value, Option<String>)| {
            if let Some(id) = id {
                block["id"] = Value::from(id);
            }
            block
        };
        blocks.into_iter().map(with_id).collect::<Vec<_>>()
    });
    let settings = proptest::option::of(("A4|Letter", "paged|continuous"));
    let remark = proptest::option::of("[^\u{0}-\u{1f}]{0,20}");
    (blocks, settings, remark).prop_map(|(blocks, settings, remark)| {
        let mut content = docs(&json!(blocks));
        if let Some((page, reading)) = settings {
            content["settings"] = json!({"page": page, "reading": reading});
        }
        if let Some(remark) = remark {
            content["annotations"] = json!([{"block": blocks.len() - 1, "text": remark}]);
        }
        content
    })
}

proptest! {
    #[test]
    fn arbitrary_json_never_panics(value in any_json()) {
        let _ = json_reader::read::<DocumentContent>(&value);
    }

    #[test]
    fn what_is_accepted_is_stored_in_a_form_that_is_accepted_again_and_stays_the_same(content in plausible_content()) {
        let ids: Vec<_> =
            content["blocks"].as_array().expect("blocks").iter().filter_map(|block| block["id"].as_str()).collect();
        prop_assume!(ids.iter().collect::<std::collections::HashSet<_>>().len() == ids.len());
        let stored = canonical(&content);
        let again: Value = serde_json::from_str(&stored).expect("JSON");
        prop_assert_eq!(canonical(&again), stored);
    }
}
