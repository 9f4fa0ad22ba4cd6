//! A call without a key of its own happens once.

use std::time::Duration;

use cloud_svc::service;
use serde_json::json;
use shared_testing::{Stage, Text as _};

use super::{call, client, done, text};
use crate::samples;

#[shared_testing::test]
async fn the_same_call_within_ten_minutes_is_a_retry() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let client_of_ada = client(&stage, &ada, ()).await;
    let folder = json!({"type": "folder", "name": "Papers"});
    let first = done(&client_of_ada, "create_file", folder.clone()).await;
    for wait in [0, 590, 5] {
        stage.clock.advance(Duration::from_secs(wait));
        let again = call(&client_of_ada, "create_file", folder.clone()).await;
        let structured = super::structured(&again);
        assert_eq!(
            (&structured["file"]["id"], &structured["replayed"]),
            (&first["file"]["id"], &json!(true)),
            "{wait}"
        );
        assert!(text(&again).starts_with("Nothing new happened"), "{}", text(&again));
    }
    // On purpose, by somebody else, or long after, it is another call.
    let on_purpose = json!({"type": "folder", "name": "Papers", "idempotency_key": "again"});
    let on_purpose = done(&client_of_ada, "create_file", on_purpose).await["file"]["id"].clone();
    let of_bob = done(&client(&stage, &bob, ()).await, "create_file", folder.clone()).await["file"]["id"].clone();
    stage.clock.advance(Duration::from_secs(1_200));
    let later = done(&client_of_ada, "create_file", folder).await["file"]["id"].clone();
    let ids = [&first["file"]["id"], &on_purpose, &of_bob, &later].map(|id| id.text());
    assert_eq!(ids.iter().collect::<std::collections::BTreeSet<_>>().len(), 4, "{ids:?}");
}

/// A key belongs to ten minutes of the clock, and is looked up in those before.
#[shared_testing::test]
async fn a_call_at_the_end_of_its_window_is_repeated_until_the_next_window_ends() {
    let stage = Stage::of(service()).await;
    let seconds = stage.now().seconds().rem_euclid(600).unsigned_abs();
    stage.clock.advance(Duration::from_secs(599 - seconds));
    let client = client(&stage, &stage.caller("ada"), ()).await;
    let folder = json!({"type": "folder", "name": "Papers"});
    let first = done(&client, "create_file", folder.clone()).await["file"]["id"].clone();
    // The first and the last second of the next window.
    for wait in [1, 599] {
        stage.clock.advance(Duration::from_secs(wait));
        let again = done(&client, "create_file", folder.clone()).await;
        assert_eq!((&again["file"]["id"], &again["replayed"]), (&first, &json!(true)), "{wait}");
    }
    assert_eq!(stage.count("files"), 1);
    stage.clock.advance(Duration::from_secs(1));
    let other = done(&client, "create_file", folder).await;
    assert!(other["file"]["id"] != first && other["replayed"] != true, "{other}");
    assert_eq!(stage.count("files"), 2);
}

/// The tool settles what others have written with an operation of its own.
#[shared_testing::test]
async fn a_settled_comment_of_somebody_else_is_found_in_the_window_before() {
    let stage = Stage::of(service()).await;
    let seconds = stage.now().seconds().rem_euclid(600).unsigned_abs();
    stage.clock.advance(Duration::from_secs(599 - seconds));
    let ada = stage.caller("ada");
    let client_of_bob = client(&stage, &stage.caller("bob"), ()).await;
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let comment = samples::comment(&ada, &id, "Why?").await;
    let resolve = json!({"file_id": id, "comment_id": comment["id"], "if_match": comment["etag"], "action": "resolve"});
    let first = done(&client_of_bob, "change_comment", resolve.clone()).await;
    assert_eq!(first["comment"]["status"], "resolved");
    stage.clock.advance(Duration::from_secs(1));
    let again = done(&client_of_bob, "change_comment", resolve).await;
    assert_eq!((&again["comment"], &again["replayed"]), (&first["comment"], &json!(true)));
}

/// Whatever a tool makes of its arguments is the same the second time.
#[shared_testing::test]
async fn each_tool_that_makes_something_can_be_repeated() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let client = client(&stage, &ada, ()).await;
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let etag = samples::etag(&ada, &id).await;
    for (tool, arguments) in [
        ("create_file", json!({"type": "document", "name": "a", "text": "# One\n\nTwo"})),
        ("save_draft", json!({"type": "document", "name": "a", "text": "# One\n\nTwo"})),
        ("save_draft", json!({"type": "spreadsheet", "name": "a", "text": "a,b"})),
        ("upload_small_file", json!({"name": "a", "mime": "text/plain", "content_base64": "YQ=="})),
        ("add_comment", json!({"file_id": id, "text": "Why?", "block_id": "b0"})),
        ("copy_file", json!({"file_id": id})),
        (
            "edit_document",
            json!({"file_id": id, "if_match": etag, "operations": [{"op": "insert_markdown", "markdown": "Two"}]}),
        ),
    ] {
        done(&client, tool, arguments.clone()).await;
        assert_eq!(done(&client, tool, arguments).await["replayed"], true, "{tool}");
    }
}

#[shared_testing::test]
async fn an_applied_plan_is_applied_for_a_retry_after_its_file_is_purged() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let client = client(&stage, &ada, ()).await;
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let plan = samples::plan(&ada, &id, "two").await;
    let with_key = |key: &str| json!({"file_id": id, "plan_id": plan["id"], "if_match": plan["base_etag"], "idempotency_key": key});
    // The key is part of a URL where it is looked up.
    let first = done(&client, "apply_plan", with_key("a%2Fb")).await;
    for verb in ["trash", "purge"] {
        samples::command(&ada, &id, verb, json!({})).await.await.status(200);
    }
    let again = done(&client, "apply_plan", with_key("a%2Fb")).await;
    assert_eq!((&again["file"], &again["replayed"]), (&first["file"], &json!(true)));
    let other = super::refused(&client, "apply_plan", with_key("c")).await;
    assert_eq!(other["error"]["code"], "not_found");
}

#[shared_testing::test]
async fn twenty_parallel_calls_without_a_key_are_one() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let client = client(&stage, &ada, ()).await;
    let folder = json!({"type": "folder", "name": "Papers"});
    let calls = (0..20).map(|_| done(&client, "create_file", folder.clone()));
    let answers = futures_util::future::join_all(calls).await;
    assert!(answers.iter().all(|answer| answer["file"]["id"] == answers[0]["file"]["id"]));
    assert_eq!(answers.iter().filter(|answer| answer["replayed"] == true).count(), 19);
    assert_eq!(stage.count("files"), 1);
}
