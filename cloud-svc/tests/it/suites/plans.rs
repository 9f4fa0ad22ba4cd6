//! Fixtures of plans, of their Word files, and of proposals.

use serde_json::{Value, json};
use shared_testing::{Caller, OperationFixture, Stage, Text as _};

use super::{MISSING, create};
use crate::{samples, uploads};

pub async fn of_plans(stage: &Stage, owner: &Caller) -> Vec<OperationFixture> {
    let colleague = stage.caller("carol");
    let mut proposals = of_proposals(owner, &colleague).await;
    // The first three need plans that have not expired.
    let mut fixtures: Vec<OperationFixture> = proposals.drain(..3).collect();
    for (operation, collection, edit) in [
        (
            "apply_document_edit",
            "documents",
            json!({"op": "insert_block", "block": {"type": "divider", "segments": []}}),
        ),
        ("apply_spreadsheet_edit", "spreadsheets", json!({"op": "add_sheet", "name": "More", "cells": [[""]]})),
        ("apply_note_edit", "notes", json!({"op": "append_text", "text": "More."})),
        ("apply_publication_edit", "publications", json!({"op": "insert_page", "page": page()})),
        ("apply_presentation_edit", "presentations", json!({"op": "insert_slide", "slide": slide()})),
    ] {
        let file = samples::id(&create(owner, collection).await.status(200));
        let plan = samples::propose(owner, &file, json!([edit])).await.await.status(200)["plan"].clone();
        let path = |file: &str| format!("/v1/{collection}/{file}/edit-plans/{}/apply", plan["id"].text());
        let etag = plan["base_etag"].text().to_owned();
        fixtures.push(OperationFixture::on(operation, path(&file), path(MISSING), move |who, path| {
            who.post(path).fresh_key().header("if-match", &etag).json(json!({}))
        }));
    }
    let more = json!([{"op": "insert_block", "block": {"type": "paragraph", "segments": [{"text": "Even more."}]}}]);
    for (operation, verb, body) in [
        ("get_edit_plan", "", json!({})),
        ("get_plan_receipt", "receipt", json!({})),
        ("rebase_edit_plan", "rebase", json!({})),
        ("discard_edit_plan", "discard", json!({})),
        ("request_plan_review", "request-review", json!({})),
        ("approve_edit_plan", "approve", json!({})),
        ("reject_edit_plan", "reject", json!({"reason": "No."})),
        ("return_edit_plan", "return", json!({"reason": "No."})),
        ("amend_edit_plan", "amend", json!({"operations": more})),
        ("revise_edit_plan", "revise", json!({"operations": more})),
        ("split_edit_plan", "split", json!({"changes": ["c1"]})),
        ("compare_edit_plans", "compare", json!({})),
    ] {
        let file = samples::id(&samples::create(owner, "Plan").await);
        // Only the author discards a plan or asks for its review, and only others judge it.
        let is_of_others = matches!(verb, "approve" | "reject" | "return" | "amend");
        let author = if is_of_others { &colleague } else { owner };
        // A part is of some changes, so its plan has two.
        let two = json!([more[0], more[0]]);
        let plan = match verb {
            "split" => samples::propose(author, &file, two).await.await.status(200)["plan"].clone(),
            _ => samples::plan(author, &file, "More.").await,
        };
        // A plan lives for minutes, and one in review for days.
        if matches!(verb, "approve" | "reject" | "return" | "amend" | "split") {
            samples::step(author, &plan, "request-review", json!({})).await.status(200);
        }
        let etag = samples::etag(owner, &file).await;
        let path = |file: &str| format!("/v1/files/{file}/edit-plans/{}", plan["id"].text());
        let with = plan["id"].text().to_owned();
        fixtures.push(OperationFixture::on(operation, path(&file), path(MISSING), move |who, path| match verb {
            "" => who.get(path),
            "receipt" => who.get(format!("{path}/receipt")),
            "compare" => who.get(format!("{path}/compare?with={with}")),
            _ => who.post(format!("{path}/{verb}")).fresh_key().header("if-match", &etag).json(body.clone()),
        }));
    }
    fixtures.extend(proposals);
    fixtures.extend(of_word(owner).await);
    fixtures
}

async fn of_word(owner: &Caller) -> Vec<OperationFixture> {
    let file = samples::id(&samples::create(owner, "Plan").await);
    let plan = samples::plan(owner, &file, "More.").await;
    let path = |file: &str| format!("/v1/documents/{file}/edit-plans/{}", plan["id"].text());
    let (known, unknown) = (path(&file), path(MISSING));
    let word = owner.get(format!("{known}/word")).await.status(200);
    let upload = samples::id(&uploads::uploaded(owner, word.bytes()).await);
    vec![
        OperationFixture::on("export_plan_to_word", known.clone(), unknown.clone(), |who, path| {
            who.get(format!("{path}/word"))
        }),
        OperationFixture::on("read_word_choices", known, unknown, move |who, path| {
            who.get(format!("{path}/word-choices?word_file_id={upload}"))
        }),
    ]
}

async fn of_proposals(owner: &Caller, colleague: &Caller) -> Vec<OperationFixture> {
    let mut fixtures = Vec::new();
    fixtures.push(OperationFixture::of("list_proposals", |who| who.get("/v1/proposals")));
    for (operation, verb, body) in [
        ("get_proposal", "", json!({})),
        ("change_proposal", "/plans", json!({})),
        ("request_proposal_review", "/request-review", json!({})),
        ("approve_proposal", "/approve", json!({})),
        ("reject_proposal", "/reject", json!({"reason": "No."})),
        ("discard_proposal", "/discard", json!({})),
        ("rebase_proposal", "/rebase", json!({})),
        ("apply_proposal", "/apply", json!({})),
        ("undo_proposal", "/undo", json!({})),
    ] {
        let author = if matches!(verb, "/approve" | "/reject") { colleague } else { owner };
        let file = samples::id(&samples::create(owner, "Plan").await);
        let plan = samples::plan(author, &file, "More.").await;
        let named = json!({"file_id": file, "plan_id": plan["id"]});
        let body = if verb == "/plans" { json!({"remove": [plan["id"]], "add": [named]}) } else { body };
        let together = json!({"title": "Both", "plans": [named]});
        let proposal = author.post("/v1/proposals").fresh_key().json(together).await.status(200);
        let path = |id: &str| format!("/v1/proposals/{id}");
        let known = path(proposal["proposal"]["id"].text());
        let seen = json!({"proposal_sha256": proposal["proposal"]["proposal_sha256"]});
        let body = if matches!(verb, "/approve" | "/rebase" | "/apply") { seen.clone() } else { body };
        // A plan lives for minutes, and one in review for days.
        let before: &[(&Caller, &str)] = match verb {
            "/approve" | "/reject" => &[(colleague, "/request-review")],
            "/apply" => &[(owner, "/request-review"), (colleague, "/approve")],
            "/undo" => &[(owner, "/apply")],
            _ => &[],
        };
        for (who, step) in before {
            let body = if *step == "/request-review" { json!({}) } else { seen.clone() };
            who.post(format!("{known}{step}")).fresh_key().json(body).await.status(200);
        }
        let unknown = path("prop_ffffffffffffffffffffffffffffffff");
        let fixture = OperationFixture::on(operation, known, unknown, move |who, path| match verb {
            "" => who.get(path),
            _ => who.post(format!("{path}{verb}")).fresh_key().json(body.clone()),
        });
        // The suites take a minute for each operation, and a plan lives for fifteen.
        let place = if matches!(verb, "/plans" | "/request-review") { 0 } else { fixtures.len() };
        fixtures.insert(place, fixture);
    }
    let file = samples::id(&samples::create(owner, "Plan").await);
    let plan = samples::plan(owner, &file, "More.").await;
    let create = OperationFixture::on("create_proposal", file, MISSING, move |who, file| {
        let together = json!({"title": "Both", "plans": [{"file_id": file, "plan_id": plan["id"]}]});
        who.post("/v1/proposals").fresh_key().json(together)
    });
    fixtures.insert(0, create);
    fixtures
}

fn page() -> Value {
    json!({"name": "Page", "size": "a4", "orientation": "portrait", "background": "#ffffff", "elements": []})
}

fn slide() -> Value {
    json!({"name": "Slide", "background": "#ffffff", "elements": [], "notes": ""})
}
