//! Long contents are shown on pages of bounded length, without omissions.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Browser, Stage, html};

use crate::samples;

/// The texts of all pages of a file's content; each page must be short.
async fn all_pages(browser: &Browser, file: &str) -> Vec<String> {
    let mut pages = Vec::new();
    let mut next = Some(format!("/f/{file}"));
    while let Some(path) = next {
        let page = browser.get(path).await.status(200).body();
        html::assert_harmless(&page);
        assert!(page.len() < 400_000, "{} bytes", page.len());
        let number = format!("page={}", pages.len() + 2);
        next = html::links(&page).into_iter().find(|link| link.ends_with(&number));
        pages.push(page);
    }
    pages
}

async fn create(stage: &Stage, collection: &str, content: Value) -> String {
    let body = json!({"name": "Long", "content": content});
    samples::id(&stage.caller("ada").post(format!("/v1/{collection}")).fresh_key().json(body).await.status(200))
}

#[shared_testing::test]
async fn a_long_document_comes_in_pages() {
    let stage = Stage::of(service()).await;
    let block =
        |index: usize| json!({"type": "paragraph", "segments": [{"text": format!("<{index}>{}", "&".repeat(3_700))}]});
    let blocks: Vec<Value> = (0..200).map(block).collect();
    let id = create(&stage, "documents", json!({"kind": "docs", "blocks": blocks})).await;
    let pages = all_pages(&stage.browser(&stage.caller("ada")), &id).await;
    assert!(pages.len() > 10, "{}", pages.len());
    let all = pages.concat();
    assert!((0..200).all(|index| all.matches(&format!("&lt;{index}&gt;")).count() == 1));
}

#[shared_testing::test]
async fn a_large_sheet_comes_in_pages() {
    let stage = Stage::of(service()).await;
    let rows: Vec<Vec<String>> =
        (0..1_900).map(|row| (0..64).map(|column| format!("{}", row * column % 10)).collect()).collect();
    let id = create(&stage, "spreadsheets", json!({"kind": "sheets", "sheets": [{"name": "S", "cells": rows}]})).await;
    let pages = all_pages(&stage.browser(&stage.caller("ada")), &id).await;
    let all = pages.concat();
    assert_eq!(all.matches("<th scope=\"row\">").count(), 1_900);
    assert!(all.contains("<th scope=\"row\">1</th>") && all.contains("<th scope=\"row\">1900</th>"));
    assert_eq!(all.matches("<td class=\"right\"").count(), 121_600);
}

#[shared_testing::test]
async fn a_long_note_comes_in_pages() {
    let stage = Stage::of(service()).await;
    let content: String = (0..4_000).map(|index| format!("Paragraph {index}. {}\n\n", "*a* ".repeat(20))).collect();
    let id = create(&stage, "notes", json!({"title": "Long", "content": content})).await;
    let all = all_pages(&stage.browser(&stage.caller("ada")), &id).await.concat();
    assert_eq!(all.matches("Paragraph ").count(), 4_000);
    assert!(all.contains("Paragraph 0.") && all.contains("Paragraph 3999."));
}

#[shared_testing::test]
async fn a_plan_with_many_changes_comes_in_pages() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id =
        create(&stage, "spreadsheets", json!({"kind": "sheets", "sheets": [{"name": "S", "cells": [[""]]}]})).await;
    let operation = |index: usize| {
        let cells: Vec<Vec<String>> =
            (0..20).map(|row| (0..50).map(|column| format!("{row}.{column}")).collect()).collect();
        json!({"op": "set_cells", "sheet": "S", "range": format!("A{}:AX{}", index * 20 + 1, index * 20 + 20), "values": cells})
    };
    let operations: Vec<Value> = (0..5).map(operation).collect();
    let plan = samples::propose(&ada, &id, json!(operations)).await.await.status(200)["plan"].clone();
    let browser = stage.browser(&ada);
    let (mut page, mut cells) = (1, 0);
    loop {
        let path = format!("/f/{id}/plans/{}?page={page}", plan["id"].as_str().expect("an id"));
        let html = browser.get(path).await.status(200).body();
        assert!(html.len() < 600_000, "{} bytes", html.len());
        cells += html.matches("<th scope=\"row\">").count();
        if !html.contains("Next page") {
            break;
        }
        page += 1;
    }
    assert!(page > 1 && cells == 5_000, "{page} pages, {cells} cells");
}
