//! Parts of plans: some changes are applied, and the rest stays open.

use std::time::Duration;

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Stage, Text as _};

use crate::samples::{self, apply, propose, step};

fn paragraph(text: &str) -> Value {
    json!({"type": "paragraph", "segments": [{"text": text}]})
}

pub fn replace(id: &str, text: &str) -> Value {
    json!({"op": "replace_block", "block_id": id, "block": paragraph(text)})
}

async fn texts(caller: &shared_testing::Caller, id: &str) -> Vec<String> {
    let document = caller.get(format!("/v1/documents/{id}")).await.status(200);
    let blocks = document["content"]["blocks"].as_array().expect("blocks");
    blocks.iter().map(|block| block["segments"][0]["text"].text().to_owned()).collect()
}

#[shared_testing::test]
async fn a_part_is_applied_and_a_rebase_leaves_the_rest() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let id = samples::id(&samples::document_of(&ada, &["one", "two", "three"]).await);
    let edits = json!([replace("b0", "ONE"), replace("b1", "TWO"), replace("b2", "THREE")]);
    let whole = propose(&ada, &id, edits).await.await.status(200)["plan"].clone();
    let ids: Vec<_> = whole["changes"].as_array().expect("changes").iter().map(|change| change["id"].text()).collect();
    assert_eq!(ids, ["c1", "c2", "c3"]);
    step(&ada, &whole, "request-review", json!({"note": "All of it?"})).await.status(200);

    let answer = step(&bob, &whole, "split", json!({"changes": ["c3", "c1"]})).await.status(200);
    let part = answer["plan"].clone();
    assert_eq!((&part["state"], &part["review"]["note"]), (&json!("in_review"), &json!("All of it?")));
    assert_eq!(part["actor"]["id"], "ada", "a split writes no edit");
    let from = json!({"plan_id": whole["id"], "how": "split", "by": bob_of(&part), "changes": ["c1", "c3"]});
    assert_eq!(part["derived_from"], from);
    let again = step(&bob, &whole, "split", json!({"changes": ["c1", "c3"]})).await.status(200);
    assert_eq!((&again["plan"]["id"], &again["joined"]), (&part["id"], &json!(true)));

    step(&ada, &part, "approve", json!({})).await.refused(403, "self_approval");
    step(&bob, &part, "approve", json!({})).await.status(200);
    apply(&ada, &part).await.await.status(200);
    assert_eq!(texts(&ada, &id).await, ["ONE", "two", "THREE"]);

    apply(&ada, &whole).await.await.refused(409, "plan_stale");
    let rest = rebased(&ada, &whole).await;
    assert_eq!(rest["changes"].as_array().map(Vec::len), Some(1));
    assert_eq!((&rest["changes"][0]["block_id"], &rest["state"]), (&json!("b1"), &json!("in_review")));
    step(&bob, &rest, "approve", json!({})).await.status(200);
    apply(&ada, &rest).await.await.status(200);
    assert_eq!(texts(&ada, &id).await, ["ONE", "TWO", "THREE"]);
}

fn bob_of(part: &Value) -> Value {
    assert_eq!(part["derived_from"]["by"]["id"], "bob");
    part["derived_from"]["by"].clone()
}

pub async fn rebased(caller: &shared_testing::Caller, plan: &Value) -> Value {
    let etag = samples::etag(caller, plan["file_id"].text()).await;
    step(caller, plan, "rebase", json!({})).header("if-match", etag).await.status(200)["plan"].clone()
}

#[shared_testing::test]
async fn the_rest_of_a_plan_does_not_answer_for_the_whole() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one", "two"]).await);
    let edits = json!([replace("b0", "ONE"), replace("b1", "TWO")]);
    let whole = propose(&ada, &id, edits.clone()).await.await.status(200)["plan"].clone();
    let part = step(&ada, &whole, "split", json!({"changes": ["c1"]})).await.status(200)["plan"].clone();
    apply(&ada, &part).await.await.status(200);
    let rest = rebased(&ada, &whole).await;
    assert_eq!(rest["operations"], 1);
    assert_eq!(rebased(&ada, &whole).await["id"], rest["id"], "a retry");
    let again = propose(&ada, &id, edits).await.await.status(200);
    assert_eq!((&again["joined"], &again["plan"]["operations"]), (&json!(false), &json!(2)));
}

#[shared_testing::test]
async fn what_others_changed_meanwhile_is_not_lost_by_the_rest() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one", "two", "three"]).await);
    let edits = json!([replace("b0", "ONE"), replace("b1", "TWO")]);
    let whole = propose(&ada, &id, edits).await.await.status(200)["plan"].clone();
    let part = step(&ada, &whole, "split", json!({"changes": ["c1"]})).await.status(200)["plan"].clone();
    assert_eq!(part["state"], "proposed");
    apply(&ada, &part).await.await.status(200);
    let other = propose(&ada, &id, json!([replace("b1", "other")])).await.await.status(200)["plan"].clone();
    apply(&ada, &other).await.await.status(200);
    let etag = samples::etag(&ada, &id).await;
    step(&ada, &whole, "rebase", json!({})).header("if-match", etag).await.refused(409, "plan_conflict");
    assert_eq!(texts(&ada, &id).await, ["ONE", "other", "three"]);
}

#[shared_testing::test]
async fn a_plan_whose_parts_are_all_applied_has_no_rest() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one", "two"]).await);
    let whole = propose(&ada, &id, json!([replace("b0", "ONE"), replace("b1", "TWO")])).await;
    let whole = whole.await.status(200)["plan"].clone();
    let one = step(&ada, &whole, "split", json!({"changes": ["c1"]})).await.status(200)["plan"].clone();
    let two = step(&ada, &whole, "split", json!({"changes": ["c2"]})).await.status(200)["plan"].clone();
    apply(&ada, &one).await.await.status(200);
    // What has expired does not end with its last part.
    stage.clock.advance(Duration::from_secs(901));
    let ada = stage.caller("ada");
    let two = rebased(&ada, &two).await;
    assert_eq!(two["derived_from"]["plan_id"], whole["id"], "a rebased part is still a part");
    apply(&ada, &two).await.await.status(200);
    let etag = samples::etag(&ada, &id).await;
    step(&ada, &whole, "rebase", json!({})).header("if-match", etag).await.refused(409, "plan_already_applied");
}

#[shared_testing::test]
async fn a_part_that_is_applied_after_a_rebase_of_the_whole_is_left_out_of_the_rest() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let id = samples::id(&samples::document_of(&ada, &["one", "two", "three", "four"]).await);
    let edits = json!([replace("b0", "ONE"), replace("b1", "TWO"), replace("b2", "THREE")]);
    let whole = propose(&ada, &id, edits).await.await.status(200)["plan"].clone();
    step(&ada, &whole, "request-review", json!({})).await.status(200);
    let part = async |change: &str| {
        step(&bob, &whole, "split", json!({"changes": [change]})).await.status(200)["plan"].clone()
    };
    let (early, late) = (part("c1").await, part("c3").await);
    step(&bob, &early, "approve", json!({})).await.status(200);
    apply(&ada, &early).await.await.status(200);
    // Of two changes, the second of which is the third of the whole.
    let second = rebased(&ada, &whole).await;
    assert_eq!(changed(&second), ["b1", "b2"]);
    let other = propose(&bob, &id, json!([replace("b3", "other")])).await.await.status(200)["plan"].clone();
    apply(&bob, &other).await.await.status(200);
    let late = rebased(&ada, &late).await;
    step(&bob, &late, "approve", json!({})).await.status(200);
    apply(&ada, &late).await.await.status(200);
    let third = rebased(&ada, &second).await;
    assert_eq!(changed(&third), ["b1"]);
    assert_eq!(rebased(&ada, &second).await["id"], third["id"], "a retry");
    step(&bob, &third, "approve", json!({})).await.status(200);
    apply(&ada, &third).await.await.status(200);
    assert_eq!(texts(&ada, &id).await, ["ONE", "TWO", "THREE", "other"]);
}

#[shared_testing::test]
async fn a_part_of_a_sheet_is_left_out_where_the_rest_lists_its_cells_in_another_order() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let (cells, new) = (json!([["a", "b", "c"], ["d", "e", "f"]]), json!([["A", "B", "C"], ["D", "E", "F"]]));
    let body = json!({"name": "S", "content": {"kind": "sheets", "sheets": [{"name": "S", "cells": cells}]}});
    let id = samples::id(&ada.post("/v1/spreadsheets").fresh_key().json(body).await.status(200));
    let edits = json!([{"op": "set_cells", "sheet": "S", "range": "A1:C2", "values": new}]);
    let whole = propose(&ada, &id, edits).await.await.status(200)["plan"].clone();
    step(&ada, &whole, "request-review", json!({})).await.status(200);
    let part = async |changes: Value| {
        step(&bob, &whole, "split", json!({"changes": changes})).await.status(200)["plan"].clone()
    };
    let changed = |plan: &Value| -> Vec<String> {
        let changes = plan["changes"].as_array().expect("changes").iter();
        changes.map(|change| change["cell"].text().to_owned()).collect()
    };
    let approve_and_apply = async |plan: &Value| {
        step(&bob, plan, "approve", json!({})).await.status(200);
        apply(&ada, plan).await.await.status(200);
    };
    let (column, cell) = (part(json!(["c2", "c5"])).await, part(json!(["c3"])).await);
    assert_eq!((changed(&column), changed(&cell)), (vec!["B1".to_owned(), "B2".to_owned()], vec!["C1".to_owned()]));
    approve_and_apply(&column).await;
    let second = rebased(&ada, &whole).await;
    assert_eq!(changed(&second), ["A1", "A2", "C1", "C2"], "by columns, not by rows");
    approve_and_apply(&rebased(&ada, &cell).await).await;
    let third = rebased(&ada, &second).await;
    assert_eq!(changed(&third), ["A1", "A2", "C2"]);
    approve_and_apply(&third).await;
    let sheet = ada.get(format!("/v1/spreadsheets/{id}")).await.status(200)["content"]["sheets"][0].clone();
    assert_eq!(sheet["cells"], new);
}

#[shared_testing::test]
async fn a_rebase_reads_no_earlier_previews_for_parts_of_another_plan() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one", "two", "three", "four"]).await);
    let plan = async |edits: Value| propose(&ada, &id, edits).await.await.status(200)["plan"].clone();
    let whole = plan(json!([replace("b0", "ONE"), replace("b1", "TWO")])).await;
    let first = plan(json!([replace("b2", "THREE")])).await;
    let part = step(&ada, &whole, "split", json!({"changes": ["c1"]})).await.status(200)["plan"].clone();
    apply(&ada, &part).await.await.status(200);
    let second = rebased(&ada, &first).await;
    apply(&ada, &plan(json!([replace("b3", "FOUR")])).await).await.await.status(200);
    // What is no JSON cannot be read.
    let old = first["id"].text();
    samples::sql(&stage, &format!("UPDATE edit_plans SET preview = '' WHERE id = '{old}'")).await;
    let third = rebased(&ada, &second).await;
    assert_eq!(changed(&third), ["b2"]);
}

#[shared_testing::test]
async fn an_amendment_and_a_revision_of_a_part_stand_for_it() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    for verb in ["amend", "revise"] {
        let id = samples::id(&samples::document_of(&ada, &["one", "two", "three"]).await);
        let edits = json!([replace("b0", "ONE"), replace("b1", "TWO")]);
        let whole = propose(&ada, &id, edits).await.await.status(200)["plan"].clone();
        step(&ada, &whole, "request-review", json!({})).await.status(200);
        let part = step(&bob, &whole, "split", json!({"changes": ["c1"]})).await.status(200)["plan"].clone();
        let (by, edits) = match verb {
            "amend" => (&bob, json!({"operations": [replace("b2", "THREE")]})),
            _ => (&ada, json!({"operations": [replace("b0", "First")]})),
        };
        let changed_part = step(by, &part, verb, edits).header("if-match", samples::etag(&ada, &id).await);
        let changed_part = changed_part.await.status(200)["plan"].clone();
        if verb == "revise" {
            step(&bob, &changed_part, "approve", json!({})).await.status(200);
        }
        apply(&ada, &changed_part).await.await.status(200);
        let rest = rebased(&ada, &whole).await;
        assert_eq!(changed(&rest), ["b1"], "{verb}");
    }
}

/// The blocks that a plan changes.
fn changed(plan: &Value) -> Vec<&str> {
    plan["changes"].as_array().expect("changes").iter().map(|change| change["block_id"].text()).collect()
}

#[shared_testing::test]
async fn changes_that_need_others_are_named() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let sheet =
        json!({"name": "Budget", "content": {"kind": "sheets", "sheets": [{"name": "S", "cells": [["1"], ["2"]]}]}});
    let id = samples::id(&ada.post("/v1/spreadsheets").fresh_key().json(sheet).await.status(200));
    let edits = json!([
        {"op": "insert_rows", "sheet": "S", "row": 2, "count": 1},
        {"op": "set_cells", "sheet": "S", "range": "A2:B3", "values": [["new", ""], ["3", "x"]]}
    ]);
    let whole = propose(&ada, &id, edits).await.await.status(200)["plan"].clone();
    let refused = step(&ada, &whole, "split", json!({"changes": ["c3"]})).await;
    let refused = refused.refused(422, "changes_depend");
    assert!(refused["error"]["message"].text().contains("must have c1 too"), "{refused:?}");
    for (changes, says) in [(json!(["c9"]), "no c9"), (json!([]), "1 to"), (json!(["one"]), "such as c1")] {
        let refused = step(&ada, &whole, "split", json!({"changes": changes})).await.refused(422, "invalid_field");
        assert!(refused["error"]["message"].text().contains(says), "{refused:?}");
    }
    // Some cells of one operation.
    let part = step(&ada, &whole, "split", json!({"changes": ["c1", "c3"]})).await.status(200)["plan"].clone();
    apply(&ada, &part).await.await.status(200);
    let cells = ada.get(format!("/v1/spreadsheets/{id}")).await.status(200)["content"]["sheets"][0]["cells"].clone();
    assert_eq!(cells[2][0], "3");
    assert_eq!(cells[1][0], "");
}

#[shared_testing::test]
async fn an_insert_goes_after_the_nearest_block_that_is_in() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one", "two"]).await);
    let block = |id: &str| json!({"id": id, "type": "paragraph", "segments": [{"text": id}]});
    let edits = json!([
        {"op": "insert_block", "block": block("x"), "after_id": "b0"},
        {"op": "insert_block", "block": block("y"), "after_id": "x"}
    ]);
    let whole = propose(&ada, &id, edits).await.await.status(200)["plan"].clone();
    let part = step(&ada, &whole, "split", json!({"changes": ["c2"]})).await.status(200)["plan"].clone();
    assert_eq!(part["changes"][0]["after_id"], "b0");
    apply(&ada, &part).await.await.status(200);
    assert_eq!(texts(&ada, &id).await, ["one", "y", "two"]);
    let rest = rebased(&ada, &whole).await;
    apply(&ada, &rest).await.await.status(200);
    assert_eq!(texts(&ada, &id).await, ["one", "x", "y", "two"]);
}

#[shared_testing::test]
async fn a_part_of_a_sheet_has_no_more_operations_than_a_plan_may_have() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let rows: Vec<Value> = (0..120).map(|row| json!([row.to_string(), "b", "c"])).collect();
    let body = json!({"name": "S", "content": {"kind": "sheets", "sheets": [{"name": "S", "cells": rows}]}});
    let id = samples::id(&ada.post("/v1/spreadsheets").fresh_key().json(body).await.status(200));
    let cleared = json!([{"op": "clear_range", "sheet": "S", "range": "A1:C120"}]);
    let whole = propose(&ada, &id, cleared).await.await.status(200)["plan"].clone();
    let chosen =
        |is: fn(usize) -> bool| (0..360).filter(|at| is(*at)).map(|at| format!("c{}", at + 1)).collect::<Vec<_>>();
    let scattered = step(&ada, &whole, "split", json!({"changes": chosen(|at| at % 6 == 0)})).await;
    let said = scattered.refused(422, "invalid_field").body();
    assert!(said.contains("/changes") && said.contains("not into 60 and"), "{said}");

    // A column is one operation, and its part goes all the way.
    let column = step(&ada, &whole, "split", json!({"changes": chosen(|at| at % 3 == 1)})).await.status(200);
    let places = json!({"protected": [{"range": "S!A1"}]});
    ada.request("PUT", format!("/v1/files/{id}/protection")).fresh_key().json(places).await.status(200);
    apply(&ada, &column["plan"]).await.await.status(200);
    let rest = rebased(&ada, &whole).await;
    assert_eq!(rest["changes"].as_array().map(Vec::len), Some(240));
    apply(&ada, &rest).await.await.status(200);
    let sheet = ada.get(format!("/v1/spreadsheets/{id}")).await.status(200)["content"]["sheets"][0].clone();
    let rows = sheet["cells"].as_array().expect("rows").iter();
    assert!(rows.flat_map(|row| row.as_array().expect("cells")).all(|cell| cell == ""), "{sheet}");
}

#[shared_testing::test]
async fn no_part_and_no_amendment_comes_of_an_expired_plan() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one", "two"]).await);
    let edits = json!([replace("b0", "ONE"), replace("b1", "TWO")]);
    let plan = propose(&ada, &id, edits).await.await.status(200)["plan"].clone();
    stage.clock.advance(Duration::from_secs(901));
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    step(&bob, &plan, "split", json!({"changes": ["c1"]})).await.refused(409, "plan_expired");
    let more = json!({"operations": [replace("b1", "2")]});
    step(&bob, &plan, "amend", more).await.refused(409, "plan_expired");
    rebased(&ada, &plan).await;
}
