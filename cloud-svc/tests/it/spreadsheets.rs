//! Spreadsheets: created, read by ranges, edited by plans, exported.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Response, Stage, Text};

use crate::samples::{self, apply, propose};

fn create(caller: &Caller, content: Value) -> shared_testing::Request {
    caller.post("/v1/spreadsheets").fresh_key().json(json!({"name": "Budget", "content": content}))
}

fn budget() -> Value {
    json!({"kind": "sheets", "sheets": [{"name": "Budget", "cells": [
        ["Item", "Cost"], ["Rent", "900"], ["Food", "400"], ["Sum", "=SUM(B2:B3)"],
    ]}], "validation": {"0:1:1": {"type": "number"}}})
}

async fn cells(caller: &Caller, id: &str) -> Value {
    caller.get(format!("/v1/spreadsheets/{id}")).await.status(200)["content"]["sheets"][0]["cells"].clone()
}

async fn edit(caller: &Caller, id: &str, operations: Value) -> Value {
    let plan = propose(caller, id, operations).await.await.status(200)["plan"].clone();
    apply(caller, &plan).await.await.status(200);
    plan
}

fn warnings(plan: &Value) -> Vec<&str> {
    plan["warnings"].as_array().expect("warnings").iter().map(|warning| warning["code"].text()).collect()
}

#[shared_testing::test]
async fn a_budget_is_edited_cell_by_cell() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&create(&ada, budget()).await.status(200));
    let set = json!([{"op": "set_cells", "sheet": "Budget", "range": "B2:B3", "values": [["950"], ["400"]]}]);
    let plan = edit(&ada, &id, set).await;
    assert_eq!(
        plan["changes"],
        json!([
            {
                "id": "c1", "op": 0, "kind": "replace", "sheet": "Budget", "cell": "B2", "before": "900", "after": "950"
            }
        ])
    );
    assert_eq!((&plan["summary"]["cells_changed"], &plan["kind"]), (&json!(1), &json!("sheets")));
    assert_eq!(cells(&ada, &id).await[1], json!(["Rent", "950"]));
    let risky = json!([{"op": "set_cells", "sheet": "Budget", "range": "B2", "values": [["much"]]},
                       {"op": "set_cells", "sheet": "Budget", "range": "B4", "values": [["1350"]]}]);
    let plan = propose(&ada, &id, risky).await.await.status(200)["plan"].clone();
    assert_eq!(warnings(&plan), ["validation_violated", "formula_overwritten"]);
    assert_eq!(plan["summary"]["formulas_overwritten"], 1);
}

#[shared_testing::test]
async fn a_formula_that_reaches_out_is_refused_wherever_it_stands() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let mut content = budget();
    content["sheets"][0]["cells"][1][1] = json!("=WEBSERVICE(\"http://e\")");
    content["sheets"][0]["cells"][2][1] = json!("=1+");
    let refused = create(&ada, content).await.refused(422, "formula_not_allowed");
    assert!(refused["error"]["message"].text().contains("SUM"), "the message names what is allowed: {refused}");
    refused.problems_at(&["/content/sheets/0/cells/1/1", "/content/sheets/0/cells/2/1"]);
    let id = samples::id(&create(&ada, budget()).await.status(200));
    let set = json!([{"op": "set_cells", "sheet": "Budget", "range": "A1:B1", "values": [["a", "=SUM (A1)"]]}]);
    let refused = propose(&ada, &id, set).await.await.refused(422, "formula_not_allowed");
    refused.problems_at(&["/operations/0/values/0/1"]);
}

#[shared_testing::test]
async fn a_workbook_with_an_editors_own_data_is_read_only() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let mut content = budget();
    content["univer"] = json!("{}");
    let id = samples::id(&create(&ada, content).await.status(200));
    let read = ada.get(format!("/v1/spreadsheets/{id}")).await.status(200);
    assert_eq!((&read["read_only"], &read["content"]["univer"]), (&json!(true), &json!("{}")));
    let set = json!([{"op": "delete_rows", "sheet": "Budget", "row": 1, "count": 1}]);
    propose(&ada, &id, set).await.await.refused(409, "workbook_read_only");
    let other = samples::id(&create(&ada, budget()).await.status(200));
    assert_eq!(ada.get(format!("/v1/spreadsheets/{other}")).await.status(200)["read_only"], false);
}

#[shared_testing::test]
async fn no_version_and_no_draft_replaces_a_read_only_workbook() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let created = create(&ada, budget()).await.status(200);
    let (id, first) = (samples::id(&created), created["file"]["current_version_id"].text());
    let promote = async |content: &Value| {
        let draft = json!({"name": "Budget", "type": "spreadsheet", "content": content});
        let draft = ada.post("/v1/scratch").fresh_key().json(draft).await.status(200)["draft"].clone();
        let promotion = ada.post(format!("/v1/scratch/{}/promote", draft["id"].text())).fresh_key();
        promotion.header("if-match", samples::etag(&ada, &id).await).json(json!({"file_id": id})).await
    };
    let mut read_only = budget();
    read_only["univer"] = json!("{}");
    promote(&read_only).await.status(200);
    let before = ada.get(format!("/v1/spreadsheets/{id}")).await.status(200);
    assert_eq!((&before["read_only"], &before["content"]), (&json!(true), &read_only));

    promote(&budget()).await.refused(409, "workbook_read_only");
    let restore = samples::command(&ada, &id, &format!("versions/{first}/restore"), json!({})).await;
    restore.await.refused(409, "workbook_read_only");
    let after = ada.get(format!("/v1/spreadsheets/{id}")).await.status(200);
    assert_eq!((&after["file"], &after["content"]), (&before["file"], &before["content"]));
}

#[shared_testing::test]
async fn all_mistakes_are_reported_at_once() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let content = json!({"kind": "sheets", "sheets": [
        {"name": "A", "cells": [["1", "2"], ["3"]]}, {"name": "a", "cells": []},
    ], "formats": {"0:0": {"align": "left"}, "0:0:0": {"align": "top"}}, "widths": [[601]]});
    let refused = create(&ada, content).await.refused(422, "invalid_field");
    let problems = refused["error"]["next_action"]["problems"].as_array().expect("problems");
    let places: Vec<_> = problems.iter().map(|problem| problem["at"].text()).collect();
    for place in ["/content/sheets/0/cells/1", "/content/sheets/1/cells", "/content/widths/0/0"] {
        assert!(places.contains(&place), "{place}: {places:?}");
    }
}

#[shared_testing::test]
async fn parts_of_a_workbook_are_read_by_their_addresses() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&create(&ada, budget()).await.status(200));
    let sheets = ada.get(format!("/v1/spreadsheets/{id}/sheets")).await.status(200);
    assert_eq!(sheets["sheets"], json!([{"name": "Budget", "rows": 4, "columns": 2, "formulas": 1}]));
    let range = |query: &str| ada.get(format!("/v1/spreadsheets/{id}/range?{query}"));
    let read = range("sheet=Budget&range=B4:C4").await.status(200);
    assert_eq!(
        read["range"]["rows"],
        json!([[
            {"cell": "B4", "value": "=SUM(B2:B3)", "formula": true}, {"cell": "C4", "value": "", "formula": false}
        ]])
    );
    range("sheet=Budget&range=A1").header("if-none-match", read.header("etag")).await.status(304);
    range("sheet=Other&range=A1").await.refused(404, "not_found").problems_at(&["sheet"]);
    let many = range("sheet=Budget&range=A1:BL20").await.refused(422, "invalid_field");
    assert!(many["error"]["message"].text().contains("sheet_range_cells"), "{many}");
    for (query, sent) in [
        ("sheet=Budget&", "b4:c4"),
        ("sheet=Budget&", "$B$4:$C$4"),
        ("sheet=Budget&", "Budget!B4:C4"),
        ("", "Budget!b4:c4"),
    ] {
        assert_eq!(range(&format!("{query}range={sent}")).await.status(200)["range"], read["range"], "{query}{sent}");
    }
    range("sheet=Budget&range=Other!B4").await.refused(422, "invalid_field").problems_at(&["range"]);
    range("range=B4").await.refused(422, "invalid_field").problems_at(&["sheet"]);
    for bad in ["A0", "1", "A1:", "BM1", ""] {
        range(&format!("sheet=Budget&range={bad}")).await.refused(422, "invalid_field").problems_at(&["range"]);
    }
}

#[shared_testing::test]
async fn formulas_follow_a_row_that_comes_before_the_total() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let content = json!({"kind": "sheets", "sheets": [
        {"name": "Budget", "cells": [
            ["Item", "Planned", "Spent", "Left"], ["Rent", 900, 850, "=B2-C2"], ["Food", 400, null, "=B3-C3"],
            ["Total", "=SUM(B2:B3)", "=SUM(C2:C3)", "=B4-C4"],
        ]},
        {"name": "Summary", "cells": [["Left", "=Budget!D4"]]},
    ]});
    let id = samples::id(&create(&ada, content).await.status(200));
    assert_eq!(cells(&ada, &id).await[2], json!(["Food", "400", "", "=B3-C3"]));
    let plan = edit(
        &ada,
        &id,
        json!([
            {"op": "insert_rows", "sheet": "Budget", "row": 4, "count": 1},
            {"op": "set_cells", "range": "budget!a4:c4", "sheet": "Budget", "values": [["Posters", 120, 0]]},
            {"op": "fill", "sheet": "Budget", "from": "D3", "range": "D4"},
        ]),
    )
    .await;
    assert_eq!(
        plan["changes"][2],
        json!({
            "id": "c3", "op": 0, "kind": "formula", "sheet": "Budget", "cell": "C5", "where": "Budget!C5",
            "before": "=SUM(C2:C3)", "after": "=SUM(C2:C4)",
        })
    );
    assert_eq!((&plan["summary"]["formulas_rewritten"], warnings(&plan).len()), (&json!(4), 0));
    assert_eq!(
        cells(&ada, &id).await.as_array().expect("rows")[3..],
        [json!(["Posters", "120", "0", "=B4-C4"]), json!(["Total", "=SUM(B2:B4)", "=SUM(C2:C4)", "=B5-C5"])]
    );
    let read = ada.get(format!("/v1/spreadsheets/{id}")).await.status(200);
    assert_eq!(read["content"]["sheets"][1]["cells"], json!([["Left", "=Budget!D5"]]));

    // What a deletion takes along is said before it is applied.
    let comment = ada.post(format!("/v1/files/{id}/comments")).fresh_key();
    comment.json(json!({"text": "Why?", "anchor": {"range": "Budget!D5"}})).await.status(200);
    let delete = json!([{"op": "delete_rows", "sheet": "Budget", "row": 5, "count": 1}]);
    let plan = propose(&ada, &id, delete).await.await.status(200)["plan"].clone();
    assert_eq!(warnings(&plan), ["formula_reference_lost", "comment_anchor_lost"]);
    assert_eq!(
        plan["warnings"][0],
        json!({"code": "formula_reference_lost", "op": 0, "where": "Summary!B1", "severity": "high", "detail": "=Budget!D5"})
    );
}

#[shared_testing::test]
async fn a_rebase_never_moves_a_formula_that_somebody_else_wrote_meanwhile() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let content = json!({"kind": "sheets", "sheets": [
        {"name": "Budget", "cells": [["900"], ["400"], ["=SUM(A1:A2)"]]}, {"name": "Summary", "cells": [["=Budget!A3", ""]]},
    ]});
    let id = samples::id(&create(&ada, content).await.status(200));
    let rebase = async |plan: &Value| {
        let etag = samples::etag(&ada, &id).await;
        samples::step(&ada, plan, "rebase", json!({})).header("if-match", etag).await
    };
    let insert = json!([{"op": "insert_rows", "sheet": "Budget", "row": 3, "count": 1}]);
    let plan = propose(&ada, &id, insert).await.await.status(200)["plan"].clone();
    let set =
        |cell: &str, text: &str| json!([{"op": "set_cells", "sheet": "Summary", "range": cell, "values": [[text]]}]);
    // A text next to the formulas is not a conflict, and the new preview is of the new content.
    edit(&ada, &id, set("B1", "Sum")).await;
    let again = rebase(&plan).await.status(200)["plan"].clone();
    assert_eq!(again["changes"][2]["where"], "Summary!A1");
    edit(&ada, &id, set("B1", "=Budget!A3*2")).await;
    rebase(&again).await.refused(409, "plan_conflict");
}

#[shared_testing::test]
async fn an_exported_sheet_starts_no_formula() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let content = json!({"kind": "sheets", "sheets": [{"name": "S", "cells": [["=A2", "+1"], ["a,b", "-1"]]}]});
    let id = samples::id(&create(&ada, content).await.status(200));
    let export = |query: &str| ada.get(format!("/v1/spreadsheets/{id}/export?sheet=S{query}"));
    let safe: Response = export("").await.status(200);
    assert_eq!(safe.body(), "'=A2,'+1\r\n\"a,b\",'-1\r\n");
    assert_eq!(safe.header("content-type"), "text/csv; charset=utf-8");
    assert!(safe.header("content-disposition").starts_with("attachment"));
    assert_eq!(export("&format=csv&raw=true").await.status(200).body(), "=A2,+1\r\n\"a,b\",-1\r\n");
    export("&raw=yes").await.refused(422, "invalid_field").problems_at(&["raw"]);
    export("&format=ods").await.refused(422, "invalid_field").problems_at(&["format"]);
}

#[shared_testing::test]
async fn a_comment_stays_with_its_cells() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&create(&ada, budget()).await.status(200));
    let comment = ada.post(format!("/v1/files/{id}/comments")).fresh_key();
    comment.json(json!({"text": "Too much.", "anchor": {"range": "Budget!B2:B3"}})).await.status(200);
    let comments = async || {
        let list = ada.get(format!("/v1/files/{id}/comments")).await.status(200);
        (list["items"][0]["anchor"]["range"].text().to_owned(), list["orphaned"].clone())
    };
    edit(&ada, &id, json!([{"op": "insert_rows", "sheet": "Budget", "row": 1, "count": 2}])).await;
    assert_eq!(comments().await, ("Budget!B4:B5".to_owned(), json!([])));
    edit(&ada, &id, json!([{"op": "rename_sheet", "sheet": "Budget", "name": "Plan"}])).await;
    assert_eq!(comments().await, ("Plan!B4:B5".to_owned(), json!([])));
    let plan = edit(&ada, &id, json!([{"op": "delete_columns", "sheet": "Plan", "column": "B", "count": 1}])).await;
    assert!(warnings(&plan).contains(&"comment_anchor_lost"), "{plan}");
    assert_eq!(comments().await.1, json!(["cmt_1"]));
    let gone = ada.post(format!("/v1/files/{id}/comments")).fresh_key();
    let gone = gone.json(json!({"text": "Here?", "anchor": {"range": "Plan!B1"}})).await;
    gone.refused(422, "anchor_not_found");

    // Each restored version has the comment where it was in that version, however often the file goes back and forth.
    let versions = ada.get(format!("/v1/files/{id}/versions")).await.status(200);
    let versions: Vec<_> =
        versions["items"].as_array().expect("versions").iter().rev().map(|v| v["id"].text()).collect();
    for (version, expected) in [
        (2, Some("Plan!B4:B5")),
        (0, Some("Budget!B2:B3")),
        (3, None),
        (1, Some("Budget!B4:B5")),
        (0, Some("Budget!B2:B3")),
    ] {
        let restore = ada.post(format!("/v1/files/{id}/versions/{}/restore", versions[version])).fresh_key();
        restore.header("if-match", samples::etag(&ada, &id).await).json(json!({})).await.status(200);
        let (range, orphaned) = comments().await;
        assert_eq!(orphaned, if expected.is_some() { json!([]) } else { json!(["cmt_1"]) }, "{version}");
        if let Some(expected) = expected {
            assert_eq!(range, expected);
        }
    }
    edit(&ada, &id, json!([{"op": "insert_rows", "sheet": "Budget", "row": 1, "count": 1}])).await;
    assert_eq!(comments().await, ("Budget!B3:B4".to_owned(), json!([])));
}
