//! The suites that each service must pass: permissions, and hostile requests.

mod foreign_ids;
mod page_fixtures;
mod plans;
mod untrusted;

use cloud_content::{kinds, native_kind::NativeKind};
use cloud_svc::{
    FileId, WorkspaceId,
    transfer::downloads::{
        form::Form,
        link::{DownloadLink, LIFETIME},
    },
};
use serde_json::json;
use shared_runtime::context::settings::Role;
use shared_testing::{
    Caller, OperationFixture, Request, Stage, Text as _, authorization, crashes, hostile, reference, tools,
};

use crate::{samples, uploads};

/// A fixture for each operation. Each command has its own file, so that its etag stays current.
pub async fn fixtures(stage: &Stage, owner: &Caller) -> Vec<OperationFixture> {
    // First, because they expire soon, and the suites advance the clock by a minute for each operation.
    let mut fixtures = plans::of_plans(stage, owner).await;
    fixtures.extend([
        OperationFixture::of("get_service", |who| who.get("/v1/service")),
        OperationFixture::of("get_developer_manifest", |who| who.get("/.well-known/developer-manifest.json")),
        OperationFixture::of("list_workspaces", |who| who.get("/v1/workspaces")),
        OperationFixture::of("search_files", |who| who.get("/v1/search?name_contains=pl")),
        OperationFixture::of("search_content", |who| who.get("/v1/content-search?text=plan")),
        OperationFixture::of("list_files", |who| who.get("/v1/files")),
        OperationFixture::of("list_agents", |who| who.get("/v1/agents")),
        OperationFixture::of("list_receipts", |who| who.get("/v1/receipts")),
        OperationFixture::of("get_receipts_head", |who| who.get("/v1/receipts/head")),
        OperationFixture::of("list_receipt_keys", |who| who.get("/v1/receipts/keys")),
        OperationFixture::of("list_workspace_plans", |who| who.get("/v1/edit-plans")),
        OperationFixture::of("create_folder", |who| create(who, "folders")),
        OperationFixture::of("import_text", |who| {
            who.post("/v1/imports").fresh_key().json(json!({"name": "Plan", "format": "text", "text": "Dig."}))
        }),
        OperationFixture::of("read_command", |who| who.get("/v1/idempotency/k")).taking_any_text(),
    ]);
    let of_kind = |kind: &&'static NativeKind| {
        let kind = *kind;
        OperationFixture::of(kind.create.id, move |who| create(who, kind.collection))
    };
    fixtures.extend(kinds::ALL.iter().map(of_kind));
    fixtures.extend([
        OperationFixture::of("get_risk_rules", |who| who.get("/v1/risk-rules")),
        OperationFixture::of("set_risk_rules", |who| {
            who.request("PUT", "/v1/risk-rules").fresh_key().json(json!({"relied_formulas": false}))
        }),
    ]);
    fixtures.extend(of_agents(stage, owner).await);
    fixtures.extend(of_files(owner).await);
    fixtures.extend(of_comments(owner).await);
    fixtures.extend(of_scratch(owner).await);
    fixtures.extend(of_uploads(stage, owner).await);
    fixtures.extend(of_news(stage, owner).await);
    fixtures
}

async fn of_agents(stage: &Stage, owner: &Caller) -> Vec<OperationFixture> {
    let actor = json!({"type": "agent", "id": "helper", "display_name": "Helper"});
    let agent = lasting(stage, "helper").claim("actor", actor);
    agent.get("/v1/workspaces").await.status(200);
    let folder = samples::folder(owner, "Room", None).await;
    let grant = agent.claim_text("grant_id");
    let actor = json!({"type": "agent", "id": "leaver", "display_name": "Leaver"});
    let leaver = lasting(stage, "leaver").claim("actor", actor);
    leaver.get("/v1/workspaces").await.status(200);
    let path = |grant: &str| format!("/v1/agents/{grant}/limits");
    let (known, missing) = (path(&grant), path("nobody"));
    let revoke = |grant: &str| format!("/v1/agents/{grant}/revoke");
    vec![
        OperationFixture::on("get_agent_limits", known.clone(), missing.clone(), |who, path| who.get(path)),
        OperationFixture::on("set_agent_limits", known, missing, move |who, path| {
            who.request("PUT", path).fresh_key().json(json!({"folders": [folder], "may": "propose"}))
        }),
        OperationFixture::on("revoke_agent", revoke(&leaver.claim_text("grant_id")), revoke("nobody"), |who, path| {
            who.post(path).fresh_key().json(json!({}))
        }),
    ]
}

async fn of_uploads(stage: &Stage, owner: &Caller) -> Vec<OperationFixture> {
    let missing = format!("upl_{}", "0".repeat(32));
    let mut fixtures = vec![OperationFixture::of("create_upload", |who| uploads::begin(who, uploads::claim(b"x")))];
    for (operation, method, path, bytes) in [
        ("get_upload", "GET", "", &b"x"[..]),
        ("put_chunk", "PUT", "/chunks/0", b"x"),
        ("complete_upload", "POST", "/complete", b""),
        ("cancel_upload", "POST", "/cancel", b"x"),
    ] {
        let upload = uploads::begun(owner, bytes).await;
        fixtures.push(OperationFixture::on(operation, upload, missing.clone(), move |who, id| {
            let request = who.request(method, format!("/v1/uploads/{id}{path}"));
            match method {
                "GET" => request,
                "PUT" => request.body("application/octet-stream", b"x"),
                _ => request.fresh_key().json(json!({})),
            }
        }));
    }
    let note = uploads::named(owner, "Note.txt", b"x").await;
    fixtures.push(OperationFixture::on("convert_file", note, MISSING, |who, id| {
        who.post(format!("/v1/files/{id}/convert")).fresh_key().json(json!({}))
    }));
    let file = uploads::uploaded(owner, b"x").await;
    let record: FileId = file["file"]["id"].text().parse().expect("an id of a file");
    let version = file["file"]["current_version_id"].text().parse().expect("an id of a version");
    fixtures.push(OperationFixture::on("create_download_grant", record.to_string(), MISSING, |who, id| {
        who.post(format!("/v1/files/{id}/download-grants")).json(json!({}))
    }));
    let context = stage.context.clone();
    let link = OperationFixture::of("download_file", move |who| {
        let (owner, form, expires_at) =
            (WorkspaceId::from_number(1), Form::AsUploaded, context.clock.now().plus(LIFETIME));
        let access_grant = "grant-of-ada".to_owned();
        let link = DownloadLink { owner, file: record, version, form, expires_at, access_grant };
        who.get(link.path(&context.secret))
    });
    fixtures.push(link.unknown_is("grant_invalid"));
    fixtures
}

/// A caller whose token outlasts the minutes that the suites advance the clock by.
pub fn lasting(stage: &Stage, name: &str) -> Caller {
    stage.caller(name).claim("exp", stage.now().seconds() + 86_400)
}

fn create(who: &Caller, collection: &str) -> Request {
    who.post(format!("/v1/{collection}")).fresh_key().json(json!({"name": "Plan"}))
}

/// An id that no file has.
const MISSING: &str = "file_999999999";

async fn of_files(owner: &Caller) -> Vec<OperationFixture> {
    let mut fixtures = Vec::new();
    let of_kinds = kinds::ALL.iter().map(|kind| (kind.read.id, kind.collection, kind.read.path));
    let others = [
        ("get_file", "documents", "/v1/files/{file_id}"),
        ("get_file_details", "documents", "/v1/files/{file_id}/details"),
        ("list_versions", "documents", "/v1/files/{file_id}/versions"),
        ("get_authorship", "documents", "/v1/files/{file_id}/authorship"),
        ("list_comments", "documents", "/v1/files/{file_id}/comments"),
        ("list_edit_plans", "documents", "/v1/files/{file_id}/edit-plans"),
        ("list_sheets", "spreadsheets", "/v1/spreadsheets/{file_id}/sheets"),
        ("get_range", "spreadsheets", "/v1/spreadsheets/{file_id}/range?sheet=Sheet1&range=A1"),
        ("export_sheet", "spreadsheets", "/v1/spreadsheets/{file_id}/export?sheet=Sheet1"),
    ];
    for (operation, collection, path) in of_kinds.chain(others) {
        let file = samples::id(&create(owner, collection).await.status(200));
        fixtures.push(OperationFixture::on(operation, file, MISSING, move |who, id| {
            who.get(path.replace("{file_id}", id))
        }));
    }
    let file = samples::id(&samples::create(owner, "Plan").await);
    fixtures.push(OperationFixture::on("protect_file", file, MISSING, |who, id| {
        who.request("PUT", format!("/v1/files/{id}/protection")).fresh_key().json(json!({"protected": [{}]}))
    }));
    let file = samples::create(owner, "Plan").await;
    let path = |id: &str, version: &str| format!("/v1/files/{id}/versions/{version}");
    let version = file["file"]["current_version_id"].text();
    let (known, unknown) = (path(&samples::id(&file), version), path(MISSING, version));
    fixtures.push(OperationFixture::on("get_version", known.clone(), unknown.clone(), |who, path| who.get(path)));
    let with = version.to_owned();
    fixtures.push(OperationFixture::on("compare_versions", known, unknown, move |who, path| {
        who.get(format!("{path}/compare?with={with}"))
    }));
    for (operation, verb, body) in [
        ("rename_file", "rename", json!({"name": "Plan 2"})),
        ("move_file", "move", json!({"parent_id": null})),
        ("copy_file", "copy", json!({})),
        ("trash_file", "trash", json!({})),
        ("restore_file", "restore", json!({})),
        ("purge_file", "purge", json!({})),
        ("restore_version", "versions/{}/restore", json!({})),
        ("create_comment", "comments", json!({"text": "Is that so?"})),
        (
            "propose_file_edit",
            "edit-plans",
            json!({"operations": [
                {"op": "insert_block", "block": {"type": "paragraph", "segments": []}}
            ]}),
        ),
    ] {
        let created = samples::create(owner, "Plan").await;
        let file = samples::id(&created);
        if matches!(verb, "restore" | "purge") {
            samples::command(owner, &file, "trash", json!({})).await.await.status(200);
        }
        let etag = samples::etag(owner, &file).await;
        let verb = verb.replace("{}", created["file"]["current_version_id"].text());
        fixtures.push(OperationFixture::on(operation, file, MISSING, move |who, id| {
            who.post(format!("/v1/files/{id}/{verb}")).fresh_key().header("if-match", &etag).json(body.clone())
        }));
    }
    fixtures
}

async fn of_scratch(owner: &Caller) -> Vec<OperationFixture> {
    let note = json!({"name": "Plan", "type": "note", "content": {"title": "Plan", "content": ""}});
    let keep = move |who: &Caller| who.post("/v1/scratch").fresh_key().json(note.clone());
    let missing = format!("draft_{}", "0".repeat(32));
    let mut drafts = Vec::new();
    for _ in 0..4 {
        drafts.push(keep(owner).await.status(200)["draft"]["id"].text().to_owned());
    }
    let mut fixtures = vec![
        OperationFixture::of("list_scratch", |who| who.get("/v1/scratch")),
        OperationFixture::of("create_scratch", keep),
        OperationFixture::on("get_scratch", drafts[0].clone(), missing.clone(), |who, id| {
            who.get(format!("/v1/scratch/{id}"))
        }),
    ];
    for (draft, (operation, verb, body)) in drafts.into_iter().skip(1).zip([
        ("update_scratch", "update", json!({"name": "Other"})),
        ("promote_scratch", "promote", json!({})),
        ("discard_scratch", "discard", json!({})),
    ]) {
        fixtures.push(OperationFixture::on(operation, draft, missing.clone(), move |who, id| {
            who.post(format!("/v1/scratch/{id}/{verb}")).fresh_key().json(body.clone())
        }));
    }
    fixtures
}

async fn of_news(stage: &Stage, owner: &Caller) -> Vec<OperationFixture> {
    let body = json!({"url": "https://hooks.example.com/", "events": ["*"]});
    let name = move |who: &Caller| who.post("/v1/webhooks").fresh_key().json(body.clone());
    let mut webhooks = Vec::new();
    for _ in 0..4 {
        webhooks.push(name(owner).await.status(200)["webhook"]["id"].text().to_owned());
    }
    let [active, pending, disabled, gone] = webhooks.as_slice() else { panic!("four webhooks") };
    // The endpoint does not exist: nothing calls it here.
    let answered = format!("UPDATE webhooks SET state = 'active', challenge = NULL WHERE id = '{active}'");
    samples::sql(stage, &answered).await;
    let missing = format!("wh_{}", "0".repeat(32));
    let mut fixtures = vec![
        OperationFixture::of("list_changes", |who| who.get("/v1/changes")),
        OperationFixture::of("list_recent_changes", |who| who.get("/v1/changes/recent")),
        OperationFixture::of("get_change_cursor", |who| who.get("/v1/changes/cursor")),
        OperationFixture::of("list_webhooks", |who| who.get("/v1/webhooks")),
        OperationFixture::of("create_webhook", name),
    ];
    for (operation, verb) in [("get_webhook", ""), ("list_webhook_deliveries", "/deliveries")] {
        fixtures.push(OperationFixture::on(operation, active, &missing, move |who, id| {
            who.get(format!("/v1/webhooks/{id}{verb}"))
        }));
    }
    for (operation, webhook, verb, body) in [
        ("update_webhook", active, "update", json!({"description": "Index"})),
        ("rotate_webhook_secret", active, "rotate-secret", json!({})),
        ("enable_webhook", active, "enable", json!({})),
        ("ping_webhook", active, "ping", json!({})),
        ("replay_webhook", active, "replay", json!({"from_sequence": 1})),
        ("verify_webhook", pending, "verify", json!({})),
        ("disable_webhook", disabled, "disable", json!({})),
        ("revoke_webhook", gone, "revoke", json!({})),
    ] {
        fixtures.push(OperationFixture::on(operation, webhook, &missing, move |who, id| {
            who.post(format!("/v1/webhooks/{id}/{verb}")).fresh_key().json(body.clone())
        }));
    }
    fixtures
}

async fn of_comments(owner: &Caller) -> Vec<OperationFixture> {
    let mut fixtures = vec![OperationFixture::of("list_mentions", |who| who.get("/v1/mentions"))];
    for (operation, verb, body) in [
        ("edit_comment", "edit", json!({"text": "Is it?"})),
        ("resolve_comment", "resolve", json!({})),
        ("reopen_comment", "reopen", json!({})),
        ("settle_comment", "settle", json!({"status": "resolved"})),
        ("delete_comment", "delete", json!({})),
    ] {
        let file = samples::id(&samples::create(owner, "Plan").await);
        let comment = samples::comment(owner, &file, "Is that so?").await;
        let path = |file: &str| format!("/v1/files/{file}/comments/{}", comment["id"].text());
        let etag = comment["etag"].text().to_owned();
        fixtures.push(OperationFixture::on(operation, path(&file), path(MISSING), move |who, path| {
            who.post(format!("{path}/{verb}")).fresh_key().header("if-match", &etag).json(body.clone())
        }));
    }
    fixtures
}

/// A stage that sends nothing.
pub async fn stage() -> Stage {
    Stage::of(cloud_svc::service()).settings(|settings| settings.role = Role::Api).await
}

#[shared_testing::test]
async fn no_operation_works_without_its_permission() {
    let stage = stage().await;
    let (ada, bob) = (lasting(&stage, "ada"), lasting(&stage, "bob").workspace(2));
    authorization::suite(&stage, &ada, &bob, &fixtures(&stage, &ada).await).await;
}

#[shared_testing::test]
async fn no_page_shows_or_changes_what_is_in_another_workspace() {
    let stage = stage().await;
    let (ada, bob) = (lasting(&stage, "ada"), lasting(&stage, "bob").workspace(2));
    let pages = page_fixtures::page_fixtures(&stage, &ada).await;
    authorization::pages::suite(&stage, &ada, &bob, &pages).await;
}

#[shared_testing::test]
async fn a_token_of_this_surface_names_a_workspace_and_an_actor() {
    let stage = Stage::of(cloud_svc::service()).await;
    for claim in ["workspace_id", "actor"] {
        let caller = stage.caller("ada").without_claim(claim);
        caller.get("/v1/workspaces").await.refused(401, "invalid_token");
    }
}

#[shared_testing::test]
async fn hostile_requests_get_typed_errors() {
    let stage = stage().await;
    let ada = lasting(&stage, "ada");
    hostile::suite(&stage, &ada, &fixtures(&stage, &ada).await).await;
}

#[shared_testing::test]
async fn commands_that_fail_anywhere_happen_once_or_not_at_all() {
    let stage = stage().await;
    let ada = lasting(&stage, "ada");
    crashes::suite(&stage, &ada, &fixtures(&stage, &ada).await, &["grants"]).await;
}

#[shared_testing::test]
async fn the_reference_has_all_operations_and_no_broken_links() {
    let stage = Stage::of(cloud_svc::service()).await;
    reference::suite(&stage).await;
}

#[shared_testing::test]
async fn every_model_takes_the_tools() {
    let stage = Stage::of(cloud_svc::service()).await;
    tools::suite(&stage.caller("ada")).await;
}

#[test]
fn the_command_line_follows_conventions() {
    shared_testing::command_line::check(env!("CARGO_BIN_EXE_cloud-svc"), &cloud_svc::service());
}
