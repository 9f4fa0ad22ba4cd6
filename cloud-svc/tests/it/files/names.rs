//! Names that must be new, and lists of files of one type.

use cloud_svc::service;
use serde_json::json;
use shared_testing::{Caller, Request, Stage, Text as _};

use crate::samples::{self, command, document_in, folder};

/// Creates a document at the top if its name is new there.
fn new(caller: &Caller, name: &str) -> Request {
    caller.post("/v1/documents").fresh_key().header("if-none-match", "*").json(json!({"name": name}))
}

#[shared_testing::test]
async fn a_name_at_the_top_is_taken_until_its_file_is_in_the_trash() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob").workspace(2));
    let top = folder(&ada, "Top", None).await;
    document_in(&ada, "Plan", &top).await;
    let first = samples::id(&new(&ada, "Plan").await.status(200));
    new(&ada, "PLAN").await.refused(412, "name_exists");
    new(&bob, "Plan").await.status(200);
    command(&ada, &first, "trash", json!({})).await.await.status(200);
    let second = samples::id(&new(&ada, "plan").await.status(200));
    command(&ada, &first, "restore", json!({})).await.await.status(200);
    // Two files have the name now, and the one that is renamed is not the only one.
    let rename = command(&ada, &second, "rename", json!({"name": "Plan"})).await.header("if-none-match", "*");
    rename.await.refused(412, "name_exists");
    command(&ada, &first, "move", json!({"parent_id": top})).await.await.status(200);
    new(&ada, "Plan").await.refused(412, "name_exists");
    let rename = command(&ada, &second, "rename", json!({"name": "Plan"})).await.header("if-none-match", "*");
    rename.await.status(200);
}

#[shared_testing::test]
async fn the_longest_key_of_a_name_fits_into_the_index() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    // No character has a longer key: three bytes become 33.
    let longest = "\u{fdfa}".repeat(63);
    new(&ada, &longest).await.status(200);
    new(&ada, &longest).await.refused(412, "name_exists");
}

#[shared_testing::test]
async fn files_of_one_type_are_listed_wherever_they_are() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let top = folder(&ada, "Top", None).await;
    let inner = folder(&ada, "Inner", Some(&top)).await;
    let inside = document_in(&ada, "Inside", &top).await;
    let outside = samples::id(&samples::create(&ada, "Outside").await);
    let trashed = samples::id(&samples::create(&ada, "Trashed").await);
    command(&ada, &trashed, "trash", json!({})).await.await.status(200);
    let hidden = document_in(&ada, "Hidden", &inner).await;
    command(&ada, &inner, "trash", json!({})).await.await.status(200);
    samples::create(&stage.caller("bob").workspace(2), "Elsewhere").await;
    for (query, expected) in [
        ("type=document".to_owned(), vec![&outside, &inside]),
        ("type=document&parent_id=root".to_owned(), vec![&outside]),
        (format!("type=document&parent_id={top}"), vec![&inside]),
        ("type=document&state=trashed".to_owned(), vec![&trashed]),
        ("type=folder".to_owned(), vec![&top]),
        ("type=folder&parent_id=root".to_owned(), vec![&top]),
        ("type=folder&state=trashed".to_owned(), vec![&inner]),
        (format!("type=folder&state=trashed&parent_id={top}"), vec![&inner]),
        ("type=note".to_owned(), vec![]),
    ] {
        let listed = samples::all(&ada, &format!("/v1/files?limit=1&{query}")).await;
        let ids: Vec<&str> = listed.iter().map(|file| file["id"].text()).collect();
        assert_eq!(ids, expected, "{query}");
    }
    ada.get(format!("/v1/files/{hidden}")).await.refused(404, "not_found");
    // A file in the trash is found there, although its folder is in the trash too.
    command(&ada, &top, "trash", json!({})).await.await.status(200);
    samples::record(&ada, &inner).await;
    ada.get(format!("/v1/documents/{inside}")).await.refused(404, "not_found");
}
