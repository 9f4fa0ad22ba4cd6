//! Cells that people edit while others write, insert, delete and rename.

use cloud_svc::service;
use serde_json::json;
use shared_testing::{Browser, Response, Stage, html};

use super::cells::{budget, changes, edit, filled, opened, post, send, workbook};
use crate::samples;

const FOLLOWED: &str = "Cells have moved.";
const REPLACED: &str = "Others have changed the same cells.";
const KEPT: &str = "Others have changed other parts.";
const LOST: &str = "Some of what you typed has no certain place any more.";

/// The page that refuses what was typed into an older version. It says exactly these things.
async fn refused(browser: &Browser, page: &Response, file: &str, typed: &[(&str, &str)], says: &[&str]) -> Response {
    let stale = send(browser, page, file, typed).await.status(412);
    html::assert_harmless(&stale.body());
    let body = stale.body();
    for part in ["Nothing was done.", "Changed by", "See what has changed meanwhile"] {
        assert!(body.contains(part), "{part} in {body}");
    }
    for part in [FOLLOWED, REPLACED, KEPT, LOST] {
        assert_eq!(body.contains(part), says.contains(&part), "{part} in {body}");
    }
    // The texts of all cells come with the form. Only what was typed may be shown as such.
    assert_eq!(body.contains("What you typed</strong>"), says.contains(&LOST), "{body}");
    stale
}

#[shared_testing::test]
async fn an_edit_follows_its_cells_and_what_has_no_place_now_is_not_lost() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let browser = stage.browser(&ada);
    let cells = json!([["Rent", "900", ""], ["Food", "250", ""], ["Fun", "50", ""], ["Sum", "=SUM(B1:B3)", ""]]);
    let file = budget(&ada, cells).await;
    let page = opened(&browser, &file).await;
    let theirs = json!([
        {"op": "insert_rows", "sheet": "Budget", "row": 1, "count": 1},
        {"op": "set_cells", "sheet": "Budget", "range": "A1:B1", "values": [["Item", "Price"]]},
        {"op": "delete_rows", "sheet": "Budget", "row": 3, "count": 1},
    ]);
    edit(&bob, &file, theirs).await;
    let typed = [("B1", "950"), ("B2", "275 <b>"), ("B3", ""), ("C3", "two\nlines"), ("A4", "Total")];
    let stale = refused(&browser, &page, &file, &typed, &[FOLLOWED, KEPT, LOST]).await;
    let body = stale.body();
    assert!(body.contains(">\nB2: 275 &lt;b&gt;</textarea>") && !body.contains("value=\"275"), "{body}");
    let sent = send(&browser, &stale, &file, &[]).await.status(303);
    let again = send(&browser, &stale, &file, &[]).await.status(303);
    assert_eq!(sent.header("location"), again.header("location"), "sent twice, it is one plan");
    assert_eq!(changes(&ada, sent).await, ["B2=950", "B3=", "C3=two\nlines", "A4=Total"]);
    // Also after others have moved the cells again.
    edit(&bob, &file, json!([{"op": "insert_rows", "sheet": "Budget", "row": 1, "count": 1}])).await;
    let late = send(&browser, &stale, &file, &[]).await.status(303);
    assert_eq!(late.header("location"), again.header("location"));
}

#[shared_testing::test]
async fn an_edit_follows_its_column() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let file = budget(&ada, json!([["Rent", "900"], ["Food", "250"]])).await;
    let page = opened(&browser, &file).await;
    edit(&ada, &file, json!([{"op": "insert_columns", "sheet": "Budget", "column": "B", "count": 1}])).await;
    let stale = refused(&browser, &page, &file, &[("B2", "275"), ("C1", "May")], &[FOLLOWED, KEPT]).await;
    assert_eq!(changes(&ada, send(&browser, &stale, &file, &[]).await).await, ["D1=May", "C2=275"]);
}

#[shared_testing::test]
async fn who_edits_the_same_cell_as_another_sees_their_text_first() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let browser = stage.browser(&ada);
    let file = budget(&ada, json!([["Rent", "900"], ["Food", "250"]])).await;
    let pages = [opened(&browser, &file).await, opened(&browser, &file).await];
    let theirs = json!([{"op": "set_cells", "sheet": "Budget", "range": "B1", "values": [["<i>950"]]}]);
    edit(&bob, &file, theirs).await;
    let stale = refused(&browser, &pages[0], &file, &[("B1", "1000"), ("B2", "275")], &[REPLACED]).await;
    assert!(stale.body().contains("<code>B1</code>: <bdi>&lt;i&gt;950</bdi>"), "{stale}");
    assert_eq!(changes(&ada, send(&browser, &stale, &file, &[]).await).await, ["B1=1000", "B2=275"]);
    let stale = refused(&browser, &pages[1], &file, &[("B2", "275")], &[KEPT]).await;
    assert_eq!(changes(&ada, send(&browser, &stale, &file, &[]).await).await, ["B2=275"]);
}

#[shared_testing::test]
async fn rows_that_two_people_add_at_the_end_do_not_meet() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let browser = stage.browser(&ada);
    let file = budget(&ada, json!([["Rent", "900"], ["Food", "250"]])).await;
    let page = opened(&browser, &file).await;
    let theirs = json!([{"op": "set_cells", "sheet": "Budget", "range": "A3:B3", "values": [["Fun", "50"]]}]);
    edit(&bob, &file, theirs).await;
    let mine = [("A3", "Fees"), ("B3", "7"), ("B1", "950")];
    let stale = refused(&browser, &page, &file, &mine, &[KEPT, LOST]).await;
    assert!(stale.body().contains(">\nA3: Fees\nB3: 7</textarea>"), "{stale}");
    let copied = send(&browser, &stale, &file, &[("A4", "Fees"), ("B4", "7")]).await;
    assert_eq!(changes(&ada, copied).await, ["B1=950", "A4=Fees", "B4=7"]);
}

#[shared_testing::test]
async fn a_formula_is_not_put_where_it_would_name_other_cells() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let file = budget(&ada, json!([["1"], ["2"]])).await;
    let page = opened(&browser, &file).await;
    let theirs = json!([
        {"op": "insert_rows", "sheet": "Budget", "row": 1, "count": 1},
        {"op": "set_cells", "sheet": "Budget", "range": "A1", "values": [["0"]]},
    ]);
    edit(&ada, &file, theirs).await;
    let typed = [("B2", "two"), ("A3", "=SUM(A1:A2)")];
    let stale = refused(&browser, &page, &file, &typed, &[FOLLOWED, KEPT, LOST]).await;
    assert!(stale.body().contains(">\nA3: =SUM(A1:A2)</textarea>"), "{stale}");
    assert_eq!(changes(&ada, send(&browser, &stale, &file, &[]).await).await, ["B3=two"]);
}

#[shared_testing::test]
async fn an_edit_follows_a_renamed_sheet_and_outlives_a_deleted_one() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let sheet = |name: &str, text: &str| json!({"name": name, "cells": [[text, "900"]]});
    let file = workbook(&ada, json!([sheet("Budget", "Rent"), sheet("Rates", "Euro")])).await;
    let page = opened(&browser, &file).await;
    edit(&ada, &file, json!([{"op": "rename_sheet", "sheet": "Budget", "name": "2026"}])).await;
    let stale = refused(&browser, &page, &file, &[("B1", "950")], &[FOLLOWED, KEPT]).await;
    let plan = send(&browser, &stale, &file, &[]).await;
    assert_eq!(changes(&ada, plan).await, ["B1=950"]);
    let page = opened(&browser, &file).await;
    edit(&ada, &file, json!([{"op": "delete_sheet", "sheet": "2026"}])).await;
    let stale = refused(&browser, &page, &file, &[("A1", ""), ("B1", "1000")], &[LOST]).await;
    assert!(stale.body().contains(">\n2026!A1: (empty)\n2026!B1: 1000</textarea>"), "{stale}");
    // The other sheet is shown, and nothing was typed into that.
    let nothing = send(&browser, &stale, &file, &[]).await.status(422).body();
    assert!(nothing.contains("nothing is changed yet") && nothing.contains("value=\"Euro\""), "{nothing}");
}

#[shared_testing::test]
async fn cells_of_an_older_version_are_not_taken_for_those_of_the_newest() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let file = budget(&ada, json!([["Rent", "900"], ["Food", "250"]])).await;
    let page = opened(&browser, &file).await;
    edit(&ada, &file, json!([{"op": "insert_rows", "sheet": "Budget", "row": 1, "count": 1}])).await;
    let mut fields = filled(&page, &file, &[("B1", "950")]);
    let newest = samples::etag(&ada, &file).await;
    fields.iter_mut().filter(|(name, _)| name == "etag").for_each(|(_, etag)| etag.clone_from(&newest));
    let stale = post(&browser, &file, &fields).await.status(412);
    assert!(stale.body().contains(FOLLOWED), "{stale}");
    assert_eq!(changes(&ada, send(&browser, &stale, &file, &[]).await).await, ["B2=950"]);
}

#[shared_testing::test]
async fn what_becomes_of_an_edit_is_said_in_german() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let file = budget(&ada, json!([["Miete", "900"], ["Essen", "250"]])).await;
    let page = opened(&browser, &file).await;
    let theirs = json!([
        {"op": "set_cells", "sheet": "Budget", "range": "B1", "values": [["950"]]},
        {"op": "insert_rows", "sheet": "Budget", "row": 3, "count": 1},
        {"op": "set_cells", "sheet": "Budget", "range": "A3", "values": [["Strom"]]},
    ]);
    edit(&ada, &file, theirs).await;
    let fields = filled(&page, &file, &[("B1", "1000"), ("A3", "Gas")]);
    let stale = post(&browser, &file, &fields).header("accept-language", "de").await.status(412).body();
    html::assert_harmless(&stale);
    for part in ["Andere haben dieselben Zellen geändert.", "steht der Platz nicht mehr", ">\nA3: Gas</textarea>"] {
        assert!(stale.contains(part), "{part} in {stale}");
    }
    assert!(![FOLLOWED, REPLACED, KEPT, LOST].iter().any(|english| stale.contains(english)), "{stale}");
}
