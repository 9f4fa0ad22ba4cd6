//! Forms of cells, filled and sent as a browser does it.

use serde_json::{Value, json};
use shared_testing::{Browser, Caller, Request, Response, Text as _, html};

use super::hidden_fields;
use crate::samples;

pub async fn workbook(caller: &Caller, sheets: Value) -> String {
    let body = json!({"name": "Money", "content": {"kind": "sheets", "sheets": sheets}});
    samples::id(&caller.post("/v1/spreadsheets").fresh_key().json(body).await.status(200))
}

/// A workbook with one sheet.
pub async fn budget(caller: &Caller, cells: Value) -> String {
    workbook(caller, json!([{"name": "Budget", "cells": cells}])).await
}

pub async fn edit(caller: &Caller, file: &str, operations: Value) {
    let plan = samples::propose(caller, file, operations).await.await.status(200)["plan"].clone();
    samples::apply(caller, &plan).await.await.status(200);
}

pub fn path(file: &str) -> String {
    format!("/f/{file}/edit")
}

pub async fn opened(browser: &Browser, file: &str) -> Response {
    let page = browser.get(path(file)).await.status(200);
    html::assert_harmless(&page.body());
    page
}

/// What a browser sends of the form, after a person has typed into the cells of these names.
pub fn filled(page: &Response, file: &str, typed: &[(&str, &str)]) -> Vec<(String, String)> {
    let (body, action) = (page.body(), path(file));
    let mut fields = hidden_fields(&body, &action);
    let (_, form) = body.split_once(&format!("<form method=\"post\" action=\"{action}\"")).expect("a form");
    let mut left = typed.to_vec();
    for input in form.split(" name=\"cell-").skip(1) {
        let (number, rest) = input.split_once("\" aria-label=\"").expect("a label");
        let (cell, rest) = rest.split_once('"').expect("its end");
        let (_, rest) = rest.split_once("autocomplete=\"off\"").expect("an input");
        let shown = match rest.strip_prefix(" value=\"") {
            Some(value) => value.split_once('"').expect("its end").0,
            None => rest.strip_prefix(">\n").and_then(|text| text.split_once("</textarea>")).expect("a text area").0,
        };
        let text = match left.iter().position(|(name, _)| *name == cell) {
            Some(at) => left.remove(at).1.to_owned(),
            None => html::unescaped(shown),
        };
        fields.push((format!("cell-{number}"), text.replace('\n', "\r\n")));
    }
    assert!(left.is_empty(), "no input for {left:?} in {page}");
    fields
}

pub fn post(browser: &Browser, file: &str, fields: &[(String, String)]) -> Request {
    let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    browser.post(path(file), &fields)
}

pub async fn send(browser: &Browser, page: &Response, file: &str, typed: &[(&str, &str)]) -> Response {
    post(browser, file, &filled(page, file, typed)).await
}

/// What changes with the plan to which the answer leads: `B2=950`.
pub async fn changes(caller: &Caller, answer: Response) -> Vec<String> {
    let answer = answer.status(303);
    let location = answer.header("location").strip_prefix("/f/").and_then(|path| path.split_once("/plans/"));
    let (file, plan) = location.expect("a plan");
    let read = caller.get(format!("/v1/files/{file}/edit-plans/{plan}")).await.status(200);
    let changes = read["plan"]["changes"].as_array().expect("changes").iter();
    changes.map(|change| format!("{}={}", change["cell"].text(), change["after"].text())).collect()
}
