//! Plans for notes: against a model that works on JSON.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Value, json};
use shared_model::{Name, json_reader};

use super::super::content::NoteContent;
use crate::{
    anchor::Anchor,
    content::Content as _,
    notes::edit::operation::NoteOperation,
    test_support::plans::{agree, carry_out, changes, check_examples, content, rebases},
};

/// The members of a note, of which flags and tags are always there. `None`: the operation is refused.
fn step(note: &mut Value, operation: &Value) -> Option<()> {
    let text = note["content"].as_str()?;
    match operation["op"].as_str()? {
        "set_title" => note["title"] = operation["title"].clone(),
        "set_content" => note["content"] = operation["content"].clone(),
        "append_text" => note["content"] = json!([text, operation["text"].as_str()?].concat()),
        "append_markdown" => {
            let blocks = operation["markdown"].as_str()?;
            let lines = 2 - text.chars().rev().take_while(|c| *c == '\n').count().min(2);
            let between = if text.is_empty() { String::new() } else { "\n".repeat(lines) };
            note["content"] = json!([text, between.as_str(), blocks].concat());
        }
        "replace_text" => {
            let find = operation["find"].as_str()?;
            if Some(text.matches(find).count() as u64) != operation["expected_count"].as_u64() {
                return None;
            }
            note["content"] = json!(text.replace(find, operation["replace"].as_str()?));
        }
        "set_tags" => note["tags"] = operation["tags"].clone(),
        "set_flags" => {
            for flag in ["pinned", "archived"] {
                note[flag] = operation.get(flag).unwrap_or(&note[flag]).clone();
            }
        }
        _ => return None,
    }
    Some(())
}

fn check(note: &NoteContent, model: &Value) -> Result<(), TestCaseError> {
    prop_assert_eq!(&full(note), model);
    Ok(())
}

/// With what is absent as what it means.
fn full(note: &NoteContent) -> Value {
    let NoteContent { title, content, tags, pinned, archived } = note.clone();
    let (tags, pinned, archived) = (tags.unwrap_or_default(), pinned.unwrap_or_default(), archived.unwrap_or_default());
    json!({"title": title, "content": content, "tags": tags, "pinned": pinned, "archived": archived})
}

fn operation() -> impl Strategy<Value = Value> {
    let flags =
        (any::<Option<bool>>(), any::<Option<bool>>()).prop_filter("none", |(one, other)| one.or(*other).is_some());
    prop_oneof![
        "[ab]{0,2}".prop_map(|title| json!({"op": "set_title", "title": title})),
        "[ab]{0,4}".prop_map(|content| json!({"op": "set_content", "content": content})),
        "[ab\n]{0,3}".prop_map(|text| json!({"op": "append_text", "text": text})),
        "[ab\n]{1,3}".prop_map(|markdown| json!({"op": "append_markdown", "markdown": markdown})),
        ("[ab]{1,2}", "[abé]{0,3}", 1..4).prop_map(|(find, replace, count)| {
            json!({"op": "replace_text", "find": find, "replace": replace, "expected_count": count})
        }),
        proptest::collection::btree_set("[ab]", 0..2).prop_map(|tags| json!({"op": "set_tags", "tags": tags})),
        flags.prop_map(|(pinned, archived)| {
            let flags = [("pinned", pinned), ("archived", archived)];
            let flags = flags.into_iter().filter_map(|(flag, value)| Some((flag.to_owned(), json!(value?))));
            flags.chain([("op".to_owned(), json!("set_flags"))]).collect()
        }),
    ]
}

proptest! {
    #[test]
    fn a_rebase_loses_no_change_of_either_side(
        ours in proptest::collection::vec(operation(), 0..4),
        theirs in proptest::collection::vec(operation(), 0..4),
    ) {
        let base: NoteContent = content(&json!({"title": "a", "content": "abab", "tags": ["a"]}));
        rebases(&base, ours, theirs)?;
    }

    #[test]
    fn plans_come_to_what_a_model_says(
        pinned in any::<Option<bool>>(),
        operations in proptest::collection::vec(operation(), 0..15),
    ) {
        let mut base = json!({"title": "a", "content": "abab", "tags": ["a"]});
        if let Some(pinned) = pinned {
            base["pinned"] = json!(pinned);
        }
        let base: NoteContent = content(&base);
        let model = full(&base);
        let (_, result) = agree(&base, model.clone(), operations, step, check)?;
        let later = full(&result);
        let members = ["title", "content", "tags", "pinned", "archived"];
        let different = members.into_iter().filter(|member| model[member] != later[member]);
        let different: BTreeSet<_> = different.map(str::to_owned).collect();
        prop_assert_eq!(&base.differences(&result), &different);
        prop_assert_eq!(result.differences(&base), different);
    }
}

#[test]
fn a_change_names_its_member() {
    let base: NoteContent = content(&json!({"title": "a", "content": "b"}));
    let plan = [
        json!({"op": "set_title", "title": "A"}),
        json!({"op": "append_text", "text": "c"}),
        json!({"op": "set_tags", "tags": ["t"]}),
        json!({"op": "set_flags", "pinned": true, "archived": false}),
        json!({"op": "set_title", "title": "A"}),
    ];
    let (result, preview) = carry_out(&base, &plan).expect("possible");
    assert_eq!(
        changes(&preview),
        json!([
            {"op": 0, "kind": "replace", "member": "title", "before": "a", "after": "A"},
            {"op": 1, "kind": "replace", "member": "content", "before": "b", "after": "bc"},
            {"op": 2, "kind": "replace", "member": "tags", "before": null, "after": ["t"]},
            {"op": 3, "kind": "replace", "member": "pinned", "before": null, "after": true}
        ])
    );
    assert_eq!(
        serde_json::to_string(&result).expect("JSON"),
        r#"{"title":"A","content":"bc","tags":["t"],"pinned":true}"#
    );
}

#[test]
fn many_short_hits_do_not_become_more_than_a_note_holds() {
    let base: NoteContent = content(&json!({"title": "", "content": "a".repeat(400_000)}));
    let operation =
        json!({"op": "replace_text", "find": "a", "replace": "b".repeat(10_000), "expected_count": 400_000});
    let error = carry_out(&base, &[operation]).expect_err("refused");
    assert!(format!("{error:?}").contains("would leave 4000000000"), "{error:?}");
}

#[test]
fn flags_that_say_nothing_are_refused() {
    for operation in [
        json!({"op": "set_flags"}),
        json!({"op": "set_flags", "pinned": null}),
        json!({"op": "delete"}),
        json!({"op": 1}),
        json!([]),
    ] {
        assert!(json_reader::read::<NoteOperation>(&operation).is_err(), "{operation}");
    }
}

#[test]
fn the_smallest_note_has_the_name_of_its_file() {
    let name = Name::parse("Shopping").expect("a name");
    assert_eq!(full(&NoteContent::smallest(&name))["title"], "Shopping");
}

#[test]
fn a_comment_is_about_the_whole() {
    let note = NoteContent::smallest(&Name::parse("a").expect("a name"));
    assert!(note.has_anchor(&Anchor::default()));
    for anchor in [json!({"block_id": "content"}), json!({"slide_id": "a"}), json!({"range": "A1"})] {
        assert!(!note.has_anchor(&json_reader::read(&anchor).expect("an anchor")));
    }
}

#[test]
fn examples_keep_the_rules() {
    check_examples::<NoteContent>();
}
