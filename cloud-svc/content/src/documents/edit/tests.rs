//! Plans for documents: against a model that works on JSON, and the properties that people count on.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use proptest::prelude::*;
use serde_json::{Value, json};
use shared_model::{Random, json_reader};

use super::{super::content::DocumentContent, operation::DocumentOperation};
use crate::{
    content::Content as _,
    preview::WarningCode,
    test_support::plans::{a_move_says_where_to, agree, carry_out, check_examples, content, rebases, text},
};

/// A document as a list of blocks, the ids that no other may have, and remarks with the ids of their blocks.
#[derive(Clone, Debug, Default)]
struct Model {
    blocks: Vec<Value>,
    gone: HashSet<String>,
    remarks: Vec<(String, String)>,
}

impl Model {
    fn index(&self, id: &Value) -> Option<usize> {
        self.blocks.iter().position(|block| block["id"] == *id)
    }

    /// `None`: the operation is refused.
    fn step(&mut self, operation: &Value) -> Option<()> {
        match operation["op"].as_str()? {
            "insert_block" | "insert_block_before" => {
                let index = match (operation.get("after_id"), operation.get("before_id")) {
                    (Some(after), _) => self.index(after)? + 1,
                    (_, Some(before)) => self.index(before)?,
                    _ => self.blocks.len(),
                };
                let id = &operation["block"]["id"];
                let is_free = self.index(id).is_none() && !self.gone.contains(id.as_str()?);
                is_free.then(|| self.blocks.insert(index, operation["block"].clone()))
            }
            "replace_block" => {
                let index = self.index(&operation["block_id"])?;
                let id = operation["block"].get("id").unwrap_or(&operation["block_id"]);
                if *id != operation["block_id"] {
                    return None;
                }
                let mut block = operation["block"].clone();
                block["id"] = id.clone();
                self.blocks[index] = block;
                Some(())
            }
            "delete_block" => {
                let index = self.index(&operation["block_id"])?;
                let id = self.blocks.remove(index)["id"].as_str()?.to_owned();
                self.remarks.retain(|(block, _)| *block != id);
                self.gone.insert(id);
                Some(())
            }
            "move_block" => {
                let from = self.index(&operation["block_id"])?;
                let block = self.blocks[from].clone();
                if !operation["after_id"].is_null() && (self.index(&operation["after_id"])? == from) {
                    return None;
                }
                self.blocks.remove(from);
                let to = self.index(&operation["after_id"]).map_or(0, |after| after + 1);
                self.blocks.insert(to, block);
                Some(())
            }
            "replace_text" => {
                let index = self.index(&operation["block_id"])?;
                let segments = self.blocks[index]["segments"].as_array()?;
                let old = segments.first().map_or("", |segment| segment["text"].as_str().expect("text"));
                let (find, replace) = (operation["find"].as_str()?, operation["replace"].as_str()?);
                let hits = old.matches(find).count() as u64;
                if Some(hits) != operation["expected_count"].as_u64() {
                    return None;
                }
                let new = old.replace(find, replace);
                self.blocks[index]["segments"] = if new.is_empty() { json!([]) } else { json!([{"text": new}]) };
                Some(())
            }
            "set_annotations" => {
                let remark = |annotation: &Value| {
                    let block = self.blocks.get(annotation["block"].as_u64()? as usize)?;
                    Some((block["id"].as_str()?.to_owned(), annotation["text"].as_str()?.to_owned()))
                };
                self.remarks = operation["annotations"].as_array()?.iter().map(remark).collect::<Option<_>>()?;
                Some(())
            }
            _ => None,
        }
    }

    fn check(document: &DocumentContent, model: &Self) -> Result<(), TestCaseError> {
        let document = serde_json::to_value(document).expect("JSON");
        prop_assert_eq!(&document["blocks"], &json!(model.blocks));
        let remarks = document["annotations"].as_array().into_iter().flatten();
        let remarks: Vec<_> = remarks
            .map(|remark| {
                let block = &document["blocks"][remark["block"].as_u64().expect("an index") as usize];
                (block["id"].as_str().expect("an id"), remark["text"].as_str().expect("text"))
            })
            .collect();
        let expected: Vec<_> = model.remarks.iter().map(|(id, text)| (id.as_str(), text.as_str())).collect();
        prop_assert_eq!(remarks, expected);
        Ok(())
    }
}

fn paragraph(id: &str, text: &str) -> Value {
    json!({"id": id, "type": "paragraph", "segments": [{"text": text}]})
}

/// Blocks `b0` to `b5`, of which some have remarks.
fn base() -> (DocumentContent, Model) {
    let blocks: Vec<Value> = (0..6).map(|number| paragraph(&format!("b{number}"), "abab")).collect();
    let remarks = json!([{"block": 1, "text": "one"}, {"block": 4, "text": "four"}, {"block": 1, "text": "again"}]);
    let document = content(&json!({"kind": "docs", "blocks": blocks, "annotations": remarks}));
    let remarks = [("b1", "one"), ("b4", "four"), ("b1", "again")];
    let remarks = remarks.map(|(id, text)| (id.to_owned(), text.to_owned())).to_vec();
    (document, Model { blocks, gone: HashSet::new(), remarks })
}

/// Ids of the base and of no block; what is inserted has one of few, so that some are refused.
fn operation() -> impl Strategy<Value = Value> {
    let id = || "b[0-9]".prop_map(Value::from);
    let block = || {
        ("paragraph|quote|heading1", "[ab]{1,4}")
            .prop_map(|(kind, text)| json!({"type": kind, "segments": [{"text": text}]}))
    };
    let with_id = move || {
        (block(), "b[0-9]").prop_map(|(mut block, id)| {
            block["id"] = json!(id);
            block
        })
    };
    prop_oneof![
        (with_id(), id()).prop_map(|(block, after)| json!({"op": "insert_block", "block": block, "after_id": after})),
        with_id().prop_map(|block| json!({"op": "insert_block", "block": block})),
        (with_id(), id())
            .prop_map(|(block, before)| json!({"op": "insert_block_before", "block": block, "before_id": before})),
        (block(), id()).prop_map(|(block, id)| json!({"op": "replace_block", "block_id": id, "block": block})),
        (with_id(), id()).prop_map(|(block, id)| json!({"op": "replace_block", "block_id": id, "block": block})),
        id().prop_map(|id| json!({"op": "delete_block", "block_id": id})),
        (id(), id()).prop_map(|(id, after)| json!({"op": "move_block", "block_id": id, "after_id": after})),
        id().prop_map(|id| json!({"op": "move_block", "block_id": id, "after_id": null})),
        (id(), "[ab]{1,2}", "[abc]{0,3}", 1..3).prop_map(|(id, find, replace, count)| {
            json!({"op": "replace_text", "block_id": id, "find": find, "replace": replace, "expected_count": count})
        }),
        proptest::collection::vec((0..8, "[xy]"), 0..3).prop_map(|remarks| {
            let remarks: Vec<_> = remarks.iter().map(|(block, text)| json!({"block": block, "text": text})).collect();
            json!({"op": "set_annotations", "annotations": remarks})
        }),
    ]
}

/// The blocks that an operation names, the one that it brings included.
fn named(operation: &Value) -> impl Iterator<Item = &str> {
    [operation.get("block_id"), operation["block"].get("id")].into_iter().flatten().filter_map(Value::as_str)
}

fn by_id(document: &DocumentContent) -> BTreeMap<String, String> {
    document.blocks.iter().map(|block| (block.id.as_ref().expect("an id").to_string(), text(block))).collect()
}

proptest! {
    #[test]
    fn a_rebase_loses_no_change_of_either_side(
        ours in proptest::collection::vec(operation(), 0..6),
        theirs in proptest::collection::vec(operation(), 0..6),
    ) {
        rebases(&base().0, ours, theirs)?;
    }

    #[test]
    fn plans_come_to_what_a_model_says(operations in proptest::collection::vec(operation(), 0..25)) {
        let (document, model) = base();
        let (plan, result) = agree(&document, model, operations, Model::step, Model::check)?;
        let named: BTreeSet<&str> = plan.iter().flat_map(named).collect();
        let (before, after) = (by_id(&document), by_id(&result));
        // What a plan does not name stays byte for byte.
        for (id, block) in before.iter().filter(|(id, _)| !named.contains(id.as_str())) {
            prop_assert_eq!(after.get(id), Some(block));
        }
        let differences = document.differences(&result);
        for id in before.keys().chain(after.keys()).filter(|id| before.get(*id) != after.get(*id)) {
            prop_assert!(differences.contains(id));
        }
        // When blocks change places, either can be said to have moved.
        let has_moves = plan.iter().any(|operation| operation["op"] == "move_block");
        let is_moved = |key: &str| before.get(key) == after.get(key) && has_moves;
        for key in &differences {
            prop_assert!(named.contains(key.as_str()) || key == "annotations" || is_moved(key));
        }
        prop_assert_eq!(differences.is_empty(), document == result);
        prop_assert_eq!(result.differences(&document).is_empty(), differences.is_empty());
    }

    #[test]
    fn one_block_that_moves_is_the_difference(from in 0usize..6, after in proptest::option::of(0usize..6)) {
        let (document, _) = base();
        prop_assume!(after != Some(from));
        let after_id = after.map(|after| format!("b{after}"));
        let operation = json!({"op": "move_block", "block_id": format!("b{from}"), "after_id": after_id});
        let (result, preview) = carry_out(&document, &[operation]).expect("possible");
        let is_moved = after.map_or(0, |after| after + 1) != from;
        prop_assert_eq!(preview.counts.moved, usize::from(is_moved));
        let differences = document.differences(&result);
        // Of two neighbors that change places either can be said to have moved.
        prop_assert_eq!(differences.len(), usize::from(is_moved));
    }
}

#[test]
fn blocks_are_inserted_after_each_of_all_in_order() {
    let (document, _) = base();
    let insert = |number: usize| {
        let block = paragraph(&format!("n{number}"), "");
        json!({"op": "insert_block", "block": block, "after_id": format!("b{number}")})
    };
    let (result, _) = carry_out(&document, &(0..6).map(insert).collect::<Vec<_>>()).expect("possible");
    let ids: Vec<_> = result.part_ids().into_iter().map(|id| id.as_str()).collect();
    assert_eq!(ids, ["b0", "n0", "b1", "n1", "b2", "n2", "b3", "n3", "b4", "n4", "b5", "n5"]);
}

#[test]
fn a_remark_goes_with_its_block_and_a_warning_says_so() {
    let (document, _) = base();
    let (result, preview) = carry_out(&document, &[json!({"op": "delete_block", "block_id": "b1"})]).expect("possible");
    let warnings: Vec<_> = preview
        .warnings
        .iter()
        .map(|warning| (warning.code, warning.place.as_str(), warning.detail.as_str()))
        .collect();
    assert_eq!(
        warnings,
        [(WarningCode::AnnotationDetached, "b1", "one"), (WarningCode::AnnotationDetached, "b1", "again")]
    );
    assert_eq!(text(&result.annotations), r#"[{"block":3,"text":"four"}]"#);
}

#[test]
fn many_short_hits_do_not_become_more_than_a_document_holds() {
    let cells: Vec<Value> = vec![json!([{"text": "a".repeat(10_000)}]); 26];
    let table = json!({"id": "t", "type": "table", "segments": [], "rows": [cells, cells]});
    let document: DocumentContent = content(&json!({"kind": "docs", "blocks": [table]}));
    let long = "b".repeat(10_000);
    let operation =
        json!({"op": "replace_text", "block_id": "t", "find": "a", "replace": long, "expected_count": 520_000});
    let error = carry_out(&document, &[operation]).expect_err("refused");
    assert!(format!("{error:?}").contains("would leave 5200000000"), "{error:?}");
}

#[test]
fn an_id_is_never_given_again() {
    let (document, _) = base();
    let again =
        [json!({"op": "delete_block", "block_id": "b1"}), json!({"op": "insert_block", "block": paragraph("b1", "")})];
    assert!(carry_out(&document, &again).is_err());
}

#[test]
fn a_move_names_the_part_before_it_or_null() {
    a_move_says_where_to::<DocumentContent>(json!({"op": "move_block", "block_id": "b", "after_id": "a"}));
}

#[test]
fn examples_keep_the_rules() {
    check_examples::<DocumentContent>();
}

#[test]
fn markdown_is_inserted_as_blocks_that_keep_their_ids() {
    let base: DocumentContent =
        content(&json!({"kind": "docs", "blocks": [paragraph("b0", "first"), paragraph("b1", "last")]}));
    let sent = json!({"op": "insert_markdown", "markdown": "## Head\r\n\r\n- *one*\r\n- two", "after_id": "b0"});
    let mut operation = json_reader::read::<DocumentOperation>(&sent).expect("an operation");
    DocumentContent::give_ids_in(&mut operation, &Random::seeded(1));
    let stored = serde_json::to_value(&operation).expect("JSON");
    let (result, preview) = carry_out(&base, std::slice::from_ref(&stored)).expect("possible");
    let shown: Vec<_> = result.blocks.iter().map(|block| (block.kind.as_str(), block.id.is_some())).collect();
    let expected = ["paragraph", "heading2", "bullet", "bullet", "paragraph"].map(|kind| (kind, true));
    assert_eq!(shown, expected);
    assert_eq!(preview.counts.inserted, 3);
    assert_eq!(preview.changes[2].place.after_id.as_ref(), Some(&result.blocks[2].id));
    let (again, _) = carry_out(&base, &[stored]).expect("possible");
    assert_eq!(again, result);

    for markdown in [json!(""), json!([]), json!(7), json!("a\0"), json!("- a\n".repeat(201))] {
        let refused = json_reader::read::<DocumentOperation>(&json!({"op": "insert_markdown", "markdown": markdown}));
        assert_eq!(refused.expect_err("refused")[0].at, "/markdown", "{markdown}");
    }
}
