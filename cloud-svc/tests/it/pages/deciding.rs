//! Pages of plans: what a reviewer sees and does.

use std::time::Duration;

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Browser, Caller, Response, Stage, Text as _, html};

use crate::samples;

/// A document with the text `one` in block `b0`, and a plan that replaces it.
async fn scene(stage: &Stage, caller: &Caller) -> (String, Value) {
    let file = samples::id(&samples::document_of(caller, &["begin at nine", "two", "three"]).await);
    let block = json!({"id": "b0", "type": "paragraph", "segments": [{"text": "begin at ten"}]});
    let operations = json!([
        {"op": "replace_block", "block_id": "b0", "block": block},
        {"op": "delete_block", "block_id": "b1"},
        {"op": "insert_block", "block": {"type": "quote", "segments": [{"text": "new words"}]}},
        {"op": "move_block", "block_id": "b2", "after_id": null},
    ]);
    let plan = samples::propose(caller, &file, operations).await.await.status(200)["plan"].clone();
    assert!(stage.count("edit_plans") > 0);
    (file, plan)
}

fn path(plan: &Value) -> String {
    format!("/f/{}/plans/{}", plan["file_id"].text(), plan["id"].text())
}

/// Submits a form of the current page of a plan.
async fn submit(browser: &Browser, plan: &Value, action: &str, fields: &[(&str, &str)]) -> Response {
    let page = browser.get(path(plan)).await.status(200);
    decide(browser, &page, plan, action, fields).await
}

async fn decide(browser: &Browser, page: &Response, plan: &Value, action: &str, fields: &[(&str, &str)]) -> Response {
    html::assert_harmless(&page.body());
    let etag = html::hidden(&page.body(), &path(plan), "etag");
    let all = [&[("action", action), ("etag", etag.as_str())], fields].concat();
    browser.submit(page, &path(plan), &all).await
}

fn offers(page: &Response, action: &str) -> bool {
    page.body().contains(&format!("name=\"action\" value=\"{action}\""))
}

async fn state(caller: &Caller, plan: &Value) -> String {
    let (file, id) = (plan["file_id"].text(), plan["id"].text());
    caller.get(format!("/v1/files/{file}/edit-plans/{id}")).await.status(200)["plan"]["state"].text().to_owned()
}

#[shared_testing::test]
async fn a_plan_shows_every_change_before_and_after() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let (file, plan) = scene(&stage, &ada).await;
    let page = stage.browser(&ada).get(path(&plan)).await.status(200).body();
    html::assert_harmless(&page);
    for part in [
        "begin at <del><span class=\"hidden\">[removed: </span>nine",
        "<ins><span class=\"hidden\">[added: </span>ten",
        "Deleted: <bdi>Paragraph ‘two’</bdi>",
        "new words",
        "Moved: <bdi>Paragraph ‘three’</bdi>",
        "At the beginning.",
        "1 inserted, 1 replaced, 1 deleted, 1 moved, ",
        "Proposed",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    let shown = stage.browser(&ada).get(format!("/f/{file}")).await.status(200).body();
    assert!(html::links(&shown).contains(&path(&plan)), "{shown}");
}

#[shared_testing::test]
async fn a_plan_for_a_sheet_shows_the_formulas_and_values_that_follow() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let propose = async |cells: Value, operations: Value| {
        let body = json!({"name": "Budget", "content": {"kind": "sheets", "sheets": [{"name": "S", "cells": cells}]}});
        let file = samples::id(&ada.post("/v1/spreadsheets").fresh_key().json(body).await.status(200));
        let plan = samples::propose(&ada, &file, operations).await.await.status(200)["plan"].clone();
        let page = stage.browser(&ada).get(path(&plan)).await.status(200).body();
        html::assert_harmless(&page);
        page
    };
    let row = json!([
        {"op": "insert_rows", "sheet": "S", "row": 2, "count": 1},
        {"op": "set_cells", "sheet": "S", "range": "A2", "values": [["120"]]},
    ]);
    let page = propose(json!([["900"], ["250"], ["=SUM(A1:A2)"]]), row).await;
    for part in
        ["Formulas that follow their cells", "=SUM(A1:A2)", "=SUM(A1:A3)", "Values that change with it", "1150", "1270"]
    {
        assert!(page.contains(part), "{part}: {page}");
    }
    let formulas: Vec<_> = (0..201).map(|_| ["=A1"]).collect();
    let many: Vec<_> = [json!(["1"])].into_iter().chain(formulas.iter().map(|row| json!(row))).collect();
    let page = propose(json!(many), json!([{"op": "insert_rows", "sheet": "S", "row": 1, "count": 1}])).await;
    assert!(page.contains("And 1 more formula follows its cells."), "{page}");
}

#[shared_testing::test]
async fn the_receipts_of_a_decision_are_downloaded_from_its_page() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let (_, plan) = scene(&stage, &ada).await;
    let browser = stage.browser(&ada);
    let receipts = format!("{}/receipts", path(&plan));
    let shows = async || html::links(&browser.get(path(&plan)).await.status(200).body()).contains(&receipts);
    assert!(!shows().await, "nobody has decided");
    samples::apply(&ada, &plan).await.await.status(200);
    assert!(shows().await);
    let sent = browser.get(&receipts).await.status(200);
    assert_eq!(sent["receipts"][0]["statement"]["decision"], "applied");
    let stranger = stage.browser(&stage.caller("eve").workspace(2));
    stranger.get(&receipts).await.status(404);
}

#[shared_testing::test]
async fn warnings_come_before_the_changes_the_worst_first() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let file = samples::id(&samples::document_of(&ada, &["one", "two"]).await);
    let segments = json!([{"text": "hidden\u{200b}words"}, {"text": "here", "link": "https://new.example/"}]);
    let block = json!({"id": "b0", "type": "paragraph", "segments": segments});
    let operations =
        json!([{"op": "delete_block", "block_id": "b1"}, {"op": "replace_block", "block_id": "b0", "block": block}]);
    let plan = samples::propose(&ada, &file, operations).await.await.status(200)["plan"].clone();
    let warnings = plan["warnings"].as_array().expect("a list").clone();
    assert!(warnings.iter().any(|warning| warning["severity"] == "high"), "{warnings:?}");
    let page = stage.browser(&ada).get(path(&plan)).await.status(200).body();
    let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text} in {page}"));
    assert!(place("<strong>High: </strong>") < place("<h2 id=\"changes\">"), "{page}");
    assert!(
        place("<h2 id=\"changes\">") < place("<h2 id=\"decide\">"),
        "people decide about what they have read: {page}"
    );
    assert!(page.contains("of high severity.") && page.contains("<bdi>new.example</bdi>"), "{page}");
    assert_eq!(
        page.matches("<strong>High: </strong>").count()
            + page.matches("<strong>Medium: </strong>").count()
            + page.matches("<strong>Low: </strong>").count(),
        warnings.len(),
        "{page}"
    );
}

#[shared_testing::test]
async fn a_link_that_leads_elsewhere_is_shown_with_its_whole_target() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let block = |link: &str| {
        let segments = json!([{"text": "see "}, {"text": "Docs", "link": link}]);
        json!({"id": "b0", "type": "paragraph", "segments": segments})
    };
    let document = samples::with_blocks(json!([block("https://example.com/a")]));
    let file = samples::id(&ada.post("/v1/documents").fresh_key().json(document).await.status(200));
    let replace = json!([{"op": "replace_block", "block_id": "b0", "block": block("https://example.com/EVILPATH")}]);
    let plan = samples::propose(&ada, &file, replace).await.await.status(200)["plan"].clone();
    let page = stage.browser(&ada).get(path(&plan)).await.status(200).body();
    html::assert_harmless(&page);
    assert!(page.contains("[removed: </span>a<") && page.contains("[added: </span>EVILPATH<"), "{page}");
    assert!(!page.contains("id=\"b-b0\""), "the block is there twice: {page}");
}

#[shared_testing::test]
async fn a_reason_that_comes_too_late_is_not_lost() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let bobs = stage.browser(&stage.caller("bob"));
    let (_, plan) = scene(&stage, &ada).await;
    samples::step(&ada, &plan, "request-review", json!({})).await.status(200);
    let pages = [bobs.get(path(&plan)).await.status(200), bobs.get(path(&plan)).await.status(200)];
    let long = format!("<b>{}", "w".repeat(1_001));
    let refused = decide(&bobs, &pages[0], &plan, "return", &[("reason", &long)]).await.status(422).body();
    assert!(refused.contains(">\n&lt;b&gt;www") && !refused.contains("readonly"), "its form is there: {refused}");
    samples::step(&ada, &plan, "discard", json!({})).await.status(200);
    let late = decide(&bobs, &pages[1], &plan, "return", &[("reason", "Too <b>early")]).await.status(409).body();
    html::assert_harmless(&late);
    assert!(late.contains("readonly") && late.contains("Too &lt;b&gt;early</textarea>"), "{late}");
}

#[shared_testing::test]
async fn a_plan_is_reviewed_approved_and_applied() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let (adas, bobs) = (stage.browser(&ada), stage.browser(&bob));
    let (file, plan) = scene(&stage, &ada).await;
    let folded = async || bobs.get(format!("/f/{file}")).await.body().contains("1 plan that is not in review");
    assert!(folded().await);
    let asked = submit(&adas, &plan, "request-review", &[("note", "Is ten right?\r\nPlease.")]).await.status(303);
    assert_eq!(asked.header("location"), path(&plan));
    assert!(!folded().await);
    let own = adas.get(path(&plan)).await.status(200);
    assert!(own.body().contains("somebody else has to approve it") && !offers(&own, "approve"), "{own}");
    assert!(own.body().contains("Is ten right?\nPlease."), "{own}");
    let page = bobs.get(path(&plan)).await.status(200);
    assert!(offers(&page, "approve") && offers(&page, "reject") && !offers(&page, "apply"), "{page}");
    decide(&bobs, &page, &plan, "approve", &[]).await.status(303);
    assert_eq!(state(&ada, &plan).await, "approved");
    submit(&adas, &plan, "apply", &[]).await.status(303);
    let done = adas.get(path(&plan)).await.status(200);
    assert!(
        done.body().contains("a version of the file") && !offers(&done, "apply") && !offers(&done, "discard"),
        "{done}"
    );
    let shown = adas.get(format!("/f/{file}")).await.status(200).body();
    assert!(shown.contains("begin at ten") && shown.contains("by a page"), "{shown}");
}

#[shared_testing::test]
async fn a_rejection_has_a_reason() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let (_, plan) = scene(&stage, &ada).await;
    samples::step(&ada, &plan, "request-review", json!({})).await.status(200);
    submit(&stage.browser(&bob), &plan, "reject", &[("reason", "Nine was right.")]).await.status(303);
    assert_eq!(state(&ada, &plan).await, "rejected");
    let page = stage.browser(&ada).get(path(&plan)).await.status(200);
    assert!(page.body().contains("Nine was right.") && !offers(&page, "apply"), "{page}");
}

#[shared_testing::test]
async fn a_plan_that_was_sent_back_shows_the_remarks_at_its_changes_and_leads_its_author_on() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let (adas, bobs) = (stage.browser(&ada), stage.browser(&bob));
    let (file, plan) = scene(&stage, &ada).await;
    samples::step(&ada, &plan, "request-review", json!({})).await.status(200);
    let on = json!([{"change": "c1", "text": "Was it <eleven>?"}, {"change": "c3", "text": "Whose words?"}]);
    samples::step(&bob, &plan, "return", json!({"reason": "Not yet.", "on": on})).await.status(200);
    let page = adas.get(path(&plan)).await.status(200);
    let body = page.body();
    html::assert_harmless(&body);
    let places = ["Replaced: ", "Was it &lt;eleven&gt;?", "Deleted: ", "Inserted: ", "Whose words?", "Moved: "];
    let places = places.map(|part| body.find(part).unwrap_or_else(|| panic!("{part} in {body}")));
    assert!(places.is_sorted(), "each remark is at its change: {body}");
    assert!(body.contains("2 remarks are at their changes.") && body.contains("Sent back"), "{body}");
    let edit = format!("/f/{file}/edit");
    assert!(offers(&page, "discard") && html::links(&body).contains(&edit), "{page}");
    let others = ["apply", "approve", "return", "reject", "rebase", "request-review"];
    assert!(others.iter().all(|action| !offers(&page, action)), "{page}");
    let of_bob = bobs.get(path(&plan)).await.status(200);
    assert!(of_bob.body().contains("waits for its author") && !offers(&of_bob, "discard"), "{of_bob}");
    assert!(!html::links(&of_bob.body()).contains(&edit), "{of_bob}");
    // Its author can still take it back after its end, and nobody can update it.
    stage.clock.advance(Duration::from_secs(604_801));
    let ada = stage.caller("ada");
    let late = stage.browser(&ada);
    let page = late.get(path(&plan)).await.status(200);
    assert!(page.body().contains("Expired") && !offers(&page, "rebase"), "{page}");
    decide(&late, &page, &plan, "discard", &[]).await.status(303);
    assert_eq!(state(&ada, &plan).await, "discarded");
    let page = late.get(path(&plan)).await.status(200);
    assert!(!offers(&page, "discard") && page.body().contains("Whose words?"), "{page}");
}

#[shared_testing::test]
async fn a_remark_on_a_cell_stands_below_its_row() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let content = json!({"kind": "sheets", "sheets": [{"name": "S", "cells": [["a", "b", "c"]]}]});
    let body = json!({"name": "Budget", "content": content});
    let file = samples::id(&ada.post("/v1/spreadsheets").fresh_key().json(body).await.status(200));
    let operations = json!([{"op": "set_cells", "sheet": "S", "range": "A1:C1", "values": [["x", "y", "z"]]}]);
    let plan = samples::propose(&ada, &file, operations).await.await.status(200)["plan"].clone();
    samples::step(&ada, &plan, "request-review", json!({})).await.status(200);
    let words = json!({"reason": "No.", "on": [{"change": "c2", "text": "Why y?"}]});
    samples::step(&bob, &plan, "return", words).await.status(200);
    let page = stage.browser(&ada).get(path(&plan)).await.status(200).body();
    html::assert_harmless(&page);
    let rows = ["<th scope=\"row\">B1</th>", "Why y?", "<th scope=\"row\">C1</th>"];
    let places = rows.map(|part| page.find(part).unwrap_or_else(|| panic!("{part} in {page}")));
    assert!(places.is_sorted() && page.contains("1 remark is at its change."), "{page}");
    assert_eq!(page.matches("<table class=\"cells\">").count(), 1, "{page}");
}

#[shared_testing::test]
async fn a_plan_of_a_proposal_has_no_forms_and_says_where_it_is_decided() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let (file, plan) = scene(&stage, &ada).await;
    let other = samples::plan(&ada, &samples::id(&samples::create(&ada, "Other").await), "more").await;
    let named = [&plan, &other].map(|plan| json!({"file_id": plan["file_id"], "plan_id": plan["id"]}));
    let body = json!({"title": "Both", "plans": named});
    let proposal = ada.post("/v1/proposals").fresh_key().json(body).await.status(200)["proposal"].clone();
    let place = format!("/v1/proposals/{}", proposal["id"].text());
    let decided = format!("/w/proposals/{}", proposal["id"].text());
    let assert_formless = async |browser: &Browser| {
        let page = browser.get(path(&plan)).await.status(200);
        html::assert_harmless(&page.body());
        let actions = ["apply", "approve", "return", "reject", "discard", "rebase", "request-review"];
        assert!(actions.iter().all(|action| !offers(&page, action)), "{page}");
        assert!(html::links(&page.body()).contains(&decided), "{page}");
        assert!(page.body().contains("decided together with the others"), "{page}");
        page.body()
    };
    assert_formless(&stage.browser(&ada)).await;
    ada.post(format!("{place}/request-review")).fresh_key().json(json!({})).await.status(200);
    assert_formless(&stage.browser(&bob)).await;
    let rename = samples::command(&bob, &file, "rename", json!({"name": "New"})).await;
    rename.await.status(200);
    assert!(assert_formless(&stage.browser(&ada)).await.contains("The file has changed since this plan was made."));
    stage.clock.advance(Duration::from_secs(604_801));
    assert!(assert_formless(&stage.browser(&stage.caller("ada"))).await.contains("Expired"));
}

#[shared_testing::test]
async fn a_form_that_is_submitted_twice_happens_once() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let (file, plan) = scene(&stage, &ada).await;
    let page = browser.get(path(&plan)).await.status(200);
    let both = [decide(&browser, &page, &plan, "apply", &[]).await, decide(&browser, &page, &plan, "apply", &[]).await];
    for answer in both {
        assert_eq!(answer.status(303).header("location"), path(&plan));
    }
    let versions = ada.get(format!("/v1/files/{file}/versions")).await.status(200);
    assert_eq!(versions["items"].as_array().map(Vec::len), Some(2), "{versions}");
    assert_eq!(versions["items"][0]["via"], "web");
    let another = browser.get(path(&plan)).await.status(200);
    assert!(!offers(&another, "apply"), "{another}");
    // Another form, made before: its action has happened already, under another key.
    let fields = [
        ("action", "apply"),
        ("etag", "\"0123456789abcdef0123456789abcdef\""),
        ("csrf", &html::hidden(&page.body(), &path(&plan), "csrf")),
        ("key", "page-another"),
    ];
    let late = browser.post(path(&plan), &fields).await.status(409).body();
    html::assert_harmless(&late);
    assert!(late.contains("Nothing was done.") && late.contains("Applied"), "{late}");
}

#[shared_testing::test]
async fn a_stale_plan_shows_the_change_and_can_be_rebased() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let (file, plan) = scene(&stage, &ada).await;
    let early = browser.get(path(&plan)).await.status(200);
    let other = samples::plan(&ada, &file, "meanwhile").await;
    samples::apply(&ada, &other).await.await.status(200);
    let stale = decide(&browser, &early, &plan, "apply", &[]).await;
    assert!([409, 412].contains(&stale.status), "{stale}");
    assert!(
        stale.body().contains("role=\"alert\"") && stale.body().contains("Stale") && offers(&stale, "rebase"),
        "{stale}"
    );
    assert!(!offers(&stale, "apply"), "{stale}");
    assert_eq!(state(&ada, &plan).await, "proposed");
    let rebased = decide(&browser, &stale, &plan, "rebase", &[]).await.status(303);
    let new = rebased.header("location").to_owned();
    assert_ne!(new, path(&plan));
    let page = browser.get(&new).await.status(200);
    assert!(offers(&page, "apply") && page.body().contains("begin at"), "{page}");
}

#[shared_testing::test]
async fn an_expired_plan_can_only_be_rebased() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let (_, plan) = scene(&stage, &ada).await;
    let early = stage.browser(&ada).get(path(&plan)).await.status(200);
    stage.clock.advance(Duration::from_secs(901));
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let page = browser.get(path(&plan)).await.status(200);
    assert!(page.body().contains("Expired") && offers(&page, "rebase") && !offers(&page, "apply"), "{page}");
    let csrf = html::hidden(&page.body(), &path(&plan), "csrf");
    let etag = html::hidden(&early.body(), &path(&plan), "etag");
    let fields = [("action", "apply"), ("etag", etag.as_str()), ("csrf", &csrf), ("key", "page-late")];
    let refused = browser.post(path(&plan), &fields).await.status(409);
    assert!(refused.body().contains("Nothing was done.") && offers(&refused, "rebase"), "{refused}");
}

#[shared_testing::test]
async fn a_reader_cannot_decide() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let (_, plan) = scene(&stage, &ada).await;
    let reader = stage.browser(&stage.caller("eve").scope("cloud.read"));
    let page = reader.get(path(&plan)).await.status(200);
    let actions = ["apply", "approve", "reject", "discard", "rebase", "request-review"];
    assert!(actions.iter().all(|action| !offers(&page, action)), "{page}");
    assert!(page.body().contains("You may read this plan"), "{page}");
    // The form for signing out has the token of the session.
    let csrf = html::hidden(&page.body(), "/sign-out", "csrf");
    let etag = samples::etag(&ada, plan["file_id"].text()).await;
    for action in actions {
        let fields = [("action", action), ("etag", &etag), ("reason", "r"), ("csrf", &csrf), ("key", "page-x")];
        reader.post(path(&plan), &fields).await.status(403);
    }
    assert_eq!(state(&ada, &plan).await, "proposed");
    let proposer = stage.browser(&stage.caller("carol").scope("cloud.propose"));
    let page = proposer.get(path(&plan)).await.status(200);
    // The plan is of somebody else: a reviewer rejects it, and only its author discards it.
    assert!(!offers(&page, "apply") && !offers(&page, "approve") && !offers(&page, "discard"), "{page}");
}

#[shared_testing::test]
async fn forged_forms_do_nothing() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let (_, plan) = scene(&stage, &ada).await;
    let page = browser.get(path(&plan)).await.status(200);
    let etag = html::hidden(&page.body(), &path(&plan), "etag");
    let fields = [("action", "apply"), ("etag", etag.as_str()), ("key", "page-x")];
    browser.post(path(&plan), &fields).await.status(403);
    browser.post(path(&plan), &[&fields[..], &[("csrf", "0123")]].concat()).await.status(403);
    let foreign = html::hidden(&stage.browser(&ada).get(path(&plan)).await.status(200).body(), &path(&plan), "csrf");
    browser.post(path(&plan), &[&fields[..], &[("csrf", &foreign)]].concat()).await.status(403);
    submit(&browser, &plan, "purge", &[]).await.status(400);
    let csrf = html::hidden(&page.body(), &path(&plan), "csrf");
    let no_key = [("action", "apply"), ("etag", etag.as_str()), ("csrf", &csrf)];
    let answer = browser.post(path(&plan), &no_key).await;
    assert!((400..500).contains(&answer.status), "{answer}");
    assert_eq!(state(&ada, &plan).await, "proposed");
}
