//! The pages for a browser that prefers German.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Browser, Caller, Response, Stage, Text as _, html};

use crate::samples;

/// Words of English texts that no German text has, and no content of these tests.
const ENGLISH: [&str; 30] = [
    "the", "this", "that", "you", "your", "not", "with", "from", "by", "and", "of", "is", "are", "it", "file", "files",
    "next", "page", "pages", "changed", "write", "edit", "reply", "back", "open", "review", "none", "new", "make",
    "wait",
];

/// What people see of a page, without code and without texts of the API.
fn seen(page: &str) -> String {
    let (_, body) = page.split_once("<body>").expect("a body");
    let mut seen = body.to_owned();
    for (start, end) in [("<code", "</code>"), ("<span lang=\"en\"", "</span>"), ("<option", "</option>")] {
        while let Some(at) = seen.find(start) {
            let length = seen[at..].find(end).expect("its end") + end.len();
            seen.replace_range(at..at + length, " ");
        }
    }
    let pieces = seen.split('<').map(|piece| piece.split_once('>').map_or(piece, |(_, text)| text));
    html::unescaped(&pieces.collect::<Vec<_>>().join(" "))
}

async fn read(browser: &Browser, path: &str) -> Response {
    browser.get(path).header("accept-language", "de-AT,de;q=0.9,en;q=0.5").await
}

#[track_caller]
fn assert_german(path: &str, page: &Response) {
    let body = page.body();
    html::assert_harmless(&body);
    assert!(body.contains("<html lang=\"de\">"), "{path}: {body}");
    assert_eq!(page.header("vary"), "cookie, accept-language", "{path}");
    let seen = seen(&body);
    let words = seen.split(|c: char| !c.is_alphabetic()).map(str::to_lowercase);
    let english: Vec<String> = words.filter(|word| ENGLISH.contains(&word.as_str())).collect();
    assert!(english.is_empty(), "{path} says {english:?}: {seen}");
}

/// A folder with a document, a note and a sheet in it, a comment, and plans: in review, sent back, and of a proposal.
async fn scene(ada: &Caller, bob: &Caller) -> Vec<String> {
    let folder = samples::folder(ada, "Fest", None).await;
    let document = samples::id(&samples::document_of(ada, &["Beginn um neun", "Stuhl mitbringen"]).await);
    let inside = samples::document_in(ada, "Liste", &folder).await;
    samples::comment(ada, &document, "Stimmt das?").await;
    let segments = json!([{"text": "Beginn um zehn"}, {"text": "x", "link": "https://a.example/"}]);
    let block = json!({"id": "b0", "type": "paragraph", "segments": segments});
    let operations = json!([
        {"op": "replace_block", "block_id": "b0", "block": block},
        {"op": "delete_block", "block_id": "b1"},
    ]);
    let plan = samples::propose(bob, &document, operations).await.await.status(200)["plan"].clone();
    samples::step(bob, &plan, "request-review", json!({})).await.status(200);
    let returned = samples::propose(ada, &document, json!([{"op": "delete_block", "block_id": "b1"}])).await;
    let returned = returned.await.status(200)["plan"].clone();
    samples::step(ada, &returned, "request-review", json!({})).await.status(200);
    let words = json!({"reason": "Nein.", "on": [{"change": "c1", "text": "Warum?"}]});
    samples::step(bob, &returned, "return", words).await.status(200);
    let together = samples::plan(ada, &document, "Ende um elf").await;
    let plans = json!([{"file_id": document, "plan_id": together["id"]}]);
    let proposal = ada.post("/v1/proposals").fresh_key().json(json!({"title": "Fest", "plans": plans})).await;
    let proposal = proposal.status(200)["proposal"]["id"].text().to_owned();
    let create = |collection: &str, body: Value| ada.post(format!("/v1/{collection}")).fresh_key().json(body);
    let note = create("notes", json!({"name": "Notiz", "content": {"title": "Titel", "content": "Brot"}})).await;
    let cells = json!([["Miete", "900"], ["Summe", "=SUM(B1:B1)"]]);
    let sheets = json!({"kind": "sheets", "sheets": [{"name": "Budget", "cells": cells}]});
    let sheet = create("spreadsheets", json!({"name": "Budget", "content": sheets})).await;
    let (note, sheet) = (samples::id(&note.status(200)), samples::id(&sheet.status(200)));
    samples::command(ada, &inside, "trash", json!({})).await.await.status(200);
    let mut paths: Vec<String> = [
        "/w",
        "/w?q=Stuhl",
        "/w?since=2026-01-01",
        "/w?state=trashed",
        "/w/reviews",
        "/w/proposals",
        "/w/webhooks",
        "/w/agents",
        "/session",
    ]
    .map(str::to_owned)
    .to_vec();
    paths.extend(["document", "note", "spreadsheet", "folder", "upload"].map(|kind| format!("/w/new?kind={kind}")));
    paths.extend([&folder, &document, &note, &sheet, &inside].map(|file| format!("/f/{file}")));
    paths.extend([&document, &note, &sheet].map(|file| format!("/f/{file}/edit")));
    paths.extend([&plan, &returned, &together].map(|plan| format!("/f/{document}/plans/{}", plan["id"].text())));
    paths.push(format!("/w/proposals/{proposal}"));
    paths.extend(["move", "authors"].map(|page| format!("/f/{document}/{page}")));
    paths
}

#[shared_testing::test]
async fn every_page_is_german_for_a_german_browser() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let browser = stage.browser(&ada);
    let mut plans = Vec::new();
    for path in scene(&ada, &bob).await {
        let page = read(&browser, &path).await.status(200);
        assert_german(&path, &page);
        if path.contains("/plans/") {
            plans.push(page.body());
        }
    }
    let said = ["Absatz „Stuhl mitbringen“", "Bemerkung:", "mit den anderen seines Vorschlags"];
    assert_eq!(plans.len(), said.len());
    for (page, said) in plans.iter().zip(said) {
        assert!(page.contains(said), "{said} in {page}");
    }
}

#[shared_testing::test]
async fn refusals_are_english_within_a_german_page() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    assert_german("/f/file_9", &read(&browser, "/f/file_9").await.status(404));
    let file = samples::id(&samples::create(&ada, "Notiz").await);
    let path = format!("/f/{file}/change");
    let page = browser.get(format!("/f/{file}")).await.status(200);
    let etag = html::hidden(&page.body(), &path, "etag");
    let fields = [("action", "rename"), ("etag", etag.as_str()), ("name", "a/b")];
    let refused = browser.submit(&page, &path, &fields).header("accept-language", "de").await.status(422);
    assert_german(&path, &refused);
    let body = refused.body();
    assert!(body.contains("Es wurde nichts getan.") && body.contains("<span lang=\"en\">"), "{body}");
    let page = browser.get(format!("/f/{file}")).await.status(200);
    let etag = html::hidden(&page.body(), &path, "etag");
    samples::command(&ada, &file, "rename", json!({"name": "Anders"})).await.await.status(200);
    let fields = [("action", "rename"), ("etag", etag.as_str()), ("name", "Neu")];
    let stale = browser.submit(&page, &path, &fields).header("accept-language", "de").await.status(412).body();
    assert!(stale.contains("Die Datei hat sich inzwischen geändert.") && !stale.contains("last change"), "{stale}");
    let english = browser.get(format!("/f/{file}")).await.status(200).body();
    assert!(english.contains("<html lang=\"en\">") && !english.contains("<span lang="), "{english}");
}
