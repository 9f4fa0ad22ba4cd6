//! Blocks, pages, elements and lines.

use std::collections::{BTreeSet, HashMap};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::histories::{Step, Version, check, config, steps};
use crate::{
    authorship::runs::Writer,
    content::Content,
    documents::content::DocumentContent,
    notes::content::NoteContent,
    presentations::content::PresentationContent,
    test_support::{canvas_plans, plans::content},
};

/// The parts with ids: each with its own JSON, without the parts within it.
fn parts(content: &impl Content) -> Vec<(String, Value)> {
    fn add(part: &Value, parts: &mut Vec<(String, Value)>) {
        let mut own = part.clone();
        own["elements"] = json!(null);
        parts.push((part["id"].as_str().expect("an id").to_owned(), own));
        part["elements"].as_array().into_iter().flatten().for_each(|element| add(element, parts));
    }
    let content = serde_json::to_value(content).expect("JSON");
    let mut found = Vec::new();
    let list = content.get("blocks").or(content.get("slides")).and_then(Value::as_array);
    list.expect("a list").iter().for_each(|part| add(part, &mut found));
    found
}

fn by_id<C: Content>(before: &C, writers: &[Writer], version: &Version<C>, this: Writer) -> Vec<Writer> {
    let old: HashMap<String, (Value, Writer)> =
        parts(before).into_iter().zip(writers).map(|((id, part), writer)| (id, (part, *writer))).collect();
    let writer = |(id, part): (String, Value)| match old.get(&id) {
        Some((old, writer)) if *old == part => *writer,
        _ => this,
    };
    parts(&version.content).into_iter().map(writer).collect()
}

fn lines(note: &NoteContent) -> Vec<String> {
    let tags = note.tags.clone().unwrap_or_default();
    let mut parts = vec![format!("title {}", note.title)];
    parts.extend(note.content.split('\n').map(|line| format!("line {line}")));
    parts.extend((!tags.is_empty()).then(|| format!("tags {tags:?}")));
    parts
}

// In these texts no line is there twice, so there is nothing to choose.
fn by_text(before: &NoteContent, writers: &[Writer], version: &Version<NoteContent>, this: Writer) -> Vec<Writer> {
    let old: HashMap<String, Writer> = lines(before).into_iter().zip(writers.iter().copied()).collect();
    lines(&version.content).into_iter().map(|line| old.get(&line).copied().unwrap_or(this)).collect()
}

fn has_each_line_once(note: &NoteContent) -> bool {
    let lines: Vec<&str> = note.content.split('\n').collect();
    lines.iter().collect::<BTreeSet<_>>().len() == lines.len()
}

fn blocks() -> impl Strategy<Value = Value> {
    let id = || "b[0-7]";
    let block = || {
        ("b[0-7]", "[ab]{1,2}").prop_map(|(id, text)| json!({"id": id, "type": "quote", "segments": [{"text": text}]}))
    };
    prop_oneof![
        (block(), id()).prop_map(|(block, after)| json!({"op": "insert_block", "block": block, "after_id": after})),
        block().prop_map(|block| json!({"op": "replace_block", "block_id": block["id"], "block": block})),
        id().prop_map(|id| json!({"op": "delete_block", "block_id": id})),
        (id(), id()).prop_map(|(id, after)| json!({"op": "move_block", "block_id": id, "after_id": after})),
        (id(), "[ab]", "[ab]{0,2}").prop_map(|(id, find, replace)| {
            json!({"op": "replace_text", "block_id": id, "find": find, "replace": replace, "expected_count": 1})
        }),
    ]
}

fn note_edits() -> impl Strategy<Value = Value> {
    let some_lines = Just((0..12).collect::<Vec<_>>()).prop_shuffle().prop_flat_map(|lines| {
        (1..lines.len()).prop_map(move |count| {
            let lines: Vec<String> = lines[..count].iter().map(|line| format!("l{line}")).collect();
            json!({"op": "set_content", "content": lines.join("\n")})
        })
    });
    prop_oneof![
        some_lines,
        (0..20).prop_map(|line| json!({"op": "append_text", "text": format!("\nl{line}")})),
        (0..12, "[xyz]").prop_map(|(line, text)| {
            json!({"op": "replace_text", "find": format!("l{line}\n"), "replace": format!("{text}{line}\n"), "expected_count": 1})
        }),
        "[ab]".prop_map(|title| json!({"op": "set_title", "title": title})),
        proptest::collection::btree_set("[ab]", 0..2).prop_map(|tags| json!({"op": "set_tags", "tags": tags})),
    ]
}

fn slides() -> impl Strategy<Value = Value> {
    canvas_plans::operation("slide", slide())
}

fn slide() -> Value {
    json!({"id": "p", "name": "n", "background": "#ffffff", "elements": [], "notes": ""})
}

/// Only operations after which no line is there twice.
fn without_repeats(operations: Vec<Value>) -> Vec<Value> {
    operations.into_iter().take(1).collect()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn blocks_keep_their_writers(steps in steps(blocks())) {
        let blocks: Vec<Value> =
            (0..4).map(|number| json!({"id": format!("b{number}"), "type": "quote", "segments": [{"text": "ab"}]})).collect();
        check::<DocumentContent>(content(&json!({"kind": "docs", "blocks": blocks})), steps, by_id)?;
    }

    #[test]
    fn slides_and_elements_keep_their_writers(steps in steps(slides())) {
        let slides = canvas_plans::base(&slide());
        let base = json!({"slides": slides});
        check::<PresentationContent>(content(&base), steps, by_id)?;
    }

    #[test]
    fn lines_keep_their_writers(steps in steps(note_edits())) {
        let base: NoteContent = content(&json!({"title": "t", "content": "l0\nl1\nl2\nl3"}));
        let mut current = base.clone();
        // A step that repeats a line is left out, and so is a restored version, which the model of this filter lacks.
        let steps: Vec<Step> = steps.into_iter().filter_map(|step| {
            let (Step::Plan(operations) | Step::Draft(operations)) = &step else { return None };
            let operations = without_repeats(operations.clone());
            let (after, _) = crate::test_support::plans::carry_out(&current, &operations).ok()?;
            has_each_line_once(&after).then(|| {
                current = after;
                Step::Plan(operations)
            })
        }).collect();
        check::<NoteContent>(base, steps, by_text)?;
    }
}
