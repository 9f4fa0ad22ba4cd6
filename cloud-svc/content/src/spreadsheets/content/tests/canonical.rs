//! The canonical form of whatever is accepted.

use std::collections::HashSet;

use proptest::prelude::*;
use serde_json::{Value, json};
use shared_model::json_reader;

use super::{canonical, sheets};
use crate::spreadsheets::content::SpreadsheetContent;

/// Any JSON, with the names that content uses among its member names.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "sheets|number|list|left|=SUM\\(A1\\)|\\PC{0,8}".prop_map(Value::from),
    ];
    let name = "kind|sheets|name|cells|formats|validation|widths|univer|type|values|align|wrap|0|0:0:0|\\PC{0,4}";
    leaf.prop_recursive(6, 64, 6, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            proptest::collection::btree_map(name, inner, 0..6).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Content that keeps the rules but for the uniqueness of names.
fn plausible_content() -> impl Strategy<Value = Value> {
    let text = "[^\u{0}-\u{1f}]{0,9}|=A1";
    let sheet = ("[a-zé]{1,8}", 1usize..4, proptest::collection::vec(text, 3..12))
        .prop_map(|(name, width, texts)| json!({"name": name, "cells": texts.chunks_exact(width).collect::<Vec<_>>()}));
    let align = proptest::option::of("left|center|right");
    let format = (align, proptest::option::of(any::<bool>())).prop_map(|(align, wrap)| {
        let members = [("align", align.map(Value::from)), ("wrap", wrap.map(Value::from))];
        members.into_iter().filter_map(|(name, value)| Some((name, value?))).collect::<Value>()
    });
    let rule = prop_oneof![
        Just(json!({"type": "number"})),
        proptest::collection::vec("[a-z]{0,4}", 1..4).prop_map(|values| json!({"type": "list", "values": values})),
    ];
    let key = "[0-3]:(0|[1-9][0-9]?):(0|[1-9][0-9]?)";
    let by_cell = |entry: BoxedStrategy<Value>, key: BoxedStrategy<String>| {
        let entries = proptest::collection::btree_map(key, entry, 0..4);
        let entries = entries.prop_map(|entries| entries.into_iter().collect::<Value>());
        proptest::option::of(prop_oneof![Just(json!([])), entries])
    };
    let list = proptest::collection::vec(0..=600, 0..4).prop_map(Value::from);
    let widths = prop_oneof![
        proptest::collection::vec(list.clone(), 0..4).prop_map(Value::from),
        proptest::collection::btree_map("[0-9]", list, 0..4).prop_map(|lists| lists.into_iter().collect::<Value>()),
    ];
    let members = (
        proptest::collection::vec(sheet, 1..4).prop_map(Value::from),
        by_cell(format.boxed(), key.boxed()),
        by_cell(rule.boxed(), key.boxed()),
        proptest::option::of(widths),
        proptest::option::of("[a-z{}\"]{0,9}".prop_map(Value::from)),
    );
    members.prop_map(|(all_sheets, formats, validation, widths, univer)| {
        let mut content = sheets(&all_sheets);
        for (name, value) in [("formats", formats), ("validation", validation), ("widths", widths), ("univer", univer)]
        {
            if let Some(value) = value {
                content[name] = value;
            }
        }
        content
    })
}

proptest! {
    #[test]
    fn arbitrary_json_never_panics(value in any_json()) {
        let _ = json_reader::read::<SpreadsheetContent>(&value);
    }

    #[test]
    fn what_is_accepted_is_stored_in_a_form_that_is_accepted_again_and_stays_the_same(content in plausible_content()) {
        let sheets = content["sheets"].as_array().expect("sheets");
        let names: HashSet<_> = sheets.iter().map(|sheet| sheet["name"].as_str()).collect();
        prop_assume!(names.len() == sheets.len());
        let read: SpreadsheetContent = json_reader::read(&content).expect("accepted");
        let stored = canonical(&content);
        let again: Value = serde_json::from_str(&stored).expect("JSON");
        // Nothing is lost, added or written in another form.
        prop_assert_eq!(&again, &content);
        prop_assert_eq!(canonical(&again), &*stored);
        // Reading it as stored content gives the same.
        prop_assert_eq!(serde_json::from_str::<SpreadsheetContent>(&stored).expect("stored"), read);
    }
}
