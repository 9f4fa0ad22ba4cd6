//! The example in a refusal is a right call, for a file with the blocks and sheets that it names.

use cloud_svc::service;
use serde_json::{Map, Value, json};
use shared_testing::{Caller, Stage};

use super::{call, client, done, text};
use crate::samples;

/// The path and the body that create the file that a tool's example edits.
fn edited(tool: &str) -> (&'static str, Value) {
    match tool {
        "edit_document" => {
            let block = json!({"id": "b_1f", "type": "paragraph", "segments": [{"text": "By the end of May"}]});
            ("/v1/documents", samples::with_blocks(json!([block])))
        }
        "edit_spreadsheet" => {
            let (heading, rent) = (["Item", "Price", "Count", "Sum"], ["Rent", "900", "1", "=B2*C2"]);
            let rows = json!([heading, rent, ["Water", "30", "2", "=B3*C3"], ["Power", "60", "1", "=B4*C4"]]);
            let content = json!({"kind": "sheets", "sheets": [{"name": "Budget", "cells": rows}]});
            ("/v1/spreadsheets", json!({"name": "Budget", "content": content}))
        }
        "edit_note" => ("/v1/notes", json!({"name": "Shopping"})),
        "edit_publication" => ("/v1/publications", json!({"name": "Leaflet"})),
        "edit_presentation" => ("/v1/presentations", json!({"name": "Talk"})),
        other => panic!("the example of {other} needs a file"),
    }
}

/// The arguments that name the file, where the example has them.
async fn named(ada: &Caller, tool: &str) -> Map<String, Value> {
    if tool == "create_file" {
        return Map::new();
    }
    let (path, body) = edited(tool);
    let created = ada.post(path).fresh_key().json(body).await.status(200);
    let file = &created["file"];
    Map::from_iter([("file_id".to_owned(), file["id"].clone()), ("if_match".to_owned(), file["etag"].clone())])
}

#[shared_testing::test]
async fn the_example_in_a_refusal_is_a_right_call() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let client = client(&stage, &ada, ()).await;
    let tools = stage.service().described_tools().expect("tools").tools;
    let mut tried = Vec::new();
    for tool in tools.iter().filter(|tool| !tool.example.is_empty()) {
        let named = named(&ada, tool.name).await;
        // No tool with an example wants a number.
        let required = tool.arguments.iter().filter(|argument| argument.is_required);
        let mut wrong: Map<String, Value> = required.map(|argument| (argument.name.to_owned(), json!(5))).collect();
        wrong.extend(named.clone());
        let refused = call(&client, tool.name, Value::Object(wrong)).await;
        assert_eq!(refused.is_error, Some(true), "{}", tool.name);
        let refused = text(&refused);
        let line = refused.lines().find_map(|line| line.strip_prefix("Example: "));
        let line = line.unwrap_or_else(|| panic!("{}: no example in {refused}", tool.name));
        let mut right: Map<String, Value> = serde_json::from_str(line).expect("an object");
        assert!(named.keys().all(|name| right.contains_key(name)), "{}: {line}", tool.name);
        right.extend(named);
        let answer = done(&client, tool.name, Value::Object(right)).await;
        if tool.name == "create_file" {
            assert!(answer["file"]["id"].is_string(), "{answer}");
        } else {
            assert_eq!(answer["plan"]["state"], "proposed", "{}: {answer}", tool.name);
            let changes = answer["plan"]["changes"].as_array();
            assert!(changes.is_some_and(|changes| changes.len() > 1), "{}: {answer}", tool.name);
        }
        tried.push(tool.name);
    }
    let editing = ["edit_document", "edit_spreadsheet", "edit_note", "edit_publication", "edit_presentation"];
    assert_eq!(tried, [&editing[..], &["create_file"]].concat());
}
