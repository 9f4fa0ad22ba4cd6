//! A database of the first release, with rows that it wrote, under the present release.

use std::fmt::Display;

use cloud_svc::service;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use shared_runtime::{Clock, state::db::Migrations};
use shared_testing::{Caller, Stage};

use crate::samples;

const FIRST: Migrations = shared_runtime::migrations! {
    "2026-11-24-000001_cloud": both postgres sqlite;
};

/// The states of plans that the first release knew.
const STATES: [&str; 6] = ["proposed", "in_review", "approved", "rejected", "discarded", "applied"];
const EFFECTS: &str = r#"{"gone_part_ids":[],"link_domains":[],"content_warnings":"[]"}"#;
const OPERATIONS: &str =
    r#"[{"op":"insert_block","block":{"id":"b2","type":"paragraph","segments":[{"text":"two"}]}}]"#;
const PREVIEW: &str = concat!(
    r#"{"operations":1,"summary":{"inserted":1,"replaced":0,"deleted":0,"moved":0,"cells_changed":0,"#,
    r#""formulas_added":0,"formulas_overwritten":0,"formulas_rewritten":0,"bytes_before":145,"bytes_after":204},"#,
    r#""changes":[{"id":"c1","op":0,"kind":"insert","block_id":"b2","after_id":"b1","before":null,"#,
    r#""after":{"id":"b2","type":"paragraph","segments":[{"text":"two"}]}}],"warnings":[]}"#,
);

/// Where a comment was in an earlier version.
const MOVED: &str = r#"{"block_id":"b1"}"#;

fn plan_id(state: &str) -> String {
    let place = STATES.iter().position(|one| *one == state).expect("a state");
    format!("plan_{:032x}", place + 1)
}

fn person(id: &str) -> Value {
    json!({"type": "user", "id": id, "display_name": id})
}

/// The review of a plan in this state. The member `on` came with a later release.
fn review(state: &str) -> Option<Value> {
    let verdict = matches!(state, "approved" | "rejected").then_some(state);
    let review = json!({
        "state": if verdict.is_some() { "done" } else { "requested" },
        "requested_by": person("ada"),
        "note": null,
        "verdict": verdict,
        "by": verdict.map(|_| person("bob")),
        "reason": null,
        "at": verdict.map(|_| "2026-11-24T00:00:00Z"),
    });
    (verdict.is_some() || state == "in_review").then_some(review)
}

/// A document as it is stored.
fn document(texts: &[&str]) -> String {
    let block = |(index, text): (usize, &&str)| {
        format!(r#"{{"id":"b{index}","type":"paragraph","segments":[{{"text":"{text}"}}]}}"#)
    };
    let blocks: Vec<String> = texts.iter().enumerate().map(block).collect();
    format!(r#"{{"kind":"docs","blocks":[{}]}}"#, blocks.join(","))
}

fn sha256(text: &str) -> String {
    hex::encode(Sha256::digest(text))
}

fn text_or_null(text: Option<impl Display>) -> String {
    text.map_or_else(|| "NULL".to_owned(), |text| format!("'{text}'"))
}

/// SQL that inserts a document with two versions, a plan in each state, and a comment that has moved, with a reply; and
/// the bytes of all of these. The first release counted only those of the versions.
fn rows(now: i64) -> (String, usize) {
    let (first, second, third) = (document(&["Rent"]), document(&["Rent", "one"]), document(&["Rent", "one", "two"]));
    let (ada, later) = (person("ada"), now + 86_400_000_000);
    let counted = first.len() + second.len();
    let mut sql = format!(
        "INSERT INTO workspaces
            (id, name, state, storage_quota_bytes, storage_used_bytes, change_sequence, created_at)
            VALUES (1, 'Workspace 1', 'active', 1000000, {counted}, 3, {now});
        INSERT INTO files
            (workspace_id, name, name_key, type, state, current_version, meta_revision, change_sequence, created_at,
                updated_at, first_change)
            VALUES (1, 'Lease', 'lease', 'document', 'active', 2, 1, 3, {now}, {now}, 1);
        INSERT INTO search_entries (file_id, workspace_id, sequence) VALUES (1, 1, 3);
        INSERT INTO comments (file_id, text, anchor, actor, status, revision, created_at, updated_at)
            VALUES (1, 'Größe?', '{{}}', '{ada}', 'open', 1, {now}, {now});
        INSERT INTO comments
            (file_id, text, anchor, actor, status, revision, created_at, updated_at, resolved_at, parent_id)
            VALUES (1, 'Yes.', '{{}}', '{ada}', 'resolved', 2, {now}, {now}, {now}, 1);
        INSERT INTO moved_anchors (comment_id, version_id, anchor) VALUES (1, 1, '{MOVED}');"
    );
    for (number, content) in [(1, &first), (2, &second)] {
        sql += &format!(
            "INSERT INTO versions (file_id, number, content_bytes, sha256, created_by, created_at, content)
                VALUES (1, {number}, {}, '{}', '{ada}', {now}, '{content}');",
            content.len(),
            sha256(content),
        );
    }
    let mut bytes = counted + "Größe?".len() + "Yes.".len() + MOVED.len();
    for state in STATES {
        // A plan that can no longer be applied has lost its content.
        let content = matches!(state, "proposed" | "in_review" | "approved").then_some(third.as_str());
        bytes += content.map_or(0, str::len) + OPERATIONS.len() + PREVIEW.len();
        let id = plan_id(state);
        sql += &format!(
            "INSERT INTO edit_plans
                (id, workspace_id, file_id, actor, author_key, author_subject, kind, state, base_version_id,
                    base_meta_revision, proposal_sha256, base_sha256, effects, review, created_at, expires_at,
                    applied_version_id, preview, operations, sent_sha256, is_approval_carried, content)
                VALUES ('{id}', 1, 1, '{ada}', 'user:ada', 'ada', 'docs', '{state}', 2, 1, '{}', '{}', '{EFFECTS}', {},
                    {now}, {later}, {}, '{PREVIEW}', '{OPERATIONS}', '{}', FALSE, {});",
            sha256(&third),
            sha256(&second),
            text_or_null(review(state)),
            if state == "applied" { "2" } else { "NULL" },
            sha256(&id),
            text_or_null(content),
        );
    }
    (sql, bytes)
}

async fn used(caller: &Caller) -> Value {
    caller.get("/v1/workspaces").await.status(200)["workspaces"][0]["storage_used_bytes"].clone()
}

async fn plan(caller: &Caller, state: &str) -> Value {
    let path = format!("/v1/files/file_1/edit-plans/{}", plan_id(state));
    caller.get(path).await.status(200)["plan"].clone()
}

#[shared_testing::test]
async fn a_database_of_the_first_release_keeps_its_rows_and_counts_all_of_them() {
    let (rows, bytes) = rows(Clock::System.now().micros());
    let stage = Stage::of(service()).upgrading(FIRST, rows).await;
    let ada = stage.caller("ada");
    assert_eq!(used(&ada).await, json!(bytes));
    assert_eq!((stage.count("versions"), stage.count("edit_plans"), stage.count("comments")), (2, 6, 2));
    for state in STATES {
        let plan = plan(&ada, state).await;
        assert_eq!((&plan["state"], &plan["revision"], &plan["co_authors"]), (&json!(state), &json!(1), &json!([])));
        let verdict = review(state).map_or(Value::Null, |review| review["verdict"].clone());
        assert_eq!(plan["review"]["verdict"], verdict, "{state}");
        assert_eq!(plan["changes"][0]["after"]["segments"][0]["text"], "two", "{state}");
    }
    assert_eq!(plan(&ada, "applied").await["applied_version_id"], "ver_2");
    let comments = samples::all(&ada, "/v1/files/file_1/comments?limit=10").await;
    let texts: Vec<&str> = comments.iter().filter_map(|comment| comment["text"].as_str()).collect();
    assert_eq!(texts, ["Yes.", "Größe?"]);
    let first = ada.get("/v1/files/file_1/versions/ver_1").await.status(200);
    assert_eq!(first["content"]["blocks"][0]["segments"][0]["text"], "Rent");

    let approved = plan(&ada, "approved").await;
    assert_eq!(approved["review"]["by"]["id"], "bob");
    samples::apply(&ada, &approved).await.await.status(200);
    let document = ada.get("/v1/documents/file_1").await.status(200);
    assert_eq!(document["content"]["blocks"][2]["segments"][0]["text"], "two");
    assert_eq!(used(&ada).await, json!(bytes), "the version has taken the content over");

    // A process of the first release still serves, and counts nothing for it.
    let uncounted = format!("INSERT INTO moved_anchors (comment_id, version_id, anchor) VALUES (1, 2, '{MOVED}')");
    samples::sql(&stage, &uncounted).await;
    for verb in ["trash", "purge"] {
        samples::command(&ada, "file_1", verb, json!({})).await.await.status(200);
    }
    assert_eq!((stage.count("moved_anchors"), used(&ada).await), (0, json!(0)));
}
