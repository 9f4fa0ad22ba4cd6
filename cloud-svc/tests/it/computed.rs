//! Values of cells, which are computed on request: over HTTP, in CSV, at `/mcp` and in plans.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Stage, Text as _};

use crate::{mcp::message, samples};

async fn spreadsheet(ada: &Caller, cells: Value) -> String {
    let content = json!({"kind": "sheets", "sheets": [{"name": "Budget", "cells": cells}]});
    let body = json!({"name": "Budget", "content": content});
    samples::id(&ada.post("/v1/spreadsheets").fresh_key().json(body).await.status(200))
}

/// A workbook of which the column H takes more work than one answer may.
async fn heavy(ada: &Caller) -> String {
    let row = |row: usize| {
        let mut cells = vec![json!(1); 7];
        cells.push(if row < 1000 { json!("=SUM(A1:G2000)") } else { json!("") });
        json!(cells)
    };
    spreadsheet(ada, (0..2000).map(row).collect()).await
}

#[shared_testing::test]
async fn each_cell_has_its_text_and_its_value() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let cells = json!([["Rent", "900.5", "=B1*2", "=B1/0", "=\"a\"&1"], ["Food", "=B2", "=B1>1", "", "=SUM(B1:B1)"],]);
    let id = spreadsheet(&ada, cells).await;
    let range = |query: &str| ada.get(format!("/v1/spreadsheets/{id}/range?range=Budget!a1:e2{query}"));
    let plain = range("").await.status(200);
    assert!(plain["range"]["rows"][0][2].get("computed").is_none(), "{plain}");
    let computed = range("&computed=true").await.status(200);
    let rows = computed["range"]["rows"].as_array().expect("rows").clone();
    let cell = |row: usize, column: usize| {
        let cell = &rows[row][column];
        (cell["value"].text().to_owned(), cell["computed"].clone())
    };
    let number = |value: Value| json!({"type": "number", "value": value});
    assert_eq!(cell(0, 0), ("Rent".to_owned(), json!({"type": "text", "value": "Rent"})));
    assert_eq!(cell(0, 1), ("900.5".to_owned(), number(json!(900.5))));
    assert_eq!(cell(0, 2), ("=B1*2".to_owned(), number(json!(1801))));
    assert_eq!(cell(0, 3), ("=B1/0".to_owned(), json!({"type": "error", "value": "#DIV/0!"})));
    assert_eq!(cell(0, 4).1, json!({"type": "text", "value": "a1"}));
    assert_eq!(cell(1, 1).1, json!({"type": "error", "value": "#CYCLE!"}));
    assert_eq!(cell(1, 2).1, json!({"type": "boolean", "value": true}));
    assert_eq!(cell(1, 3), (String::new(), json!({"type": "empty"})));
    range("&computed=1").await.refused(422, "invalid_field").problems_at(&["computed"]);

    let csv = ada.get(format!("/v1/spreadsheets/{id}/export?sheet=Budget&computed=true")).await.status(200);
    assert_eq!(csv.body(), "Rent,900.5,1801,#DIV/0!,a1\r\nFood,#CYCLE!,TRUE,,900.5\r\n");

    let arguments = json!({"file_id": id, "range": "Budget!C1"});
    let call = json!({"name": "read_file", "arguments": arguments});
    let called = message(&ada, "tools/call", call).await.status(200);
    let shown = &called["result"]["structuredContent"]["untrusted"]["range"]["rows"][0][0];
    assert_eq!((&shown["value"], &shown["computed"]), (&json!("=B1*2"), &number(json!(1801))), "{called}");
}

#[shared_testing::test]
async fn too_much_work_is_refused_and_a_304_costs_none() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = heavy(&ada).await;
    let range = |cells: &str| ada.get(format!("/v1/spreadsheets/{id}/range?sheet=Budget&range={cells}&computed=true"));
    range("H1:H700").await.status(200);
    let refused = range("H1:H1000").await.refused(422, "computation_too_large");
    refused.problems_at(&["computed"]);
    let etag = samples::etag(&ada, &id).await;
    // The values of the same range would be refused.
    range("H1:H1000").header("if-none-match", etag).await.status(304);
    let csv = |query: &str| ada.get(format!("/v1/spreadsheets/{id}/export?{query}"));
    csv("sheet=Budget&computed=true").await.refused(422, "computation_too_large");
    csv("sheet=Budget").await.status(200);
    // A workbook has the values that could be computed: programs calculate the others.
    csv("format=xlsx").await.status(200);

    let arguments = json!({"file_id": id, "range": "Budget!H1:H1000"});
    let called = message(&ada, "tools/call", json!({"name": "read_file", "arguments": arguments})).await;
    let error = called.status(200)["result"]["structuredContent"]["error"].clone();
    assert_eq!(error["code"], "computation_too_large", "{error}");

    let operations = json!([{"op": "set_cells", "sheet": "Budget", "range": "A1", "values": [["2"]]}]);
    let plan = samples::propose(&ada, &id, operations).await.await.status(200)["plan"].clone();
    let none = json!({"cells": null, "changed": null, "reason": "computation_too_large"});
    assert_eq!(plan["totals"], none, "the plan is made all the same");
}

#[shared_testing::test]
async fn a_plan_tells_the_totals_that_it_changes() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = spreadsheet(&ada, json!([["Rent", "900"], ["Food", "250"], ["Sum", "=SUM(B1:B2)"]])).await;
    let operations = json!([
        {"op": "insert_rows", "sheet": "Budget", "row": 3, "count": 1},
        {"op": "set_cells", "sheet": "Budget", "range": "A3:B3", "values": [["Bus", 120]]},
    ]);
    let number = |value: i64| json!({"type": "number", "value": value});
    let total = json!({"sheet": "Budget", "cell": "B4", "before": number(1150), "after": number(1270)});
    let expected = json!({"cells": [total], "changed": 1, "reason": null});
    let plan = samples::propose(&ada, &id, operations).await.await.status(200)["plan"].clone();
    assert_eq!(plan["totals"], expected);

    let call = json!({"name": "get_plan", "arguments": {"file_id": id, "plan_id": plan["id"]}});
    let called = message(&ada, "tools/call", call).await.status(200);
    assert_eq!(called["result"]["structuredContent"]["untrusted"]["plan"]["totals"], expected, "{called}");

    let unrelated = json!([{"op": "set_cells", "sheet": "Budget", "range": "A1", "values": [["Flat"]]}]);
    let plan = samples::propose(&ada, &id, unrelated).await.await.status(200)["plan"].clone();
    assert_eq!(plan["totals"], json!({"cells": [], "changed": 0, "reason": null}));
}
