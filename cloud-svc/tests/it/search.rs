//! `GET /v1/search`: it finds exactly what a plain comparison of names would find.

use std::{slice, time::Duration};

use cloud_content::name_key::name_key;
use cloud_svc::service;
use serde_json::Value;
use shared_testing::{Caller, Stage, Text, servers};

use crate::samples::{self, folder};

/// Names that are hard to find.
const NAMES: &[&str] = &[
    "Plan 7",
    "plan 77",
    "Budget 2026 (final)",
    "100 % done",
    "100_done",
    "100\\done",
    "Straße",
    "STRASSE 12",
    "Café",
    "Cafe\u{301} 2",
    "会議メモ",
    "会議",
    "ﬁle ①",
    "FILE 1",
    "naïve",
    "Ωmega",
    "ΩMEGA",
    "a",
    "ab",
    "abc",
    "aab",
    "\"quoted\"",
    "it's",
    "-- x",
    "a*b",
    "AND OR NOT",
    "x\u{1f469}\u{1f3fd}y",
    "İstanbul",
    "ﷺ",
    "한글",
    "각",
];

/// Terms of one, two and more characters, and terms that have a meaning in a query.
const TERMS: &[&str] = &[
    "p",
    "pl",
    "plan",
    "PLAN 7",
    "7",
    "77",
    "%",
    "_",
    "\\",
    "0 %",
    "100_",
    "0\\d",
    "ss",
    "ß",
    "straße",
    "e",
    "é",
    "E\u{301}",
    "\u{301}",
    "会",
    "会議",
    "会議メ",
    "fi",
    "ﬁ",
    "①",
    "1",
    "ï",
    "ω",
    "ωme",
    "a",
    "aa",
    "aab",
    "b",
    "\"",
    "\"q",
    "quoted\"",
    "'",
    "--",
    "*",
    "a*b",
    "and or",
    "👩",
    "👩🏽",
    "i̇s",
    "istanbul",
    "ص",
    "صلى",
    "한",
    "ᄒ",
    "가",
    "zzz",
    " ",
    "n ",
];

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// The ids on all pages.
async fn found(caller: &Caller, term: &str, limit: usize) -> Vec<String> {
    let (mut ids, mut cursor) = (Vec::new(), String::new());
    loop {
        let path = format!("/v1/search?name_contains={}&limit={limit}{cursor}", encoded(term));
        let page = caller.get(path).await.status(200);
        assert_eq!(page["content_is_untrusted"], true);
        ids.extend(page["items"].as_array().expect("items").iter().map(|item| item["id"].text().to_owned()));
        match &page["next_cursor"] {
            Value::Null => return ids,
            next => cursor = format!("&cursor={}", next.text()),
        }
    }
}

#[shared_testing::test]
async fn the_index_finds_what_a_plain_comparison_finds() {
    let unlimited = |settings: &mut shared_runtime::context::settings::Settings| {
        settings.rate_limits.0.extend([("read".to_owned(), 100_000), ("write".to_owned(), 100_000)]);
    };
    let stage = Stage::of(service()).settings(unlimited).await;
    let ada = stage.caller("ada");
    let other = stage.caller("bob").workspace(65_534);
    let mut all = Vec::new();
    for name in NAMES {
        samples::create(&other, name).await;
        all.push((samples::id(&samples::create(&ada, name).await), name_key(name)));
    }
    all.reverse();
    for term in TERMS {
        let key = name_key(term);
        let expected: Vec<_> = all.iter().filter(|(_, name)| name.contains(&key)).map(|(id, _)| id.clone()).collect();
        assert_eq!(found(&ada, term, 100).await, expected, "{term:?}");
        assert_eq!(found(&ada, term, 2).await, expected, "{term:?}, page by page");
    }
}

#[shared_testing::test]
async fn a_search_finds_new_names_and_only_visible_files() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let top = folder(&ada, "Meetings", None).await;
    let inner = folder(&ada, "Minutes of May", Some(&top)).await;
    let document = samples::document_in(&ada, "Minutes", &inner).await;
    assert_eq!(found(&ada, "minutes", 100).await, [document.clone(), inner.clone()]);
    let only = async |query: &str| {
        let page = ada.get(format!("/v1/search?name_contains=minutes&{query}")).await.status(200);
        page["items"].as_array().expect("items").iter().map(|item| item["id"].text().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(only("type=folder").await, slice::from_ref(&inner));
    assert_eq!(only(&format!("parent_id={inner}")).await, slice::from_ref(&document));
    let name = serde_json::json!({"name": "Protocol"});
    samples::command(&ada, &document, "rename", name).await.await.status(200);
    assert_eq!(found(&ada, "minutes", 100).await, slice::from_ref(&inner));
    assert_eq!(found(&ada, "protocol", 100).await, slice::from_ref(&document));
    let empty = || serde_json::json!({});
    samples::command(&ada, &top, "trash", empty()).await.await.status(200);
    assert_eq!(found(&ada, "protocol", 100).await, [""; 0]);
    samples::command(&ada, &top, "purge", empty()).await.await.status(200);
    assert_eq!(found(&ada, "min", 100).await, [""; 0]);
}

#[shared_testing::test]
async fn names_are_found_after_millions_of_changes() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let mut all = Vec::new();
    for changes in [0, 40_000, 65_536, 40_000, 2_000_000, 70_000] {
        samples::sql(&stage, &format!("UPDATE workspaces SET change_sequence = change_sequence + {changes}")).await;
        all.push(samples::id(&samples::create(&ada, "Minutes of a meeting").await));
        samples::create(&ada, "Minutes of none").await;
    }
    all.reverse();
    for limit in [1, 4, 100] {
        assert_eq!(found(&ada, "of a meet", limit).await, all);
        assert_eq!(found(&ada, "eeti", limit).await, all);
    }
}

/// PostgreSQL only: on SQLite the query names the index itself.
#[shared_testing::test]
#[ignore = "needs PostgreSQL"]
async fn a_search_reads_the_index_and_not_all_names() {
    servers::needed();
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    ada.get("/v1/workspaces").await.status(200);
    samples::sql(
        &stage,
        "INSERT INTO files (workspace_id, name, name_key, type, state, meta_revision, change_sequence, first_change,
             created_at, updated_at)
         SELECT 1, 'minutes ' || i, 'minutes ' || i, 'folder', 'active', 1, i, i, 0, 0 FROM generate_series(1, 20000) AS i",
    )
    .await;
    samples::sql(&stage, "ANALYZE files").await;
    assert_eq!(found(&ada, "es 12345", 100).await.len(), 1);
    // PostgreSQL publishes its statistics when the connection is idle.
    let scans = "SELECT idx_scan AS number FROM pg_stat_user_indexes WHERE indexrelname = 'files_by_name'";
    while samples::number(&stage, scans).await == 0 {
        tokio::time::sleep(Duration::from_millis(50)).await;
        found(&ada, "es 12345", 100).await;
    }
}

#[shared_testing::test]
async fn a_term_has_1_to_190_characters_and_bytes() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let search = |term: &str| ada.get(format!("/v1/search?name_contains={term}"));
    search("").await.refused(422, "invalid_field").problems_at(&["name_contains"]);
    search(&"a".repeat(191)).await.refused(422, "invalid_field").problems_at(&["name_contains"]);
    search(&encoded(&"é".repeat(96))).await.refused(422, "invalid_field");
    search(&"a".repeat(190)).await.status(200);
    let varied: String = (0..190).map(|at| char::from(b'!' + (at % 90))).collect();
    search(&encoded(&varied)).await.status(200);
    search("%00").await.refused(422, "invalid_field");
    ada.get("/v1/search").await.refused(400, "invalid_request").problems_at(&["name_contains"]);
    ada.get("/v1/search?name_contains=a&parent_id=file_9").await.refused(404, "not_found");
}

#[shared_testing::test]
async fn a_search_among_many_names_stops_and_goes_on() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let oldest = samples::id(&samples::create(&ada, "minutes").await);
    samples::sql(
        &stage,
        "WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < 10000)
         INSERT INTO files (workspace_id, name, name_key, type, state, meta_revision, change_sequence, first_change,
             created_at, updated_at)
         SELECT 1, 'minutes', 'minutes', 'folder', 'active', 1, i + 1, i + 1, 0, 0 FROM numbers",
    )
    .await;
    if servers::of_this_run().is_none() {
        // PostgreSQL computes its index itself.
        let name = "minutes".as_bytes();
        let pieces =
            |size: usize, letter| name.windows(size).map(move |piece| format!("1{letter}{}", hex::encode(piece)));
        let pieces: Vec<_> = pieces(3, 's').chain(pieces(5, 'l')).collect();
        let insert = "INSERT INTO file_names (rowid, pieces) SELECT id";
        samples::sql(&stage, &format!("{insert}, '{}' FROM files WHERE type = 'folder'", pieces.join(" "))).await;
    }
    let path = "/v1/search?name_contains=minutes&type=document";
    let first = ada.get(path).await.status(200);
    assert_eq!((&first["items"], &first["has_more"]), (&serde_json::json!([]), &serde_json::json!(true)));
    let next = format!("{path}&cursor={}", first["next_cursor"].text());
    let second = ada.get(next).await.status(200);
    assert_eq!((second["items"][0]["id"].text(), &second["has_more"]), (oldest.as_str(), &serde_json::json!(false)));
}

#[shared_testing::test]
async fn the_top_level_is_searched_as_root() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let folder = samples::folder(&ada, "Papers", None).await;
    let inside = samples::document_in(&ada, "Minutes", &folder).await;
    let above = samples::id(&samples::create(&ada, "Minutes").await);
    let found = async |path: &str| {
        let list = ada.get(path).await.status(200);
        let items = list["items"].as_array().expect("items").iter();
        items
            .map(|item| item["id"].as_str().unwrap_or_else(|| item["file"]["id"].text()).to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(found("/v1/search?name_contains=min&parent_id=root").await, std::slice::from_ref(&above));
    assert_eq!(found("/v1/content-search?text=minutes&parent_id=root").await, [above, inside]);
}
