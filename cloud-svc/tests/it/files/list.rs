//! `GET /v1/files`.

use std::slice;

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Stage, Text};

use crate::samples::{self, command, document_in, folder};

/// The ids on all pages of a list, in order.
async fn all(caller: &Caller, path: &str) -> Vec<String> {
    let mut ids = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = caller.get(format!("{path}{cursor}")).await.status(200);
        ids.extend(page["items"].as_array().expect("items").iter().map(|item| item["id"].text().to_owned()));
        assert_eq!(page["has_more"], page["next_cursor"] != Value::Null);
        match &page["next_cursor"] {
            Value::Null => return ids,
            next => cursor = format!("&cursor={}", next.text()),
        }
    }
}

#[shared_testing::test]
async fn a_folder_lists_its_direct_children() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let top = folder(&ada, "Top", None).await;
    let inner = folder(&ada, "Inner", Some(&top)).await;
    let first = document_in(&ada, "First", &top).await;
    let deep = document_in(&ada, "Deep", &inner).await;
    assert_eq!(all(&ada, &format!("/v1/files?parent_id={top}")).await, [first.clone(), inner.clone()]);
    assert_eq!(all(&ada, &format!("/v1/files?type=document&parent_id={top}")).await, slice::from_ref(&first));
    assert_eq!(all(&ada, "/v1/files?parent_id=root").await, slice::from_ref(&top));
    assert_eq!(all(&ada, "/v1/files?limit=3").await, [deep.clone(), first.clone(), inner.clone(), top.clone()]);
    command(&ada, &inner, "trash", json!({})).await.await.status(200);
    assert_eq!(all(&ada, "/v1/files?limit=100").await, [first.clone(), top.clone()], "what is hidden is in no list");
    assert_eq!(all(&ada, "/v1/files?state=trashed").await, slice::from_ref(&inner));
    assert_eq!(all(&ada, &format!("/v1/files?state=trashed&parent_id={top}")).await, slice::from_ref(&inner));
    assert_eq!(
        all(&ada, &format!("/v1/files?parent_id={inner}")).await,
        [""; 0],
        "a folder in the trash shows nothing"
    );
    ada.get(format!("/v1/files?parent_id={first}")).await.refused(404, "not_found");
    ada.get("/v1/files?parent_id=file_999").await.refused(404, "not_found");
    stage.caller("bob").workspace(2).get(format!("/v1/files?parent_id={top}")).await.refused(404, "not_found");
}

#[shared_testing::test]
async fn pages_lose_nothing_while_files_are_renamed_and_created() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let mut ids = Vec::new();
    for number in 0..11 {
        ids.push(samples::id(&samples::create(&ada, &format!("Plan {number}")).await));
    }
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    for (round, id) in ids.iter().enumerate() {
        let page = ada.get(format!("/v1/files?limit=2{cursor}")).await.status(200);
        seen.extend(page["items"].as_array().expect("items").iter().map(|item| item["id"].text().to_owned()));
        let Value::String(next) = &page["next_cursor"] else { break };
        cursor = format!("&cursor={next}");
        command(&ada, id, "rename", json!({"name": format!("Renamed {round}")})).await.await.status(200);
        samples::create(&ada, "Another").await;
    }
    ids.reverse();
    assert_eq!(seen, ids);
}

#[shared_testing::test]
async fn a_cursor_belongs_to_its_list() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let top = folder(&ada, "Top", None).await;
    for _ in 0..3 {
        document_in(&ada, "Plan", &top).await;
    }
    let page = ada.get(format!("/v1/files?parent_id={top}&limit=1")).await.status(200);
    let cursor = page["next_cursor"].text();
    ada.get(format!("/v1/files?parent_id={top}&limit=2&cursor={cursor}")).await.status(200);
    for path in ["/v1/files?limit=1", "/v1/files?parent_id=root", "/v1/search?name_contains=plan"] {
        let join = if path.contains('?') { '&' } else { '?' };
        ada.get(format!("{path}{join}cursor={cursor}")).await.refused(400, "invalid_cursor");
    }
    ada.get(format!("/v1/files?parent_id={top}&state=trashed&cursor={cursor}")).await.refused(400, "invalid_cursor");
}

#[shared_testing::test]
async fn a_filter_that_is_misspelled_is_refused() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    for (query, place) in [
        ("type=pdfs", "type"),
        ("state=gone", "state"),
        ("parent_id=top", "parent_id"),
        ("limit=0", "limit"),
        ("limit=101", "limit"),
    ] {
        ada.get(format!("/v1/files?{query}")).await.refused(422, "invalid_field").problems_at(&[place]);
    }
    ada.get("/v1/files?kind=note").await.refused(400, "invalid_request").problems_at(&["kind"]);
}
