//! Cells in several places of a workbook, edited in one form.

use std::time::Duration;

use cloud_svc::service;
use serde_json::json;
use shared_testing::{Browser, Caller, Request, Response, Stage, html};

use super::cells::{changes, edit, filled, opened, post, send, workbook};

const ELSEWHERE: &str = "You have typed into other cells too.";

async fn money(caller: &Caller) -> String {
    let budget = json!([["Rent", "900"], ["Food", "250"], ["Fun\nand games", "50"]]);
    let sheets = json!([
        {"name": "Budget", "cells": budget},
        {"name": "Rates", "cells": [["Euro", "1"], ["Pound", "2"]]},
    ]);
    workbook(caller, sheets).await
}

/// Presses a button of the choice, after a person has typed into cells and chosen others.
fn press(
    browser: &Browser,
    (page, file): (&Response, &str),
    typed: &[(&str, &str)],
    (button, sheet, range): (&str, &str, &str),
) -> Request {
    let mut fields = filled(page, file, typed);
    let choice = [("show", button), ("to-sheet", sheet), ("to-range", range)];
    fields.extend(choice.map(|(name, value)| (name.to_owned(), value.to_owned())));
    post(browser, file, &fields)
}

/// The page with the chosen cells.
async fn shown(
    browser: &Browser,
    from: (&Response, &str),
    typed: &[(&str, &str)],
    (sheet, range): (&str, &str),
) -> Response {
    let page = press(browser, from, typed, ("others", sheet, range)).await.status(200);
    html::assert_harmless(&page.body());
    page
}

#[shared_testing::test]
async fn what_was_typed_stays_while_other_cells_are_shown_and_becomes_one_plan() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let file = money(&ada).await;
    let page = opened(&browser, &file).await;
    assert!(!page.body().contains(ELSEWHERE), "{page}");
    let typed = [("B1", "950 <b>"), ("A3", "Fun\nand \"more\"")];
    let rates = shown(&browser, (&page, &file), &typed, ("Rates", "a1:b2")).await;
    let body = rates.body();
    let kept = "<code>Budget!B1</code>: <bdi>950 &lt;b&gt;</bdi>";
    for part in [ELSEWHERE, kept, "value=\"Euro\"", "<option value=\"Rates\" selected>", "value=\"A1:B2\""] {
        assert!(body.contains(part), "{part} in {body}");
    }
    let back = shown(&browser, (&rates, &file), &[("B2", "3")], ("Budget", "A1:B2")).await;
    let body = back.body();
    for part in ["value=\"950 &lt;b&gt;\"", "<code>A3</code>: ", "<code>Rates!B2</code>: <bdi>3</bdi>"] {
        assert!(body.contains(part), "{part} in {body}");
    }
    assert!(!body.contains("<code>B1</code>"), "it has an input: {body}");
    assert_eq!(stage.count("edit_plans"), 0);
    let sent = send(&browser, &back, &file, &[("B2", "275")]).await;
    assert_eq!(changes(&ada, sent).await, ["B1=950 <b>", "B2=275", "A3=Fun\nand \"more\"", "B2=3"]);
    let unknown = [filled(&back, &file, &[]), vec![("kept-2".to_owned(), "Other!B1: 1".to_owned())]].concat();
    post(&browser, &file, &unknown).await.status(400);
    let reader = stage.browser(&stage.caller("eve").scope("cloud.read"));
    let csrf = html::hidden(&reader.get("/w").await.status(200).body(), "/sign-out", "csrf");
    let asked = [("csrf", csrf.as_str()), ("key", "page-x"), ("show", "others")];
    reader.post(super::cells::path(&file), &asked).await.status(403);
}

#[shared_testing::test]
async fn cells_that_cannot_be_shown_lose_nothing() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let file = money(&ada).await;
    let page = opened(&browser, &file).await;
    let page = shown(&browser, (&page, &file), &[("B1", "950")], ("Rates", "A1:B2")).await;
    for choice in [("Rates", "B9:A1"), ("Rates", "A1:Z20"), ("Other", "A1")] {
        let refused = press(&browser, (&page, &file), &[("B2", "3")], ("others", choice.0, choice.1)).await.status(400);
        let body = refused.body();
        html::assert_harmless(&body);
        let range = format!("name=\"to-range\" value=\"{}\"", choice.1);
        for part in ["Nothing was done.", "<code>Budget!B1</code>: <bdi>950</bdi>", "value=\"3\"", &range] {
            assert!(body.contains(part), "{part} in {body}");
        }
        assert_eq!(changes(&ada, send(&browser, &refused, &file, &[]).await).await, ["B1=950", "B2=3"]);
    }
}

#[shared_testing::test]
async fn the_key_enter_shows_other_cells_only_if_others_are_chosen() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let file = money(&ada).await;
    let page = opened(&browser, &file).await;
    let body = page.body();
    // It presses the first button of the form.
    let (first, next) = (body.find("value=\"if-others\"").expect("a button"), body.find("value=\"others\""));
    assert!(next.is_some_and(|next| first < next), "{body}");
    let range = html::hidden(&body, &super::cells::path(&file), "range");
    let enter = |sheet, range| press(&browser, (&page, &file), &[("B1", "950")], ("if-others", sheet, range));
    assert_eq!(changes(&ada, enter("Budget", &range).await).await, ["B1=950"]);
    for (sheet, range) in [("Rates", range.as_str()), ("Budget", "A1")] {
        let others = enter(sheet, range).await.status(200);
        assert!(others.body().contains("value=\"950\"") || others.body().contains("<bdi>950</bdi>"), "{others}");
    }
}

#[shared_testing::test]
async fn what_was_typed_follows_its_cells_when_other_cells_are_shown() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let browser = stage.browser(&ada);
    let file = money(&ada).await;
    let page = opened(&browser, &file).await;
    let rates = shown(&browser, (&page, &file), &[("B1", "950"), ("B2", "275")], ("Rates", "A1:B2")).await;
    let theirs = json!([
        {"op": "insert_rows", "sheet": "Budget", "row": 1, "count": 1},
        {"op": "set_cells", "sheet": "Budget", "range": "A1:B1", "values": [["Item", "Price"]]},
        {"op": "delete_rows", "sheet": "Budget", "row": 3, "count": 1},
        {"op": "set_cells", "sheet": "Rates", "range": "B1", "values": [["1.1"]]},
    ]);
    edit(&bob, &file, theirs).await;
    let back = shown(&browser, (&rates, &file), &[("B1", "1.2")], ("Budget", "A1:B2")).await;
    let body = back.body();
    for part in [
        "Cells have moved.",
        "Others have changed the same cells.",
        "<code>Rates!B1</code>: <bdi>1.1</bdi>",
        "<code>Rates!B1</code>: <bdi>1.2</bdi>",
        "aria-label=\"B2\" dir=\"auto\" autocomplete=\"off\" value=\"950\"",
        // The row of the food is gone.
        ">\nB2: 275</textarea>",
        "See what has changed meanwhile",
    ] {
        assert!(body.contains(part), "{part} in {body}");
    }
    assert_eq!(changes(&ada, send(&browser, &back, &file, &[]).await).await, ["B2=950", "B1=1.2"]);
}

#[shared_testing::test]
async fn what_was_typed_is_listed_with_the_names_of_its_cells_when_the_session_has_ended() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let file = money(&ada).await;
    let page = opened(&browser, &file).await;
    let rates = shown(&browser, (&page, &file), &[("B1", "950")], ("Rates", "A1:B2")).await;
    let late = post(&browser, &file, &filled(&rates, &file, &[("A1", ""), ("B2", "3 <b>")]));
    stage.clock.advance(Duration::from_secs(3_700));
    let said = late.header("sec-fetch-site", "same-origin").await.status(401).body();
    html::assert_harmless(&said);
    assert!(said.contains(">\nA1: \nB2: 3 &lt;b&gt;\nBudget!B1: 950</textarea>"), "{said}");
    assert!(!said.contains("Pound"), "nobody has typed it: {said}");
}
