//! What each operation does and refuses.

mod anchors;
mod differences;
mod fill;
mod formulas;
mod model;
mod rebase;
mod rules;
mod sent;
mod warnings;

use serde_json::{Value, json};
use shared_model::{Error, NextAction, Refusal, json_reader};

use super::SpreadsheetOperation;
use crate::{
    content::Content as _, preview::Preview, spreadsheets::content::SpreadsheetContent, test_support::plans::changes,
};

fn content(value: &Value) -> SpreadsheetContent {
    json_reader::read(value).expect("content")
}

fn operation(value: &Value) -> SpreadsheetOperation {
    json_reader::read(value).unwrap_or_else(|problems| panic!("{value}: {problems:?}"))
}

/// One sheet `S` with these cells.
fn sheet(cells: &Value) -> SpreadsheetContent {
    content(&json!({"kind": "sheets", "sheets": [{"name": "S", "cells": cells}]}))
}

/// Carries out operations one after the other.
fn edit(content: &SpreadsheetContent, operations: &[Value]) -> Result<(SpreadsheetContent, Preview), Error> {
    let mut edited = content.clone();
    let mut preview = Preview::default();
    for (index, value) in operations.iter().enumerate() {
        preview.begin(index);
        edited.edit(&operation(value), &mut preview)?;
    }
    Ok((edited, preview))
}

fn edited(content: &SpreadsheetContent, operations: &[Value]) -> (Value, Preview) {
    let (edited, preview) = edit(content, operations).expect("accepted");
    let value = serde_json::to_value(&edited).expect("JSON");
    assert_eq!(json_reader::read::<SpreadsheetContent>(&value), Ok(edited), "what edits come to keeps the rules");
    (value, preview)
}

fn refused(content: &SpreadsheetContent, value: &Value) -> Refusal {
    match edit(content, std::slice::from_ref(value)) {
        Err(Error::Refused(refusal)) => *refusal,
        other => panic!("{value}: {other:?}"),
    }
}

/// The code of the refusal, and where.
fn refusal(content: &SpreadsheetContent, value: &Value) -> (&'static str, Vec<String>) {
    let refusal = refused(content, value);
    let Some(NextAction::CorrectRequest { problems }) = refusal.next else { panic!("{value}: {refusal:?}") };
    (refusal.code.name, problems.into_iter().map(|problem| problem.at).collect())
}

/// The places at which an operation breaks a rule by itself.
fn problems(value: &Value) -> Vec<String> {
    let read = json_reader::read::<SpreadsheetOperation>(value);
    read.err().into_iter().flatten().map(|problem| problem.at).collect()
}
