//! Edits that people propose on pages, and versions that they compare and bring back.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Browser, Caller, Response, Stage, Text as _, html};

use super::hidden_fields;
use crate::samples;

async fn opened(browser: &Browser, path: &str) -> Response {
    let page = browser.get(path).await.status(200);
    html::assert_harmless(&page.body());
    page
}

/// Submits the form of the page with its hidden fields, and with these.
async fn send(browser: &Browser, page: &Response, path: &str, fields: &[(&str, &str)]) -> Response {
    let mut hidden = hidden_fields(&page.body(), path);
    hidden.retain(|(name, _)| !fields.iter().any(|(own, _)| own == name));
    let hidden: Vec<_> = hidden.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    browser.post(path, &[&hidden[..], fields].concat()).await
}

/// The plan to whose page the answer leads.
async fn plan(caller: &Caller, answer: &Response) -> Value {
    let (file, plan) =
        answer.header("location").strip_prefix("/f/").and_then(|path| path.split_once("/plans/")).expect("a plan");
    caller.get(format!("/v1/files/{file}/edit-plans/{plan}")).await.status(200)["plan"].clone()
}

async fn create(caller: &Caller, collection: &str, content: Value) -> String {
    let body = json!({"name": "Edited", "content": content});
    samples::id(&caller.post(format!("/v1/{collection}")).fresh_key().json(body).await.status(200))
}

#[shared_testing::test]
async fn a_document_is_edited_as_markdown_and_only_what_changed_is_in_the_plan() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let file = samples::id(&samples::document_of(&ada, &["begin at nine", "two", "three"]).await);
    let path = format!("/f/{file}/edit");
    let page = opened(&browser, &path).await;
    assert!(page.body().contains("begin at nine\n\ntwo\n\nthree\n</textarea>"), "{page}");
    let fields = [("text", "begin at ten\r\n\r\ntwo\r\n\r\nthree\r\n\r\n- one more\r\n")];
    let proposed = send(&browser, &page, &path, &fields).await.status(303);
    let again = send(&browser, &page, &path, &fields).await.status(303);
    assert_eq!(proposed.header("location"), again.header("location"), "sent twice, it is one plan");
    let plan = plan(&ada, &proposed).await;
    let changes = plan["changes"].as_array().expect("changes");
    assert_eq!(changes.len(), 2, "{plan}");
    assert_eq!((&changes[0]["kind"], &changes[0]["block_id"]), (&json!("replace"), &json!("b0")));
    assert_eq!(changes[1]["kind"], "insert");
    samples::apply(&ada, &plan).await.await.status(200);
    let shown = opened(&browser, &format!("/f/{file}")).await;
    assert!(shown.body().contains("begin at ten") && shown.body().contains("one more"), "{shown}");
    let nothing = opened(&browser, &path).await;
    let text = "begin at ten\n\ntwo\n\nthree\n\n- one more\n";
    let refused = send(&browser, &nothing, &path, &[("text", text)]).await.status(422);
    assert!(refused.body().contains("nothing is changed yet"), "{refused}");
}

#[shared_testing::test]
async fn who_edits_an_old_state_keeps_the_text_and_does_not_undo_the_work_of_others() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let browser = stage.browser(&ada);
    let file = samples::id(&samples::document_of(&ada, &["one", "two"]).await);
    let path = format!("/f/{file}/edit");
    let page = opened(&browser, &path).await;
    let theirs = samples::plan(&bob, &file, "by Bob").await;
    samples::apply(&bob, &theirs).await.await.status(200);
    let fields = [("text", "one\n\nTWO <b>\n")];
    let conflict = send(&browser, &page, &path, &fields).await.status(412);
    html::assert_harmless(&conflict.body());
    for part in ["Nothing was done.", "Changed by", "TWO &lt;b&gt;", "See what has changed meanwhile"] {
        assert!(conflict.body().contains(part), "{part} in {conflict}");
    }
    let compare = html::links(&conflict.body()).into_iter().find(|link| link.contains("/compare?")).expect("a link");
    assert!(opened(&browser, &compare).await.body().contains("by Bob"));
    let proposed = send(&browser, &conflict, &path, &fields).await.status(303);
    let plan = plan(&ada, &proposed).await;
    assert_eq!(plan["changes"].as_array().map(Vec::len), Some(1), "{plan}");
    samples::apply(&ada, &plan).await.await.status(200);
    let shown = opened(&browser, &format!("/f/{file}")).await.body();
    assert!(shown.contains("by Bob") && shown.contains("TWO"), "{shown}");
}

#[shared_testing::test]
async fn a_note_and_some_cells_of_a_sheet_are_edited() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let note = create(&ada, "notes", json!({"title": "Shopping", "content": "\nbread"})).await;
    let path = format!("/f/{note}/edit");
    let page = opened(&browser, &path).await;
    assert!(page.body().contains(">\n\nbread</textarea>"), "{page}");
    let fields = [("title", "Shopping"), ("text", "bread\r\nand coffee")];
    let proposed = send(&browser, &page, &path, &fields).await.status(303);
    let note_plan = plan(&ada, &proposed).await;
    assert_eq!(note_plan["changes"][0]["after"], "bread\nand coffee");
    assert_eq!(note_plan["operations"], 1);

    let cells = json!([["Rent", "900"], ["Food", "250"], ["Sum", "=SUM(B1:B2)"]]);
    let sheet =
        create(&ada, "spreadsheets", json!({"kind": "sheets", "sheets": [{"name": "Budget", "cells": cells}]})).await;
    let path = format!("/f/{sheet}/edit");
    let page = opened(&browser, &format!("{path}?sheet=Budget&range=a1:b3")).await;
    assert!(page.body().contains("value=\"=SUM(B1:B2)\"") && page.body().contains("aria-label=\"B3\""), "{page}");
    let fields = [("sheet", "Budget"), ("range", "A1:B3"), ("cell-1", "950"), ("cell-4", "Total")];
    let proposed = send(&browser, &page, &path, &fields).await.status(303);
    let sheet_plan = plan(&ada, &proposed).await;
    let changed: Vec<_> =
        sheet_plan["changes"].as_array().expect("changes").iter().map(|change| change["cell"].text()).collect();
    assert_eq!(changed, ["B1", "A3"], "{sheet_plan}");
    let fields = [("sheet", "Budget"), ("range", "A1:B3"), ("cell-5", "=FOO(1)")];
    let page = opened(&browser, &format!("{path}?sheet=Budget&range=A1:B3")).await;
    let refused = send(&browser, &page, &path, &fields).await.body();
    assert!(refused.contains("Cell B3 must be") && refused.contains("value=\"=FOO(1)\""), "{refused}");
    lines_of_cells_stay(&ada, &browser).await;
    send(&browser, &page, &path, &[("sheet", "Budget"), ("range", "A1:B3"), ("cell-500", "x")]).await.status(400);
    browser.get(format!("{path}?range=A1:Z99")).await.status(400);
    browser.get(format!("{path}?sheet=Other")).await.status(400);
    let folder = samples::folder(&ada, "Folder", None).await;
    browser.get(format!("/f/{folder}/edit")).await.status(422);
}

/// A cell with line breaks is a text area, and stays as it is when another cell is edited.
async fn lines_of_cells_stay(ada: &Caller, browser: &Browser) {
    let rows: Vec<_> = (0..50).map(|row| json!(["Street 1\nBerlin", row.to_string(), "old"])).collect();
    let content = json!({"kind": "sheets", "sheets": [{"name": "S", "cells": rows}]});
    let sheet = create(ada, "spreadsheets", content).await;
    let path = format!("/f/{sheet}/edit");
    let page = opened(browser, &format!("{path}?sheet=S&range=A1:C50")).await;
    assert!(page.body().contains(">\nStreet 1\nBerlin</textarea>"), "{page}");
    let fields = [("sheet", "S"), ("range", "A1:C50"), ("cell-0", "Street 1\r\nBerlin"), ("cell-1", "one")];
    let proposed = send(browser, &page, &path, &fields).await.status(303);
    let changes = plan(ada, &proposed).await["changes"].clone();
    assert_eq!((changes.as_array().map(Vec::len), &changes[0]["cell"]), (Some(1), &json!("B1")), "{changes}");
    // More than fits in one plan cell by cell, after somebody else has written another cell.
    let page = opened(browser, &format!("{path}?sheet=S&range=A1:C50")).await;
    let operation = json!({"op": "set_cells", "sheet": "S", "range": "C7", "values": [["new"]]});
    let meanwhile = samples::propose(ada, &sheet, json!([operation])).await.await.status(200);
    samples::apply(ada, &meanwhile["plan"]).await.await.status(200);
    let typed: Vec<_> = (0..50).map(|row| (format!("cell-{}", 3 * row + 1), "x")).collect();
    let mut fields = vec![("sheet", "S"), ("range", "A1:C50")];
    fields.extend(typed.iter().map(|(field, text)| (field.as_str(), *text)));
    let stale = send(browser, &page, &path, &fields).await.status(412);
    let proposed = send(browser, &stale, &path, &fields).await.status(303);
    let changes = plan(ada, &proposed).await["changes"].clone();
    let cells = changes.as_array().expect("changes").iter().map(|change| change["cell"].text());
    assert!(cells.clone().all(|cell| cell.starts_with('B')) && cells.count() == 50, "{changes}");
}

#[shared_testing::test]
async fn editing_an_old_note_keeps_the_lines_of_others_or_warns_that_they_are_replaced() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let browser = stage.browser(&ada);
    let note = create(&ada, "notes", json!({"title": "Shopping", "content": "lemons\nBob\nend"})).await;
    let path = format!("/f/{note}/edit");
    let pages = [opened(&browser, &path).await, opened(&browser, &path).await];
    let theirs = json!([{"op": "set_content", "content": "limes\nBob\nend"}]);
    let meanwhile = samples::propose(&bob, &note, theirs).await.await.status(200);
    samples::apply(&bob, &meanwhile["plan"]).await.await.status(200);
    for (page, typed, is_replaced, after) in [
        (&pages[0], "lemons\r\nBobby\r\nend", false, "limes\nBobby\nend"),
        (&pages[1], "oranges\r\nBob\r\nend", true, "oranges\nBob\nend"),
    ] {
        let fields = [("title", "Shopping"), ("text", typed)];
        let stale = send(&browser, page, &path, &fields).await.status(412);
        html::assert_harmless(&stale.body());
        assert_eq!(stale.body().contains("Others have changed the same parts."), is_replaced, "{stale}");
        assert_eq!(stale.body().contains(">limes</li>"), is_replaced, "{stale}");
        let kept = "Others have changed other parts. Send yours again, and both are kept.";
        assert_eq!(stale.body().contains(kept), !is_replaced, "{stale}");
        let proposed = send(&browser, &stale, &path, &fields).await.status(303);
        assert_eq!(plan(&ada, &proposed).await["changes"][0]["after"], after);
    }
}

#[shared_testing::test]
async fn no_line_of_others_is_replaced_before_the_page_has_said_so() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let browser = stage.browser(&ada);
    let note = create(&ada, "notes", json!({"title": "Shopping", "content": "lemons\nBob\nend"})).await;
    let path = format!("/f/{note}/edit");
    let page = opened(&browser, &path).await;
    let theirs = json!([
        {"op": "set_title", "title": "For the fair"},
        {"op": "set_content", "content": "limes\nBob\nlimes"},
    ]);
    let meanwhile = samples::propose(&bob, &note, theirs).await.await.status(200);
    samples::apply(&bob, &meanwhile["plan"]).await.await.status(200);
    let form = |title: &'static str, text: &'static str| [("title", title), ("text", text)];
    let first = send(&browser, &page, &path, &form("Shopping", "lemons\r\nBobby\r\nend")).await.status(412);
    assert!(first.body().contains(OTHER_PARTS) && !first.body().contains(SAME_PARTS), "{first}");
    // The person goes on typing, into one part after another that Bob has changed.
    let mut shown = first;
    for (fields, theirs) in [
        (form("Shopping", "oranges\r\nBob\r\nend"), ">limes</li>"),
        (form("For us", "oranges\r\nBob\r\nend"), ">For the fair</li>"),
        (form("For us", "oranges\r\nBob\r\noranges"), ">limes</li>"),
    ] {
        let told = send(&browser, &shown, &path, &fields).await.status(412);
        html::assert_harmless(&told.body());
        assert!(told.body().contains(SAME_PARTS) && told.body().contains(theirs), "{told}");
        shown = told;
    }
    let fields = form("For us", "oranges\r\nBob\r\noranges");
    let proposed = send(&browser, &shown, &path, &fields).await.status(303);
    let again = send(&browser, &shown, &path, &fields).await.status(303);
    assert_eq!(proposed.header("location"), again.header("location"), "sent twice, it is one plan");
    let changes = plan(&ada, &proposed).await["changes"].clone();
    assert_eq!((&changes[0]["after"], &changes[1]["after"]), (&json!("For us"), &json!("oranges\nBob\noranges")));
}

/// Replaces the text of a block, and applies it.
async fn replace(caller: &Caller, file: &str, block: &str, text: &str) {
    let new = json!({"id": block, "type": "paragraph", "segments": [{"text": text}]});
    let operations = json!([{"op": "replace_block", "block_id": block, "block": new}]);
    let plan = samples::propose(caller, file, operations).await.await.status(200);
    samples::apply(caller, &plan["plan"]).await.await.status(200);
}

/// The changed blocks of the plan to which the answer leads: `b0=text`.
async fn changed(caller: &Caller, answer: &Response) -> Vec<String> {
    let plan = plan(caller, answer).await;
    let change = |change: &Value| {
        let text = &change["after"]["segments"][0]["text"];
        format!("{}={}", change["block_id"].as_str().unwrap_or("new"), text.as_str().unwrap_or("gone"))
    };
    plan["changes"].as_array().expect("changes").iter().map(change).collect()
}

const SAME_PARTS: &str = "Others have changed the same parts. Send yours again to replace theirs.";
const OTHER_PARTS: &str = "Others have changed other parts. Send yours again, and both are kept.";

#[shared_testing::test]
async fn who_edits_the_same_block_as_another_sees_both_texts_first() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let browser = stage.browser(&ada);
    let file = samples::id(&samples::document_of(&ada, &["one", "two", "three"]).await);
    let path = format!("/f/{file}/edit");
    let page = opened(&browser, &path).await;
    replace(&bob, &file, "b0", "by Bob").await;
    let fields = [("text", "mine & yours\r\n\r\ntwo\r\n\r\nTHREE\r\n")];
    let conflict = send(&browser, &page, &path, &fields).await.status(412);
    let body = conflict.body();
    html::assert_harmless(&body);
    let typed = ">\nmine &amp; yours\n\ntwo\n\nTHREE\n</textarea>";
    for part in [SAME_PARTS, "by Bob</li>", typed, "Changed by", "See what has changed meanwhile"] {
        assert!(body.contains(part), "{part} in {body}");
    }
    assert!(!body.contains(OTHER_PARTS), "{body}");
    let proposed = send(&browser, &conflict, &path, &fields).await.status(303);
    assert_eq!(changed(&ada, &proposed).await, ["b0=mine & yours", "b2=THREE"]);
    // Sent twice it is one plan, also after others have written again. Another form shows what they wrote.
    replace(&bob, &file, "b0", "again").await;
    let again = send(&browser, &conflict, &path, &fields).await.status(303);
    assert_eq!(proposed.header("location"), again.header("location"));
    let late = send(&browser, &page, &path, &[&fields[..], &[("key", "page-late")]].concat()).await.status(412);
    assert!(late.body().contains("again</li>") && !late.body().contains("by Bob"), "{late}");
    let mut german = hidden_fields(&page.body(), &path);
    german.retain(|(name, _)| name != "key");
    let mut german: Vec<_> = german.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    german.extend([fields[0], ("key", "page-german")]);
    let german = browser.post(&path, &german).header("accept-language", "de");
    let german = german.await.status(412).body();
    assert!(german.contains("Andere haben dieselben Stellen geändert.") && !german.contains(SAME_PARTS), "{german}");
}

#[shared_testing::test]
async fn no_block_of_others_is_replaced_before_the_page_has_said_so() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let browser = stage.browser(&ada);
    let file = samples::id(&samples::document_of(&ada, &["one", "two", "three"]).await);
    let path = format!("/f/{file}/edit");
    let page = opened(&browser, &path).await;
    replace(&bob, &file, "b0", "by Bob").await;
    let first = send(&browser, &page, &path, &[("text", "one\n\ntwo\n\nTHREE\n")]).await.status(412);
    assert!(first.body().contains(OTHER_PARTS) && !first.body().contains(SAME_PARTS), "{first}");
    // The person goes on typing, now into the block that Bob has changed.
    let fields = [("text", "mine\n\ntwo\n\nTHREE\n")];
    let told = send(&browser, &first, &path, &fields).await.status(412);
    assert!(told.body().contains(SAME_PARTS) && told.body().contains("by Bob</li>"), "{told}");
    // What cannot be read says nothing about blocks. The next form does.
    let long = format!("mine\n\n{}", "x\n\n".repeat(201));
    let unread = send(&browser, &page, &path, &[("text", &long)]).await.status(422);
    assert!(!unread.body().contains(SAME_PARTS), "{unread}");
    assert!(send(&browser, &unread, &path, &fields).await.status(412).body().contains(SAME_PARTS));
    let proposed = send(&browser, &told, &path, &fields).await.status(303);
    assert_eq!(changed(&ada, &proposed).await, ["b0=mine", "b2=THREE"]);
}

#[shared_testing::test]
async fn what_was_typed_into_a_block_that_others_delete_is_not_lost() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let browser = stage.browser(&ada);
    let file = samples::id(&samples::document_of(&ada, &["one", "two", "three"]).await);
    let path = format!("/f/{file}/edit");
    let page = opened(&browser, &path).await;
    let delete = json!([{"op": "delete_block", "block_id": "b1"}]);
    let plan = samples::propose(&bob, &file, delete).await.await.status(200);
    samples::apply(&bob, &plan["plan"]).await.await.status(200);
    let fields = [("text", "one\n\nTWO\n\nthree\n")];
    let conflict = send(&browser, &page, &path, &fields).await.status(412);
    let body = conflict.body();
    html::assert_harmless(&body);
    assert!(body.contains(SAME_PARTS) && body.contains("[removed: </span>two<"), "{body}");
    let proposed = send(&browser, &conflict, &path, &fields).await.status(303);
    let changed = changed(&ada, &proposed).await;
    assert!(changed.len() == 1 && changed[0].ends_with("=TWO"), "{changed:?}");
}

#[shared_testing::test]
async fn versions_are_compared_and_brought_back_and_a_plan_is_undone() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let created = samples::document_of(&ada, &["the first text"]).await;
    let (file, first) = (samples::id(&created), created["file"]["current_version_id"].text().to_owned());
    let plan = samples::plan(&ada, &file, "the second text").await;
    samples::apply(&ada, &plan).await.await.status(200);
    let plan_path = format!("/f/{file}/plans/{}", plan["id"].text());
    let done = opened(&browser, &plan_path).await;
    assert!(done.body().contains("Undo this"), "{done}");
    let page = opened(&browser, &format!("/f/{file}")).await;
    let compare = html::links(&page.body()).into_iter().find(|link| link.contains("/compare?")).expect("a link");
    let compared = opened(&browser, &compare).await;
    assert!(compared.body().contains("the second text") && compared.body().contains("Inserted"), "{compared}");
    let action = format!("/f/{file}/change");
    let etag = html::hidden(&done.body(), &action, "etag");
    let fields = [("action", "restore-version"), ("etag", etag.as_str()), ("version", first.as_str())];
    for _ in 0..2 {
        browser.submit(&done, &action, &fields).await.status(303);
    }
    let now = opened(&browser, &format!("/f/{file}")).await.body();
    assert!(!now.contains("<p dir=\"auto\">the second text") && now.contains("the first text"), "{now}");
    let versions = ada.get(format!("/v1/files/{file}/versions")).await.status(200);
    assert_eq!(versions["items"].as_array().map(Vec::len), Some(3), "{versions}");
    assert!(!opened(&browser, &plan_path).await.body().contains("Undo this"));
    let late = browser.submit(&compared, &action, &fields).await.status(412);
    assert!(late.body().contains("Changed by"), "{late}");
    browser.get(format!("/f/{file}/compare?from={first}&to=ver_999")).await.status(404);
}
