//! The life of a proposal: proposed, changed, reviewed, applied, undone.

use std::time::Duration;

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Stage, Text as _};

use super::{act, all_blocks, blocks, named, planned, propose, state};
use crate::samples::{self, apply, plan, step};

#[shared_testing::test]
async fn plans_are_proposed_approved_applied_and_undone_together() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let plans = planned(&ada, 3).await;
    let proposal = propose(&ada, &plans).await;
    assert_eq!((&proposal["state"], &proposal["title"]), (&json!("proposed"), &json!("New prices")));
    assert_eq!(proposal["plans"].as_array().map(Vec::len), Some(3));
    assert_eq!(proposal["plans"][0]["proposal_id"], proposal["id"]);
    assert_eq!(proposal["plans"][0]["file_name"], "File 0");

    act(&ada, &proposal, "request-review", json!({"note": "All of it?"})).await.status(200);
    act(&ada, &proposal, "approve", json!({})).await.refused(403, "self_approval");
    act(&ada, &proposal, "apply", json!({})).await.refused(403, "approval_required");
    stage.clock.advance(Duration::from_secs(86_400));
    let (ada, bob2) = (stage.caller("ada"), stage.caller("bob"));
    let approved = act(&bob2, &proposal, "approve", json!({})).await.status(200);
    assert_eq!(state(&approved), "approved");
    assert_eq!(approved["proposal"]["review"]["by"]["id"], "bob");
    let applied = act(&ada, &proposal, "apply", json!({})).await.status(200);
    assert_eq!(state(&applied), "applied");
    assert_eq!(all_blocks(&ada, &plans).await, [2, 2, 2]);
    assert_eq!(stage.count("receipts"), 6, "of the approval and of the application of each plan");
    act(&ada, &proposal, "apply", json!({})).await.refused(409, "proposal_state");

    let undone = act(&ada, &proposal, "undo", json!({})).await.status(200);
    assert_eq!(state(&undone), "undone");
    assert_eq!(all_blocks(&ada, &plans).await, [1, 1, 1]);
    act(&ada, &proposal, "undo", json!({})).await.refused(409, "proposal_state");
    drop(bob);
}

#[shared_testing::test]
async fn all_are_applied_or_none_and_a_rebase_helps() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let plans = planned(&ada, 3).await;
    let other = plan(&ada, plans[1]["file_id"].text(), "other").await;
    let proposal = propose(&ada, &plans).await;
    act(&ada, &proposal, "request-review", json!({})).await.status(200);
    act(&bob, &proposal, "approve", json!({})).await.status(200);
    apply(&ada, &other).await.await.status(200);
    let refused = act(&ada, &proposal, "apply", json!({})).await.refused(409, "plan_stale");
    assert!(refused["error"]["message"].text().contains(plans[1]["file_id"].text()), "{refused:?}");
    assert!(refused["error"]["next_action"]["href"].text().ends_with("/rebase"), "{refused:?}");
    assert_eq!(all_blocks(&ada, &plans).await, [1, 2, 1], "none of them");

    let rebased = act(&ada, &proposal, "rebase", json!({})).await.status(200);
    assert_eq!(state(&rebased), "in_review", "an approval is of all plans together");
    let now = rebased["proposal"].clone();
    assert_ne!(now["proposal_sha256"], proposal["proposal_sha256"]);
    assert_eq!(now["plans"].as_array().map(Vec::len), Some(3));
    act(&ada, &now, "apply", json!({})).await.refused(403, "approval_required");
    act(&bob, &now, "approve", json!({})).await.status(200);
    act(&ada, &now, "apply", json!({})).await.status(200);
    assert_eq!(all_blocks(&ada, &plans).await, [2, 3, 2]);
    // One file has changed since.
    let later = plan(&ada, plans[2]["file_id"].text(), "later").await;
    apply(&ada, &later).await.await.status(200);
    let refused = act(&ada, &proposal, "undo", json!({})).await.refused(409, "plan_stale");
    let message = format!("{}: The file has changed since the proposal was applied.", plans[2]["file_id"].text());
    assert_eq!(refused["error"]["message"], message);
    assert_eq!(all_blocks(&ada, &plans).await, [2, 3, 3]);
}

/// A spreadsheet with a comment on its total, and a plan that moves it down by `rows`.
async fn planned_total(caller: &Caller, rows: usize) -> Value {
    let content = json!({"kind": "sheets", "sheets": [{"name": "S", "cells": [["1"], ["=SUM(A1:A1)"]]}]});
    let created = caller.post("/v1/spreadsheets").fresh_key().json(json!({"name": "Budget", "content": content}));
    let id = samples::id(&created.await.status(200));
    let place = json!({"range": "S!A2"});
    let remark = json!({"text": "Is it right?", "anchor": place});
    caller.post(format!("/v1/files/{id}/comments")).fresh_key().json(remark).await.status(200);
    let protection = caller.request("PUT", format!("/v1/files/{id}/protection"));
    protection.fresh_key().json(json!({"protected": [place]})).await.status(200);
    let insert = json!([{"op": "insert_rows", "sheet": "S", "row": 1, "count": rows}]);
    samples::propose(caller, &id, insert).await.await.status(200)["plan"].clone()
}

#[shared_testing::test]
async fn each_file_gets_its_own_version_and_moves_its_own_places() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let mut plans = vec![planned_total(&ada, 1).await];
    plans.extend(planned(&ada, 1).await);
    let same = samples::id(&samples::document_of(&ada, &["old"]).await);
    let clear = json!([{"op": "insert_block", "block": {"id": "x", "type": "paragraph", "segments": [{"text": "x"}]}},
        {"op": "delete_block", "block_id": "x"}]);
    let nothing = samples::propose(&ada, &same, clear).await.await.status(200)["plan"].clone();
    assert_eq!(nothing["no_op"], true);
    plans.extend([nothing.clone(), planned_total(&ada, 3).await]);
    let before = samples::etag(&ada, &same).await;
    let changes = stage.count("changes");
    let proposal = propose(&ada, &plans).await;
    let applied = act(&ada, &proposal, "apply", json!({})).await.status(200)["proposal"]["plans"].clone();

    assert_eq!(stage.count("changes"), changes + 3, "one for each new version");
    let feed = ada.get("/v1/changes").await.status(200);
    let versions: Vec<_> = feed["items"].as_array().expect("changes").iter().rev().take(3).rev().collect();
    let changed = [&plans[0], &plans[1], &plans[3]];
    for (change, planned) in versions.into_iter().zip(changed) {
        let place = plans.iter().position(|one| one["id"] == planned["id"]).expect("it is there");
        let file = samples::record(&ada, planned["file_id"].text()).await["file"].clone();
        assert_eq!(change["file_id"], planned["file_id"]);
        assert_eq!(change["plan_id"], planned["id"]);
        assert_eq!(change["version_id"], file["current_version_id"]);
        assert_eq!(applied[place]["applied_version_id"], file["current_version_id"]);
        let stored = ada.get(format!("/v1/files/{}/edit-plans/{}", file["id"].text(), planned["id"].text()));
        assert_eq!(stored.await.status(200)["plan"]["applied_version_id"], file["current_version_id"]);
    }
    // Otherwise a walk by the last change, or a search, would miss one of them.
    let noted = "SELECT count(*) AS number FROM files JOIN search_entries ON search_entries.file_id = files.id
        JOIN changes ON changes.workspace_id = files.workspace_id AND changes.sequence = files.change_sequence
        WHERE changes.file_id = files.id AND search_entries.sequence >= files.change_sequence";
    assert_eq!(samples::number(&stage, noted).await, 4);
    assert_eq!(samples::etag(&ada, &same).await, before, "what changes nothing adds no version");
    assert_eq!((&applied[2]["state"], &applied[2]["applied_version_id"]), (&json!("applied"), &Value::Null));
    for (planned, place) in [(&plans[0], "S!A3"), (&plans[3], "S!A5")] {
        let id = planned["file_id"].text();
        let comments = samples::all(&ada, &format!("/v1/files/{id}/comments?limit=10")).await;
        assert_eq!(comments[0]["anchor"], json!({"range": place}));
        let details = ada.get(format!("/v1/files/{id}/details")).await.status(200);
        assert_eq!(details["details"]["protected"], json!([{"range": place}]));
    }
    let receipts = samples::all(&ada, "/v1/receipts?limit=50").await;
    let named: Vec<_> = receipts.iter().map(|receipt| receipt["statement"]["plan_id"].clone()).collect();
    assert_eq!(named, plans.iter().map(|plan| plan["id"].clone()).collect::<Vec<_>>());
}

#[shared_testing::test]
async fn a_plan_of_a_proposal_is_decided_only_with_it() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let plans = planned(&ada, 2).await;
    let proposal = propose(&ada, &plans).await;
    apply(&ada, &plans[0]).await.await.refused(409, "plan_state");
    for (verb, body) in [("discard", json!({})), ("request-review", json!({})), ("split", json!({"changes": ["c1"]}))] {
        step(&ada, &plans[0], verb, body).await.refused(409, "plan_state");
    }
    let etag = samples::etag(&ada, plans[0]["file_id"].text()).await;
    step(&ada, &plans[0], "rebase", json!({})).header("if-match", etag).await.refused(409, "plan_state");
    act(&ada, &proposal, "request-review", json!({})).await.status(200);
    for (verb, body) in
        [("approve", json!({})), ("reject", json!({"reason": "No."})), ("return", json!({"reason": "No."}))]
    {
        step(&bob, &plans[0], verb, body).await.refused(409, "plan_state");
    }
    let rejected = act(&bob, &proposal, "reject", json!({"reason": "Too dear."})).await.status(200);
    assert_eq!((state(&rejected), &rejected["proposal"]["review"]["reason"]), ("rejected", &json!("Too dear.")));
    let plan = ada.get(format!("/v1/files/{}/edit-plans/{}", plans[1]["file_id"].text(), plans[1]["id"].text()));
    assert_eq!(plan.await.status(200)["plan"]["state"], "rejected");
}

#[shared_testing::test]
async fn plans_are_added_and_taken_out_before_a_review() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let plans = planned(&ada, 3).await;
    let proposal = propose(&ada, &plans[..2]).await;
    let change = json!({"add": named(&plans[2..]), "remove": [plans[0]["id"]]});
    act(&bob, &proposal, "plans", change.clone()).await.refused(403, "not_plan_author");
    let changed = act(&ada, &proposal, "plans", change).await.status(200);
    let files: Vec<_> = changed["proposal"]["plans"].as_array().expect("plans").iter().map(|p| &p["file_id"]).collect();
    assert_eq!(files, [&plans[1]["file_id"], &plans[2]["file_id"]]);
    let again = act(&ada, &proposal, "plans", json!({"remove": [plans[0]["id"]]})).await.refused(422, "invalid_field");
    assert_eq!(again["error"]["next_action"]["problems"][0]["at"], "/remove");
    apply(&ada, &plans[0]).await.await.status(200);
    let none = json!({"remove": [plans[1]["id"], plans[2]["id"]]});
    act(&ada, &proposal, "plans", none).await.refused(422, "invalid_field");
    act(&ada, &proposal, "request-review", json!({})).await.status(200);
    act(&ada, &proposal, "plans", json!({"remove": [plans[1]["id"]]})).await.refused(409, "proposal_state");
    act(&bob, &proposal, "discard", json!({})).await.refused(403, "not_plan_author");
    let discarded = act(&ada, &proposal, "discard", json!({})).await.status(200);
    assert_eq!(state(&discarded), "discarded");
    let listed = bob.get("/v1/proposals").await.status(200);
    assert_eq!((&listed["items"][0]["id"], &listed["items"][0]["state"]), (&proposal["id"], &json!("discarded")));
    let open = bob.get("/v1/proposals?state=proposed").await.status(200);
    assert_eq!(open["items"], json!([]));
}

#[shared_testing::test]
async fn a_caller_of_another_workspace_sees_no_proposal() {
    let stage = Stage::of(service()).await;
    let (ada, carol) = (stage.caller("ada"), stage.caller("carol").workspace(2));
    let plans = planned(&ada, 2).await;
    let proposal = propose(&ada, &plans).await;
    for path in ["/v1/proposals", "/v1/proposals?state=proposed"] {
        let own = ada.get(path).await.status(200);
        assert_eq!(own["items"][0]["id"], proposal["id"], "{path}");
        let foreign = carol.get(path).await.status(200);
        assert_eq!(foreign["items"], json!([]), "{path}");
    }
    carol.get(format!("/v1/proposals/{}", proposal["id"].text())).await.refused(404, "not_found");
}

#[shared_testing::test]
async fn what_cannot_be_put_together_is_refused() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let plans = planned(&ada, 1).await;
    let second = plan(&ada, plans[0]["file_id"].text(), "second").await;
    let body = |plans: Value| json!({"title": "T", "plans": plans});
    let post = |caller: &Caller, body: Value| caller.post("/v1/proposals").fresh_key().json(body);
    let two = post(&ada, body(named(&[plans[0].clone(), second.clone()]))).await.refused(422, "invalid_field");
    assert!(two["error"]["message"].text().contains("one plan for each file"), "{two:?}");
    post(&bob, body(named(&plans))).await.refused(403, "not_plan_author");
    post(&ada, body(json!([]))).await.refused(422, "invalid_field");
    for title in ["", "a\nb", "a\tb", "a\u{202e}b", "a\u{200b}b"] {
        let odd = json!({"title": title, "plans": named(&plans)});
        post(&ada, odd).await.refused(422, "invalid_field").problems_at(&["/title"]);
    }
    let elsewhere = json!([{"file_id": "file_999", "plan_id": plans[0]["id"]}]);
    post(&ada, body(elsewhere)).await.refused(404, "not_found");
    let proposal = propose(&ada, &plans).await;
    post(&ada, body(named(&plans))).await.refused(409, "plan_state");
    let foreign = stage.caller("carol").workspace(2);
    act(&foreign, &proposal, "apply", json!({})).await.refused(404, "not_found");
}

#[shared_testing::test]
async fn a_file_in_the_trash_holds_all_and_a_purged_one_ends_the_proposal() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let plans = planned(&ada, 2).await;
    let proposal = propose(&ada, &plans).await;
    act(&ada, &proposal, "request-review", json!({})).await.status(200);
    act(&bob, &proposal, "approve", json!({})).await.status(200);
    let id = plans[0]["file_id"].text();
    samples::command(&ada, id, "trash", json!({})).await.await.status(200);
    act(&ada, &proposal, "apply", json!({})).await.refused(409, "file_trashed");
    samples::command(&ada, id, "purge", json!({})).await.await.status(200);
    act(&ada, &proposal, "apply", json!({})).await.refused(409, "proposal_state");
    assert_eq!(blocks(&ada, &plans[1]).await, 1);
    let discarded = act(&ada, &proposal, "discard", json!({})).await.status(200);
    assert_eq!(discarded["proposal"]["plans"].as_array().map(Vec::len), Some(1));
}

/// A proposal of two plans, the first of them, and the folder in the trash that hides its file.
async fn half_hidden(ada: &Caller, name: &str, is_in_review: bool) -> (Value, Value, String) {
    let folder = samples::folder(ada, name, None).await;
    let hidden = plan(ada, &samples::document_in(ada, "Inside", &folder).await, "more").await;
    let proposal = propose(ada, &[vec![hidden.clone()], planned(ada, 1).await].concat()).await;
    if is_in_review {
        act(ada, &proposal, "request-review", json!({})).await.status(200);
    }
    samples::command(ada, &folder, "trash", json!({})).await.await.status(200);
    (proposal, hidden, folder)
}

/// The plan as it is when its folder is back.
async fn shown_again(ada: &Caller, (plan, folder): (&Value, &str)) -> Value {
    samples::command(ada, folder, "restore", json!({})).await.await.status(200);
    let path = format!("/v1/files/{}/edit-plans/{}", plan["file_id"].text(), plan["id"].text());
    ada.get(path).await.status(200)["plan"].clone()
}

#[shared_testing::test]
async fn what_a_folder_in_the_trash_hides_ends_with_its_proposal() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let cases = [(&ada, "discard", json!({}), "discarded"), (&bob, "reject", json!({"reason": "No."}), "rejected")];
    for (caller, verb, body, end) in cases {
        let (proposal, hidden, folder) = half_hidden(&ada, verb, true).await;
        let ended = act(caller, &proposal, verb, body).await.status(200);
        assert_eq!(ended["proposal"]["plans"].as_array().map(Vec::len), Some(1), "what is visible");
        assert_eq!(shown_again(&ada, (&hidden, &folder)).await["state"], end);
    }
}

#[shared_testing::test]
async fn what_a_folder_in_the_trash_hides_leaves_a_proposal_that_is_changed() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let (proposal, hidden, folder) = half_hidden(&ada, "Folder", false).await;
    let others = json!({"add": named(&planned(&ada, 1).await)});
    let changed = act(&ada, &proposal, "plans", others).await.status(200)["proposal"].clone();
    let alone = shown_again(&ada, (&hidden, &folder)).await;
    assert_eq!((&alone["state"], &alone["proposal_id"]), (&json!("proposed"), &Value::Null));
    act(&ada, &changed, "apply", json!({})).await.status(200);
    apply(&ada, &alone).await.await.status(200);
}

#[shared_testing::test]
async fn an_expired_proposal_is_rebased() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let plans = planned(&ada, 2).await;
    let proposal = propose(&ada, &plans).await;
    stage.clock.advance(Duration::from_secs(901));
    let ada = stage.caller("ada");
    let other = planned(&ada, 1).await.remove(0);
    let others = json!({"add": [{"file_id": other["file_id"], "plan_id": other["id"]}]});
    for (step, body) in [
        ("apply", json!({})),
        ("plans", others),
        ("plans", json!({"remove": [plans[0]["id"]]})),
        ("request-review", json!({})),
    ] {
        let refused = act(&ada, &proposal, step, body).await.refused(409, "plan_expired");
        assert!(refused.leads_to("rebase").ends_with(&format!("/{}/rebase", proposal["id"].text())), "{refused}");
    }
    act(&ada, &proposal, "plans", json!({})).await.refused(422, "invalid_field");
    let rebased = act(&ada, &proposal, "rebase", json!({})).await.status(200);
    assert_eq!((state(&rebased), &rebased["proposal"]["expired"]), ("proposed", &json!(false)));
    act(&ada, &rebased["proposal"], "apply", json!({})).await.status(200);
    assert_eq!(all_blocks(&ada, &plans).await, [2, 2]);
}

#[shared_testing::test]
async fn a_file_in_the_trash_is_named_before_a_conflict_in_another() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let edit = |text: &str| {
        let block = json!({"type": "paragraph", "segments": [{"text": text}]});
        json!([{"op": "replace_block", "block_id": "b0", "block": block}])
    };
    let mine = samples::propose(&ada, &id, edit("ONE")).await.await.status(200)["plan"].clone();
    let theirs = samples::propose(&ada, &id, edit("1")).await.await.status(200)["plan"].clone();
    let other = planned(&ada, 1).await.remove(0);
    let proposal = propose(&ada, &[mine, other.clone()]).await;
    apply(&ada, &theirs).await.await.status(200);
    let other = other["file_id"].text();
    samples::command(&ada, other, "trash", json!({})).await.await.status(200);
    let refused = act(&ada, &proposal, "rebase", json!({})).await.refused(409, "file_trashed");
    assert!(refused["error"]["next_action"]["href"].text().contains(other), "{refused}");
    assert!(refused["error"]["message"].text().starts_with(&format!("{other}: ")), "{refused}");
    samples::command(&ada, other, "restore", json!({})).await.await.status(200);
    let conflict = act(&ada, &proposal, "rebase", json!({})).await.refused(409, "plan_conflict");
    assert!(conflict["error"]["message"].text().starts_with(&id), "{conflict}");
}

#[shared_testing::test]
async fn twenty_at_once_apply_a_proposal_once() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let plans = planned(&ada, 3).await;
    let proposal = propose(&ada, &plans).await;
    let requests = (0..20).map(|_| async { act(&ada, &proposal, "apply", json!({})).await.status });
    let answers = futures_util::future::join_all(requests).await;
    assert_eq!(answers.iter().filter(|status| **status == 200).count(), 1, "{answers:?}");
    assert!(answers.iter().all(|status| matches!(status, 200 | 409)), "{answers:?}");
    assert_eq!(all_blocks(&ada, &plans).await, [2, 2, 2]);
}

#[shared_testing::test]
async fn no_approval_of_a_proposal_is_carried() {
    let stage = Stage::of(service()).await;
    let (ada, bob, carol) = (stage.caller("ada"), stage.caller("bob"), stage.caller("carol"));
    let replace =
        |block: &str| json!([{"op": "replace_block", "block_id": block, "block": {"type": "quote", "segments": []}}]);
    let mut plans = Vec::new();
    for _ in 0..2 {
        let id = samples::id(&samples::document_of(&ada, &["zero", "one", "two", "three", "four"]).await);
        let request = samples::propose(&ada, &id, replace("b0")).await;
        plans.push(request.await.status(200)["plan"].clone());
    }
    let proposal = propose(&ada, &plans).await;
    act(&ada, &proposal, "request-review", json!({})).await.status(200);
    act(&bob, &proposal, "approve", json!({})).await.status(200);
    // A rebase of this plan alone would keep its approval.
    let other = samples::propose(&carol, plans[0]["file_id"].text(), replace("b4")).await;
    apply(&carol, &other.await.status(200)["plan"]).await.await.status(200);
    let rebased = act(&ada, &proposal, "rebase", json!({})).await.status(200);
    for plan in rebased["proposal"]["plans"].as_array().expect("plans") {
        assert_eq!((&plan["state"], &plan["approval_carried_from"]), (&json!("in_review"), &Value::Null), "{plan}");
    }
    act(&ada, &rebased["proposal"], "apply", json!({})).await.refused(403, "approval_required");
}

#[shared_testing::test]
async fn the_plans_of_a_proposal_are_not_too_large_together() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let plans = planned(&ada, 2).await;
    samples::sql(&stage, "UPDATE edit_plans SET text_bytes = 9000000, content_bytes = 9000000").await;
    let body = json!({"title": "Much", "plans": named(&plans)});
    ada.post("/v1/proposals").fresh_key().json(body).await.refused(422, "invalid_field").problems_at(&["/plans"]);
    let proposal = propose(&ada, &plans[..1]).await;
    let added = act(&ada, &proposal, "plans", json!({"add": named(&plans[1..])})).await;
    added.refused(422, "invalid_field").problems_at(&["/add"]);
}
