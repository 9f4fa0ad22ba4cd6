//! Scratch drafts: a grant keeps them for a week, and promotes them once.

use std::time::Duration;

use cloud_svc::{
    base::limits::{SCRATCH_BYTES, SCRATCH_SECONDS},
    edits::drafts::sweep,
    service,
};
use serde_json::{Value, json};
use shared_testing::{Caller, Request, Response, Stage, Text, together};

use crate::samples::{self, folder};

/// The body of a new note.
fn note(text: &str) -> Value {
    json!({"name": "Shopping", "type": "note", "content": {"title": "Shopping", "content": text}})
}

fn keep(caller: &Caller, body: Value) -> Request {
    caller.post("/v1/scratch").fresh_key().json(body)
}

/// Creates a draft; returns its id.
async fn kept(caller: &Caller, body: Value) -> String {
    keep(caller, body).await.status(200)["draft"]["id"].text().to_owned()
}

fn command(caller: &Caller, id: &str, verb: &str, body: Value) -> Request {
    caller.post(format!("/v1/scratch/{id}/{verb}")).fresh_key().json(body)
}

async fn drafts(caller: &Caller) -> Vec<Value> {
    caller.get("/v1/scratch").await.status(200)["drafts"].as_array().expect("drafts").clone()
}

async fn used(caller: &Caller) -> i64 {
    caller.get("/v1/workspaces").await.status(200)["workspaces"][0]["storage_used_bytes"].as_i64().expect("bytes")
}

/// Bytes that the workspace uses.
async fn stored(stage: &Stage) -> i64 {
    let versions = "SELECT CAST(coalesce(sum(content_bytes), 0) AS BIGINT) AS number FROM versions";
    let drafts = "SELECT CAST(coalesce(sum(content_bytes), 0) AS BIGINT) AS number FROM drafts WHERE state = 'draft'";
    let plans = "SELECT CAST(coalesce(sum(content_bytes + text_bytes), 0) AS BIGINT) AS number FROM edit_plans";
    let [versions, drafts, plans] = [versions, drafts, plans].map(|sum| samples::number(stage, sum));
    versions.await + drafts.await + plans.await
}

#[shared_testing::test]
async fn only_its_grant_sees_a_draft() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let created = keep(&ada, note("- milk")).await.status(200);
    let draft = &created["draft"];
    assert_eq!(created.header("location"), format!("{}/v1/scratch/{}", stage.base_url(), draft["id"].text()));
    assert_eq!(
        draft,
        &json!({
            "id": draft["id"], "name": "Shopping", "type": "note", "state": "draft", "file_id": null,
            "expires_at": stage.now().plus(Duration::from_secs(SCRATCH_SECONDS)),
            "content": {"title": "Shopping", "content": "- milk"}, "content_is_untrusted": true,
        })
    );
    let id = draft["id"].text();
    assert_eq!(ada.get(format!("/v1/scratch/{id}")).await.status(200)["draft"], *draft);
    let second = kept(&ada, note("- tea")).await;
    let ids: Vec<_> = drafts(&ada).await.iter().map(|draft| draft["id"].text().to_owned()).collect();
    assert_eq!(ids.len(), 2);
    assert!(ids.contains(&second) && ids.contains(&id.to_owned()));

    let other = stage.caller("ada").claim("grant_id", "another");
    assert_eq!(drafts(&other).await, [Value::Null; 0]);
    other.get(format!("/v1/scratch/{id}")).await.refused(404, "not_found");
    for (verb, body) in [("update", json!({"name": "Mine"})), ("discard", json!({})), ("promote", json!({}))] {
        command(&other, id, verb, body).await.refused(404, "not_found");
    }
    command(&ada, id, "discard", json!({})).await.status(200);
    ada.get(format!("/v1/scratch/{id}")).await.refused(404, "not_found");
    assert_eq!(used(&ada).await, stored(&stage).await);
}

#[shared_testing::test]
async fn a_draft_follows_the_rules_of_its_type() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let sheet = |cell: &str| json!({"kind": "sheets", "sheets": [{"name": "S", "cells": [[cell]]}]});
    for kind in ["document", "spreadsheet", "presentation", "note", "publication"] {
        let file = ada.post(format!("/v1/{kind}s")).fresh_key().json(json!({"name": "F"})).await.status(200);
        let content = ada.get(format!("/v1/{kind}s/{}", samples::id(&file))).await.status(200)["content"].clone();
        let draft =
            keep(&ada, json!({"name": "D", "type": kind, "content": content})).await.status(200)["draft"].clone();
        let promoted = command(&ada, draft["id"].text(), "promote", json!({})).await.status(200);
        assert_eq!((&promoted["file"]["type"], &draft["content"]), (&json!(kind), &content));
    }
    keep(&ada, json!({"name": "D", "type": "note", "content": {"title": 7, "x": 1}}))
        .await
        .refused(422, "invalid_field")
        .problems_at(&["/content/title", "/content", "/content/x"]);
    keep(&ada, json!({"name": "D", "type": "pdf", "content": {}}))
        .await
        .refused(422, "invalid_field")
        .problems_at(&["/type"]);
    keep(&ada, json!({"name": "a/b", "type": "note", "content": []}))
        .await
        .refused(422, "invalid_field")
        .problems_at(&["/name", "/content"]);
    keep(&ada, json!({"name": "D", "type": "spreadsheet", "content": sheet("=WEBSERVICE(\"u\")")}))
        .await
        .refused(422, "formula_not_allowed");

    let id = kept(&ada, note("- milk")).await;
    command(&ada, &id, "update", json!({})).await.refused(422, "invalid_field").problems_at(&[""]);
    command(&ada, &id, "update", json!({"content": sheet("1")})).await.refused(422, "invalid_field");
    let content = json!({"title": "Shopping", "content": "- tea"});
    let updated = command(&ada, &id, "update", json!({"name": "Tea", "content": content})).await.status(200);
    assert_eq!((&updated["draft"]["name"], &updated["draft"]["content"]), (&json!("Tea"), &content));
    let updated = command(&ada, &id, "update", json!({"name": "Milk"})).await.status(200);
    assert_eq!((&updated["draft"]["name"], &updated["draft"]["content"]), (&json!("Milk"), &content));
    assert_eq!(used(&ada).await, stored(&stage).await);
}

#[shared_testing::test]
async fn a_formula_that_reaches_out_gets_into_no_draft_and_no_file() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let sheet = |cell: &str| json!({"kind": "sheets", "sheets": [{"name": "S", "cells": [[cell]]}]});
    let reaching = sheet("=WEBSERVICE(\"u\")");
    let id = kept(&ada, json!({"name": "D", "type": "spreadsheet", "content": sheet("1")})).await;
    command(&ada, &id, "update", json!({"content": reaching}))
        .await
        .refused(422, "formula_not_allowed")
        .problems_at(&["/content/sheets/0/cells/0/0"]);
    // Like a draft from a time when the rules allowed it.
    samples::sql(&stage, &format!("UPDATE drafts SET content = '{reaching}'")).await;
    command(&ada, &id, "promote", json!({})).await.refused(422, "formula_not_allowed");
    assert_eq!(drafts(&ada).await[0]["state"], "draft");
    assert_eq!(stage.count("files"), 0);
}

#[shared_testing::test]
async fn a_grant_has_fifty_drafts_and_they_fit_into_one_answer() {
    let unlimited = |settings: &mut shared_runtime::context::settings::Settings| {
        settings.rate_limits.0.push(("write".to_owned(), 100_000));
    };
    let stage = Stage::of(service()).settings(unlimited).await;
    let ada = stage.caller("ada");
    for _ in 0..45 {
        kept(&ada, note("")).await;
    }
    let answers = together((0..20).map(|_| keep(&ada, note("")))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 5);
    let full = answers.into_iter().find(|answer| answer.status != 200).expect("the others");
    let list = full.refused(409, "scratch_full").leads_to("refresh");
    let all = ada.get(list).await.status(200)["drafts"].as_array().expect("drafts").clone();
    assert_eq!(all.len(), 50);
    let bytes = used(&ada).await;
    command(&ada, all[0]["id"].text(), "discard", json!({})).await.status(200);
    assert!(used(&ada).await < bytes);
    kept(&ada, note("")).await;

    let bob = stage.caller("bob").workspace(2);
    let large = "x".repeat(490_000);
    for _ in 0..8 {
        kept(&bob, note(&large)).await;
    }
    let small = kept(&bob, note("")).await;
    let before = used(&bob).await;
    assert!(before < SCRATCH_BYTES);
    keep(&bob, note(&large)).await.refused(409, "scratch_full");
    let grown = json!({"content": {"title": "", "content": large}});
    command(&bob, &small, "update", grown).await.refused(409, "scratch_full");
    assert_eq!(used(&bob).await, before);
    assert_eq!(drafts(&bob).await.len(), 9);
}

#[shared_testing::test]
async fn a_draft_becomes_a_file_once() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let top = folder(&ada, "Lists", None).await;
    let id = kept(&ada, note("- milk")).await;
    command(&ada, &id, "promote", json!({"parent_id": "file_999"})).await.refused(404, "not_found");
    command(&ada, &id, "promote", json!({"parent_id": top, "file_id": top})).await.refused(422, "invalid_field");
    command(&ada, &id, "promote", json!({}))
        .header("if-match", samples::etag(&ada, &top).await)
        .await
        .refused(400, "invalid_request");
    let bytes = used(&ada).await;
    let changes = stage.count("changes");
    let all = together((0..20).map(|_| command(&ada, &id, "promote", json!({"parent_id": top})))).await;
    let first: Vec<Response> = all.into_iter().map(|answer| answer.status(200)).collect();
    let (draft, file) = (&first[0]["draft"], &first[0]["file"]);
    assert!(first.iter().all(|answer| answer["file"] == *file && answer["draft"] == *draft));
    assert_eq!((draft["state"].text(), &draft["file_id"]), ("promoted", &file["id"]));
    assert_eq!((&file["name"], &file["parent_id"], file["type"].text()), (&json!("Shopping"), &json!(top), "note"));
    let read = ada.get(format!("/v1/notes/{}", file["id"].text())).await.status(200);
    assert_eq!(read["content"], draft["content"]);
    assert_eq!(stage.count("changes"), changes + 1);
    let promoted = "SELECT count(*) AS number FROM changes WHERE type = 'draft.promoted' AND version_id IS NOT NULL";
    assert_eq!(samples::number(&stage, promoted).await, 1);
    assert_eq!(used(&ada).await, bytes, "what the draft took is the file's");

    let update = command(&ada, &id, "update", json!({"name": "Other"})).await.refused(409, "draft_promoted");
    let instead = ada.get(update.leads_to("refresh")).await.status(200);
    assert_eq!(instead["file"]["id"], file["id"]);
    assert_eq!(drafts(&ada).await.len(), 1);
    samples::command(&ada, file["id"].text(), "trash", json!({})).await.await.status(200);
    samples::command(&ada, file["id"].text(), "purge", json!({})).await.await.status(200);
    let again = command(&ada, &id, "promote", json!({})).await.status(200);
    assert_eq!((&again["file"], &again["draft"]["file_id"]), (&Value::Null, &file["id"]));
    command(&ada, &id, "discard", json!({})).await.status(200);
    assert_eq!(used(&ada).await, stored(&stage).await);
}

#[shared_testing::test]
async fn a_repeated_command_is_answered_after_the_draft_is_gone() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = kept(&ada, note("- milk")).await;
    let keyed =
        |verb, body: Value| ada.post(format!("/v1/scratch/{id}/{verb}")).key(&format!("once-{verb}")).json(body);
    let update = || keyed("update", json!({"content": {"title": "Shopping", "content": "- tea"}}));
    let updated = update().await.status(200);
    let promoted = keyed("promote", json!({})).await.status(200);
    command(&ada, &id, "discard", json!({})).await.status(200);
    assert_eq!(update().await.status(200)["draft"], updated["draft"]);
    assert_eq!(keyed("promote", json!({})).await.status(200)["file"], promoted["file"]);
}

#[shared_testing::test]
async fn a_draft_becomes_a_version_of_an_unchanged_file() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let file = samples::id(&samples::document_of(&ada, &["one", "two"]).await);
    let seen = samples::etag(&ada, &file).await;
    let blocks = json!([{"id": "new", "type": "paragraph", "segments": [{"text": "three"}]}]);
    let document = json!({"name": "Plan", "type": "document", "content": {"kind": "docs", "blocks": blocks}});
    let id = kept(&ada, document.clone()).await;
    let promote = |id: &str| command(&ada, id, "promote", json!({"file_id": file}));
    promote(&id).await.refused(428, "if_match_required");
    let missing = command(&ada, &id, "promote", json!({"file_id": "file_999999"})).header("if-match", &*seen).await;
    missing.refused(404, "not_found").problems_at(&["/file_id"]);
    promote(&kept(&ada, note("")).await)
        .header("if-match", &*seen)
        .await
        .refused(422, "invalid_field")
        .problems_at(&["/file_id"]);
    samples::apply(&ada, &samples::plan(&ada, &file, "more").await).await.await.status(200);
    promote(&id).header("if-match", &*seen).await.refused(412, "etag_mismatch");
    let seen = samples::etag(&ada, &file).await;
    let promoted = promote(&id).header("if-match", &*seen).await.status(200);
    assert_ne!(promoted["file"]["etag"], json!(seen));
    let read = ada.get(format!("/v1/documents/{file}")).await.status(200);
    assert_eq!(read["content"]["blocks"], blocks);
    assert_eq!(used(&ada).await, stored(&stage).await);

    // The old content is gone, and the ids of its parts are retired.
    let old = ada.get(format!("/v1/files/{file}/versions")).await.status(200);
    let first = old["items"].as_array().expect("versions").last().expect("the first")["id"].text().to_owned();
    let first = ada.get(format!("/v1/documents/{file}?version_id={first}")).await.status(200);
    let id = kept(&ada, json!({"name": "Plan", "type": "document", "content": first["content"]})).await;
    let seen = samples::etag(&ada, &file).await;
    promote(&id).header("if-match", &*seen).await.refused(422, "invalid_field").problems_at(&["/file_id"]);

    samples::sql(&stage, "UPDATE workspaces SET agent_writes = 'review'").await;
    let agent = stage.caller("ada").claim("actor", json!({"type": "agent", "id": "a", "display_name": "A"}));
    let id = kept(&agent, document).await;
    command(&agent, &id, "promote", json!({"file_id": file}))
        .header("if-match", &*seen)
        .await
        .refused(403, "approval_required");
    command(&agent, &id, "promote", json!({})).await.status(200);
}

#[shared_testing::test]
async fn a_draft_ends_seven_days_after_it_was_written() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let (left, touched) = (kept(&ada, note("- milk")).await, kept(&ada, note("- tea")).await);
    let promoted = kept(&ada, note("- bread")).await;
    command(&ada, &promoted, "promote", json!({})).await.status(200);
    stage.clock.advance(Duration::from_secs(SCRATCH_SECONDS - 60));
    let ada = stage.caller("ada");
    command(&ada, &touched, "update", json!({"name": "Tea"})).await.status(200);
    stage.clock.advance(Duration::from_secs(60));
    ada.get(format!("/v1/scratch/{left}")).await.refused(404, "not_found");
    assert_eq!(drafts(&ada).await.len(), 1);
    sweep::DRAFTS.run(&stage.context.db, stage.now()).await.expect("swept");
    assert_eq!(stage.count("drafts"), 1);
    ada.get(format!("/v1/scratch/{touched}")).await.status(200);
    assert_eq!(used(&ada).await, stored(&stage).await);
}

#[shared_testing::test]
async fn a_draft_of_an_agent_passes_the_same_gate_as_a_plan() {
    let stage = Stage::of(service()).await;
    let agent = stage.caller("ada").claim("actor", json!({"type": "agent", "id": "a", "display_name": "A"}));
    let file = samples::id(&samples::document_of(&stage.caller("ada"), &["one"]).await);
    for (link, is_allowed) in [(None, true), (Some("https://evil.example/"), false)] {
        let segment = json!({"text": "two", "link": link});
        let segment = if link.is_some() { segment } else { json!({"text": "two"}) };
        // The block that is there stays: the loss of all blocks would be risky by itself.
        let stays = json!({"id": "b0", "type": "paragraph", "segments": [{"text": "one"}]});
        let blocks = json!([stays, {"id": "new", "type": "paragraph", "segments": [segment]}]);
        let document = json!({"name": "Plan", "type": "document", "content": {"kind": "docs", "blocks": blocks}});
        let id = kept(&agent, document).await;
        let seen = samples::etag(&agent, &file).await;
        let promoted = command(&agent, &id, "promote", json!({"file_id": file})).header("if-match", seen).await;
        match is_allowed {
            true => drop(promoted.status(200)),
            false => drop(promoted.refused(403, "approval_required")),
        }
    }
}

#[shared_testing::test]
async fn no_agent_loses_a_reference_or_most_of_a_file_by_a_draft_or_an_old_version() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let agent = stage.caller("ada").claim("actor", json!({"type": "agent", "id": "a", "display_name": "A"}));
    let sheet = |total: &str| {
        let cells: Vec<_> = ["1", "2", "3", total].map(|cell| [cell]).into();
        json!({"kind": "sheets", "sheets": [{"name": "Budget", "cells": cells}]})
    };
    let document = |count: usize| {
        let block = |number| json!({"id": format!("b{number}"), "type": "paragraph", "segments": [{"text": "one"}]});
        json!({"kind": "docs", "blocks": (0..count).map(block).collect::<Vec<_>>()})
    };
    let cases = [("spreadsheet", sheet("=SUM(A1:A3)"), sheet("=SUM(#REF!)")), ("document", document(6), document(1))];
    for (kind, whole, poor) in cases {
        // The poor content is the first version, so that a restore brings it back.
        let body = json!({"name": kind, "content": poor});
        let file = samples::id(&ada.post(format!("/v1/{kind}s")).fresh_key().json(body).await.status(200));
        let draft = |content: &Value| json!({"name": "Draft", "type": kind, "content": content});
        let promote = async |caller: &Caller, content: &Value| {
            let id = kept(caller, draft(content)).await;
            let seen = samples::etag(caller, &file).await;
            command(caller, &id, "promote", json!({"file_id": file})).header("if-match", seen).await
        };
        let first = ada.get(format!("/v1/files/{file}/versions")).await.status(200)["items"][0]["id"].clone();
        promote(&ada, &whole).await.status(200);
        promote(&agent, &poor).await.refused(403, "approval_required");
        let restore = |caller: &Caller, etag: String| {
            let path = format!("/v1/files/{file}/versions/{}/restore", first.text());
            caller.post(path).fresh_key().header("if-match", etag).json(json!({}))
        };
        restore(&agent, samples::etag(&agent, &file).await).await.refused(403, "approval_required");
        promote(&agent, &whole).await.status(200);
        restore(&ada, samples::etag(&ada, &file).await).await.status(200);
    }
}
