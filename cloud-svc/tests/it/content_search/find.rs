//! What is found, where, and in which order.

use std::slice;

use serde_json::{Value, json};
use shared_testing::Text;

use super::{all, encoded, ids, indexed, stage};
use crate::{
    samples::{self, folder},
    uploads,
};

async fn created(caller: &shared_testing::Caller, collection: &str, name: &str, content: Value) -> String {
    let body = json!({"name": name, "content": content});
    samples::id(&caller.post(format!("/v1/{collection}")).fresh_key().json(body).await.status(200))
}

/// The places of all matches of the only found file.
async fn places(caller: &shared_testing::Caller, text: &str) -> Vec<Value> {
    let found = all(caller, &format!("text={}", encoded(text)), 100).await;
    assert_eq!(found.len(), 1, "{text}: {found:?}");
    found[0]["matches"].as_array().expect("matches").iter().map(|found| found["where"].clone()).collect()
}

#[shared_testing::test]
async fn every_kind_of_file_is_found_by_its_words() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let element = |id: &str, text: &str| {
        json!({"id": id, "type": "text", "x": 0, "y": 0, "w": 10, "h": 10, "rotation": 0, "text": text, "fill": "#ffffff",
               "color": "#000000", "fontSize": 12, "align": "left", "weight": 400})
    };
    let segment = |text: &str| json!({"text": text});
    let blocks = json!([
        {"id": "b1", "type": "paragraph", "segments": [segment("blue"), {"text": "bird", "bold": true}]},
        {"id": "t1", "type": "table", "segments": [], "rows": [[[segment("red")], [segment("robin")]]]}
    ]);
    let document = json!({"kind": "docs", "blocks": blocks, "annotations": [{"block": 0, "text": "Remarkable."}]});
    created(&ada, "documents", "Birds", document).await;
    created(
        &ada,
        "spreadsheets",
        "Costs",
        json!({"kind": "sheets", "sheets": [{"name": "Crumbs", "cells": [["a", "seeds"]]}]}),
    )
    .await;
    created(&ada, "notes", "List", json!({"title": "Feeding", "content": "Water daily.", "tags": ["garden"]})).await;
    let page = json!({"id": "p1", "name": "Cover", "size": "a4", "orientation": "portrait", "background": "#ffffff",
                      "elements": [element("e1", "Leaflet")]});
    created(
        &ada,
        "publications",
        "Print",
        json!({"format": "service/publish-native", "schemaVersion": 1, "pages": [page]}),
    )
    .await;
    let slide = json!({"id": "s1", "name": "Opening", "background": "#ffffff", "notes": "Whisper", "elements": [element("e2", "Title")]});
    let slides = json!({"format": "service/slides-native", "schemaVersion": 1, "aspect": "16:9", "slides": [slide]});
    created(&ada, "presentations", "Talk", slides).await;
    let upload = uploads::named(&ada, "readme.txt", "Nistkästen".as_bytes()).await;
    uploads::named(&ada, "data.bin", b"Binary\0words").await;
    let comment = samples::comment(&ada, &upload, "Hang them high.").await;
    for is_indexed in [false, true] {
        if is_indexed {
            indexed(&stage).await;
        }
        for (text, expected) in [
            ("bluebird", json!([{"block_id": "b1"}])),
            ("robin red", json!([{"block_id": "t1"}, {"block_id": "t1"}])),
            ("remarkable", json!([{"block_id": "b1"}])),
            ("birds", json!([{"member": "name"}])),
            ("seeds", json!([{"range": "Crumbs!B1"}])),
            ("crumbs", json!([{"range": "Crumbs"}])),
            ("feeding water", json!([{"member": "title"}, {"member": "content"}])),
            ("garden", json!([{"member": "tags"}])),
            ("cover", json!([{"block_id": "p1"}])),
            ("leaflet", json!([{"block_id": "e1"}])),
            ("opening whisper title", json!([{"slide_id": "s1"}, {"block_id": "e2"}, {"slide_id": "s1"}])),
            ("NISTKÄSTEN", json!([{"member": "content"}])),
            ("high", json!([{"comment_id": comment["id"]}])),
            ("nistkästen high", json!([{"member": "content"}, {"comment_id": comment["id"]}])),
        ] {
            assert_eq!(json!(places(&ada, text).await), expected, "{text}");
        }
        for nothing in ["redrobin", "binary", "bluebird+robin+nothing", "%22robin+red%22"] {
            assert_eq!(ids(&ada, &format!("text={nothing}")).await, [""; 0], "{nothing}");
        }
    }
}

#[shared_testing::test]
async fn whole_words_come_before_parts_and_newer_files_before_older() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let mut of = Vec::new();
    for text in ["budget", "budgets", "the budget", "no budgeting"] {
        of.push(samples::id(&samples::document_of(&ada, &[text]).await));
    }
    let [oldest, parts, newer, newest_parts] = &of[..] else { panic!("four files") };
    let expected = [newer, oldest, newest_parts, parts];
    for is_indexed in [false, true] {
        if is_indexed {
            indexed(&stage).await;
        }
        assert_eq!(ids(&ada, "text=budget").await.iter().collect::<Vec<_>>(), expected);
        for limit in 1..4 {
            let pages = all(&ada, "text=budget", limit).await;
            let pages: Vec<_> = pages.iter().map(|item| item["file"]["id"].text()).collect();
            assert_eq!(pages, expected, "{limit} a page");
        }
    }
    samples::comment(&ada, oldest, "Seen.").await;
    assert_eq!(ids(&ada, "text=budget").await[0], *oldest, "a comment is news");
    let found = all(&ada, "text=udget", 1).await;
    assert_eq!(found[0]["matches"], json!([{"where": {"block_id": "b0"}, "excerpt": "budget", "marks": [[1, 6]]}]));
}

#[shared_testing::test]
async fn a_search_goes_into_folders_and_never_into_the_trash() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let top = folder(&ada, "Meetings", None).await;
    let inner = folder(&ada, "May", Some(&top)).await;
    let minutes = samples::document_in(&ada, "Minutes", &inner).await;
    let other = samples::id(&samples::create(&ada, "Minutes").await);
    indexed(&stage).await;
    assert_eq!(ids(&ada, "text=minutes").await, [other.clone(), minutes.clone()]);
    assert_eq!(ids(&ada, &format!("text=minutes&parent_id={top}")).await, slice::from_ref(&minutes));
    assert_eq!(ids(&ada, "text=may&type=folder").await, slice::from_ref(&inner));
    assert_eq!(ids(&ada, "text=may&type=note").await, [""; 0]);
    samples::command(&ada, &top, "trash", json!({})).await.await.status(200);
    assert_eq!(ids(&ada, "text=minutes").await, slice::from_ref(&other));
    samples::command(&ada, &top, "restore", json!({})).await.await.status(200);
    assert_eq!(ids(&ada, "text=minutes").await, [other.clone(), minutes]);
    samples::command(&ada, &top, "trash", json!({})).await.await.status(200);
    samples::command(&ada, &top, "purge", json!({})).await.await.status(200);
    assert_eq!(ids(&ada, "text=minutes").await, slice::from_ref(&other));
    let now = samples::record(&ada, &other).await["file"]["updated_at"].text().to_owned();
    assert_eq!(ids(&ada, &format!("text=minutes&changed_since={now}")).await, [other]);
    assert_eq!(ids(&ada, "text=minutes&changed_since=2999-01-01T00:00:00Z").await, [""; 0]);
}

#[shared_testing::test]
async fn tags_are_found_exactly() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    let note = |tags: Value| json!({"title": "T", "content": "Text", "tags": tags});
    let board = created(&ada, "notes", "One", note(json!(["board", "Café"]))).await;
    created(&ada, "notes", "Two", note(json!(["boards"]))).await;
    for is_indexed in [false, true] {
        if is_indexed {
            indexed(&stage).await;
        }
        let found = all(&ada, "tag=board", 10).await;
        assert_eq!(found.len(), 1);
        assert_eq!(found[0]["file"]["id"], json!(board));
        assert_eq!(found[0]["matches"], json!([{"where": {"member": "tags"}, "excerpt": "board", "marks": [[0, 5]]}]));
        assert_eq!(ids(&ada, &format!("tag={}&text=text", encoded("Cafe\u{301}"))).await, slice::from_ref(&board));
        assert_eq!(ids(&ada, "tag=Board").await, [""; 0]);
        assert_eq!(ids(&ada, "tag=board&text=other").await, [""; 0]);
    }
}

#[shared_testing::test]
async fn a_search_that_makes_no_sense_is_refused() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    for (query, at) in [
        ("", "text"),
        ("?text=", "text"),
        ("?text=--", "text"),
        ("?text=a%00", "text"),
        ("?tag=", "tag"),
        ("?text=a&changed_since=yesterday", "changed_since"),
        ("?text=a&type=x", "type"),
        ("?text=a&parent_id=top", "parent_id"),
    ] {
        let answer = ada.get(format!("/v1/content-search{query}")).await;
        answer.refused(422, "invalid_field").problems_at(&[at]);
    }
    ada.get("/v1/content-search?text=a&parent_id=file_9").await.refused(404, "not_found");
    let other = ada.get("/v1/content-search?text=plan&cursor=x").await;
    other.refused(400, "invalid_cursor");
}
