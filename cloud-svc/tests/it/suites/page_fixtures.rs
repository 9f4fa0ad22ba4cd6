//! Fixtures of pages. Each form has its own object, so that what it acts on is as it says.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, RgbImage};
use serde_json::{Value, json};
use shared_testing::{Caller, FormFile, PageFixture, Stage, Text as _};

use super::{MISSING, create, lasting};
use crate::{samples, uploads};

pub async fn page_fixtures(stage: &Stage, owner: &Caller) -> Vec<PageFixture> {
    let mut fixtures = vec![
        PageFixture::of("agents_page", "/w/agents"),
        PageFixture::of("webhooks_page", "/w/webhooks"),
        PageFixture::of("create_webhook_page", "/w/webhooks"),
        PageFixture::of("proposals_page", "/w/proposals"),
        PageFixture::of("reviews_page", "/w/reviews"),
        PageFixture::of("new_file_page", "/w/new"),
    ];
    fixtures.extend(of_agents(stage).await);
    fixtures.extend(of_webhooks(owner).await);
    fixtures.extend(of_folders(owner).await);
    fixtures.extend(of_uploads(owner).await);
    fixtures.extend(of_files(owner).await);
    fixtures.extend(of_plans(owner).await);
    fixtures
}

async fn of_agents(stage: &Stage) -> Vec<PageFixture> {
    let mut grants = Vec::new();
    for name in ["helper", "leaver"] {
        let agent = lasting(stage, name).claim("actor", json!({"type": "agent", "id": name, "display_name": name}));
        agent.get("/v1/workspaces").await.status(200);
        grants.push(agent.claim_text("grant_id"));
    }
    let limited = |page, path| PageFixture::on(page, &grants[0], "nobody", path);
    vec![
        limited("agent_page", "/w/agents/limits?grant={}"),
        limited("limit_agent_page", "/w/agents/limits")
            .field("grant", "{}")
            .field("may", "propose")
            .field("rooms", "all")
            .field("kinds", "all"),
        PageFixture::on("revoke_agent_page", &grants[1], "nobody", "/w/agents/revoke").field("grant", "{}"),
    ]
}

async fn of_webhooks(owner: &Caller) -> Vec<PageFixture> {
    let body = json!({"url": "https://hooks.example.com/", "events": ["*"]});
    let made = owner.post("/v1/webhooks").fresh_key().json(body).await.status(200);
    let (webhook, missing) = (made["webhook"]["id"].text(), format!("wh_{}", "0".repeat(32)));
    let on = |page| PageFixture::on(page, webhook, &missing, "/w/webhooks/{}");
    vec![on("webhook_page"), on("change_webhook_page").field("action", "disable")]
}

/// Pages that look or put something into a folder.
async fn of_folders(owner: &Caller) -> Vec<PageFixture> {
    let folder = samples::folder(owner, "Room", None).await;
    let on = |page, path| PageFixture::on(page, &folder, MISSING, path);
    let file = FormFile { field: "file", name: "Note.txt", media_type: "text/plain", bytes: b"x" };
    vec![
        on("workspace_page", "/w?q=plan&in={}"),
        on("create_file_page", "/w/new").field("kind", "folder").field("in", "{}").field("name", "Shelf"),
        on("upload_page", "/w/upload").field("kind", "upload").field("in", "{}").file(file),
        on("begin_upload_page", "/w/uploads")
            .field("in", "{}")
            .field("name", "Note.txt")
            .field("mime", "text/plain")
            .field("size", "1")
            .field("sha256", uploads::sha256(b"x")),
    ]
}

async fn of_uploads(owner: &Caller) -> Vec<PageFixture> {
    let missing = format!("upl_{}", "0".repeat(32));
    let begun = uploads::begun(owner, b"x").await;
    let whole = uploads::begun(owner, b"x").await;
    uploads::sent(owner, &whole, b"x").await;
    let part = FormFile { field: "part", name: "part", media_type: "application/octet-stream", bytes: b"x" };
    let mut picture = Cursor::new(Vec::new());
    DynamicImage::from(RgbImage::new(2, 2)).write_to(&mut picture, ImageFormat::Png).expect("a picture");
    let picture = uploads::named(owner, "Plan.png", picture.get_ref()).await;
    let pdf = uploads::named(owner, "Plan.pdf", b"%PDF-1.4\n%%EOF").await;
    let note = uploads::named(owner, "Note.txt", b"x").await;
    vec![
        PageFixture::on("upload_state_page", &begun, &missing, "/w/uploads/{}"),
        PageFixture::on("upload_part_page", &begun, &missing, "/w/uploads/{}").field("index", "0").file(part),
        PageFixture::on("complete_upload_page", &whole, &missing, "/w/uploads/{}/complete"),
        PageFixture::on("picture_page", picture, MISSING, "/f/{}/picture"),
        PageFixture::on("media_page", &pdf, MISSING, "/f/{}/media"),
        PageFixture::on("download_page", &pdf, MISSING, "/f/{}"),
        PageFixture::on("convert_page", note, MISSING, "/f/{}/convert"),
    ]
}

async fn of_files(owner: &Caller) -> Vec<PageFixture> {
    let created = samples::create(owner, "Plan").await;
    let (file, version) = (samples::id(&created), created["file"]["current_version_id"].text());
    let on = |page, path: &str| PageFixture::on(page, &file, MISSING, path);
    let mut fixtures = vec![
        on("file_page", "/f/{}"),
        on("file_state_page", "/f/{}/state?seen=x"),
        on("edit_page", "/f/{}/edit"),
        on("compare_page", &format!("/f/{{}}/compare?from={version}&to={version}")),
        on("authors_page", "/f/{}/authors"),
        on("move_page", "/f/{}/move"),
        on("move_file_page", "/f/{}/move").field("action", "copy").field("in", "root").field("name", "Copy"),
        on("comment_page", "/f/{}/comments").field("action", "write").field("text", "Is that so?"),
    ];
    let renamed = samples::id(&samples::create(owner, "Plan").await);
    let etag = samples::etag(owner, &renamed).await;
    let rename = PageFixture::on("change_file_page", renamed, MISSING, "/f/{}/change");
    fixtures.push(rename.field("action", "rename").field("etag", etag).field("name", "Other"));
    let trashed = samples::id(&samples::create(owner, "Plan").await);
    let chosen = format!("{{}} {}", samples::etag(owner, &trashed).await);
    let trash = PageFixture::on("chosen_page", trashed, MISSING, "/w/chosen");
    fixtures.push(trash.field("action", "trash").field("back", "/w").field("file-0", chosen));
    let note = create(owner, "notes").await.status(200);
    let (file, version) = (samples::id(&note), note["file"]["current_version_id"].text());
    let etag = samples::etag(owner, &file).await;
    let propose = PageFixture::on("propose_page", file, MISSING, "/f/{}/edit").field("etag", etag);
    let propose = propose.field("version", version).field("newest", version);
    fixtures.push(propose.field("title", "Plan").field("text", "More."));
    fixtures
}

async fn of_plans(owner: &Caller) -> Vec<PageFixture> {
    let mut plans = Vec::new();
    for _ in 0..3 {
        let file = samples::id(&samples::create(owner, "Plan").await);
        plans.push(samples::plan(owner, &file, "More.").await);
    }
    let [shown, discarded, proposed] = plans.as_slice() else { panic!("three plans") };
    let named = json!({"file_id": proposed["file_id"], "plan_id": proposed["id"]});
    let together = json!({"title": "Both", "plans": [named]});
    let made = owner.post("/v1/proposals").fresh_key().json(together).await.status(200);
    let (proposal, missing) = (made["proposal"]["id"].text(), format!("prop_{}", "f".repeat(32)));
    let of_plan = |page, plan: &Value, path| {
        let plan_of = |file: &str| format!("{file}/plans/{}", plan["id"].text());
        let (own, missing) = (plan_of(plan["file_id"].text()), plan_of(MISSING));
        PageFixture::on(page, own, missing, path)
    };
    let of_proposal = |page| PageFixture::on(page, proposal, &missing, "/w/proposals/{}");
    vec![
        of_plan("plan_page", shown, "/f/{}"),
        of_plan("plan_word_page", shown, "/f/{}/word"),
        of_plan("plan_receipts_page", shown, "/f/{}/receipts"),
        of_plan("decide_plan_page", discarded, "/f/{}").field("action", "discard"),
        of_proposal("proposal_page"),
        of_proposal("decide_proposal_page").field("action", "discard"),
    ]
}
