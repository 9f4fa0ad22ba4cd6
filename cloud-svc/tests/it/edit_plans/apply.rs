//! `POST /v1/documents/{file_id}/edit-plans/{plan_id}/apply`.

use std::{collections::BTreeMap, time::Duration};

use cloud_svc::{
    WorkspaceId,
    base::ids::PlanId,
    edits::plans::{outcome::Outcomes, sweep},
    service,
};
use serde_json::{Value, json};
use shared_testing::{Caller, Response, Stage, Text, together};

use crate::samples;

/// The etag of the plan's file, altered.
fn apply_as_seen(caller: &Caller, plan: &Value, etag: &str) -> shared_testing::Request {
    caller.post(plan["apply_url"].text()).header("if-match", etag).json(json!({}))
}

fn statuses(responses: &[Response]) -> BTreeMap<String, usize> {
    let mut statuses = BTreeMap::new();
    for response in responses {
        let code = response["error"]["code"].as_str().map_or_else(|| response.status.to_string(), str::to_owned);
        *statuses.entry(code).or_default() += 1;
    }
    statuses
}

#[shared_testing::test]
async fn an_applied_plan_writes_what_its_preview_showed() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let plan = samples::plan(&ada, &id, "two").await;
    let applied = samples::apply(&ada, &plan).await.await.status(200);
    assert_eq!(applied["plan"]["applied_version_id"], applied["file"]["current_version_id"]);
    assert_eq!(applied.header("etag"), applied["file"]["etag"].text());
    let document = ada.get(format!("/v1/documents/{id}")).await.status(200);
    let blocks = document["content"]["blocks"].as_array().expect("blocks");
    assert_eq!(blocks[1], plan["changes"][0]["after"]);
    let version = ada.get(format!("/v1/files/{id}/versions")).await.status(200)["items"][0].clone();
    assert_eq!((&version["sha256"], &version["plan_id"]), (&plan["proposal_sha256"], &plan["id"]));
    let read = ada.get(format!("/v1/files/{id}/edit-plans/{}", plan["id"].text())).await.status(200);
    assert_eq!((&read["plan"]["state"], &read["plan"]["stale"]), (&json!("applied"), &json!(true)));
    let again = samples::apply(&ada, &plan).await.await.refused(409, "plan_already_applied");
    assert_eq!(again["error"]["next_action"]["type"], "refresh");
}

#[shared_testing::test]
async fn twenty_plans_on_one_base_are_all_applied_by_following_the_refusals() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let mut plans = Vec::new();
    for number in 0..20 {
        plans.push(samples::plan(&ada, &id, &format!("line {number}")).await);
    }
    let seen = samples::etag(&ada, &id).await;
    let answers = together(plans.iter().map(|plan| apply_as_seen(&ada, plan, &seen).fresh_key())).await;
    assert_eq!(statuses(&answers), [("200".to_owned(), 1), ("etag_mismatch".to_owned(), 19)].into());
    for (plan, answer) in plans.iter().zip(answers) {
        stage.clock.advance(Duration::from_secs(10));
        follow(&ada, plan.clone(), answer).await;
    }
    let document = ada.get(format!("/v1/documents/{id}")).await.status(200);
    assert_eq!(document["content"]["blocks"].as_array().map(Vec::len), Some(21));
}

#[shared_testing::test]
async fn a_stale_plan_is_rebased_after_one_refusal() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let (one, two) = (samples::plan(&ada, &id, "two").await, samples::plan(&ada, &id, "three").await);
    samples::apply(&ada, &one).await.await.status(200);
    let stale = apply_as_seen(&ada, &two, two["base_etag"].text()).fresh_key().await.refused(412, "etag_mismatch");
    let etag = stale["error"]["next_action"]["etag"].text().to_owned();
    let rebase = ada.post(stale.leads_to("rebase")).fresh_key().header("if-match", etag.as_str()).json(json!({}));
    let rebased = rebase.await.status(200)["plan"].clone();
    apply_as_seen(&ada, &rebased, &etag).fresh_key().await.status(200);
}

#[shared_testing::test]
async fn an_old_etag_with_a_plan_that_is_not_stale_is_refreshed() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let old = samples::etag(&ada, &id).await;
    samples::command(&ada, &id, "rename", json!({"name": "Other"})).await.await.status(200);
    let plan = samples::plan(&ada, &id, "two").await;
    let mismatch = apply_as_seen(&ada, &plan, &old).fresh_key().await.refused(412, "etag_mismatch");
    let read = ada.get(mismatch.leads_to("refresh")).await.status(200);
    apply_as_seen(&ada, &plan, read["file"]["etag"].text()).fresh_key().await.status(200);
}

/// Does only what each refusal says until the plan is applied.
async fn follow(caller: &Caller, mut plan: Value, mut answer: Response) {
    for _ in 0..5 {
        if answer.status == 200 {
            return;
        }
        let action = answer["error"]["next_action"].clone();
        let etag = action["etag"].text();
        answer = match action["type"].text() {
            "refresh" => apply_as_seen(caller, &plan, etag).fresh_key().await,
            "rebase" => {
                let rebase = |etag: &str| {
                    caller.post(action["href"].text()).fresh_key().header("if-match", etag).json(json!({}))
                };
                let mut rebased = rebase(etag).await;
                if rebased.status == 412 {
                    // Others were faster since the answer came.
                    rebased = rebase(rebased["error"]["next_action"]["etag"].text()).await;
                }
                plan = rebased.status(200)["plan"].clone();
                apply_as_seen(caller, &plan, plan["base_etag"].text()).fresh_key().await
            }
            other => panic!("{other}: {answer}"),
        };
    }
    panic!("no end: {answer}");
}

#[shared_testing::test]
async fn one_plan_applied_twenty_times_at_once_makes_one_version() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let plan = samples::plan(&ada, &id, "two").await;
    let seen = samples::etag(&ada, &id).await;
    let answers = together((0..20).map(|_| apply_as_seen(&ada, &plan, &seen).fresh_key())).await;
    assert_eq!(statuses(&answers), [("200".to_owned(), 1), ("plan_already_applied".to_owned(), 19)].into());
    assert_eq!(stage.count("versions"), 2);
}

#[shared_testing::test]
async fn the_retry_of_an_apply_replays() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let plan = samples::plan(&ada, &id, "two").await;
    let seen = samples::etag(&ada, &id).await;
    let apply = || apply_as_seen(&ada, &plan, &seen).key("k");
    let first = apply().await.status(200);
    let again = apply().await.status(200);
    assert_eq!((&again["replayed"], &again["file"]), (&json!(true), &first["file"]));
    assert_eq!(stage.count("versions"), 2);
}

#[shared_testing::test]
async fn a_plan_expires() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let plan = samples::plan(&ada, &id, "two").await;
    stage.clock.advance(Duration::from_secs(899));
    let read = async || ada.get(format!("/v1/files/{id}/edit-plans/{}", plan["id"].text())).await;
    assert_eq!(read().await.status(200)["plan"]["state"], "proposed");
    stage.clock.advance(Duration::from_secs(1));
    assert_eq!(read().await.status(200)["plan"]["state"], "expired");
    let late = samples::apply(&ada, &plan).await.await.refused(409, "plan_expired");
    sweep::CONTENTS.run(&stage.context.db, stage.now()).await.expect("swept");
    assert_eq!(late["error"]["next_action"]["type"], "rebase");
    let rebase = samples::step(&ada, &plan, "rebase", json!({})).header("if-match", plan["base_etag"].text());
    let rebased = rebase.await.status(200)["plan"].clone();
    assert_eq!(rebased["changes"], plan["changes"]);
    samples::apply(&ada, &rebased).await.await.status(200);
    stage.clock.advance(Duration::from_secs(2_592_000));
    sweep::PLANS.run(&stage.context.db, stage.now()).await.expect("swept");
    let later = stage.caller("ada").get(format!("/v1/files/{id}/edit-plans/{}", plan["id"].text()));
    later.await.refused(404, "not_found");
}

/// A command that began before the end of a plan may run after the sweep.
#[shared_testing::test]
async fn a_plan_whose_content_is_swept_is_expired() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let plan = samples::plan(&ada, &id, "two").await;
    stage.clock.advance(Duration::from_secs(899));
    sweep::CONTENTS.run(&stage.context.db, stage.now().plus(Duration::from_secs(1))).await.expect("swept");
    let read = ada.get(format!("/v1/files/{id}/edit-plans/{}", plan["id"].text())).await.status(200);
    assert_eq!(read["plan"]["state"], "expired");
    let late = samples::step(&ada, &plan, "request-review", json!({})).await.refused(409, "plan_expired");
    assert_eq!(late["error"]["next_action"]["type"], "rebase");
    samples::apply(&ada, &plan).await.await.refused(409, "plan_expired");
    let rebase = samples::step(&ada, &plan, "rebase", json!({})).header("if-match", plan["base_etag"].text());
    let rebased = rebase.await.status(200);
    assert_eq!(rebased["joined"], false);
    samples::apply(&ada, &rebased["plan"]).await.await.status(200);
}

#[shared_testing::test]
async fn a_discarded_plan_is_read_and_not_applied() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let plan = samples::plan(&ada, &id, "two").await;
    assert_eq!(samples::step(&ada, &plan, "discard", json!({})).await.status(200)["plan"]["state"], "discarded");
    samples::apply(&ada, &plan).await.await.refused(409, "plan_discarded");
    samples::step(&ada, &plan, "discard", json!({})).await.refused(409, "plan_discarded");
    // In any state, the plan of somebody else.
    samples::step(&stage.caller("bob"), &plan, "discard", json!({})).await.refused(403, "not_plan_author");
    let rebase = samples::step(&ada, &plan, "rebase", json!({})).header("if-match", plan["base_etag"].text());
    rebase.await.refused(409, "plan_discarded");
    assert_eq!(ada.get(format!("/v1/files/{id}/edit-plans")).await.status(200)["items"], json!([]));
}

#[shared_testing::test]
async fn a_plan_is_applied_only_to_its_own_file_and_type() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let one = samples::id(&samples::document_of(&ada, &["one"]).await);
    let two = samples::id(&samples::document_of(&ada, &["two"]).await);
    let plan = samples::plan(&ada, &one, "more").await;
    let path = plan["apply_url"].text().replace(&one, &two);
    let etag = samples::etag(&ada, &two).await;
    let other = ada.post(path).fresh_key().header("if-match", etag).json(json!({})).await;
    other.refused(404, "not_found");
}

/// A plan may join its proposal between the read of the texts and the transaction.
#[shared_testing::test]
async fn what_was_not_prepared_is_read_in_the_transaction() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let plan = samples::plan(&ada, &id, "two").await;
    let id: PlanId = plan["id"].text().parse().expect("an id");
    let of = |workspace: i64| {
        stage.context.read(move |conn| {
            let nothing = Outcomes::default();
            let outcomes = nothing.of(conn, WorkspaceId::from_number(workspace), &[id])?;
            let content = outcomes.get(id)?.content.as_ref();
            Ok(content.map(|content| content.sha256_hex()))
        })
    };
    assert_eq!(of(1).await.expect("an outcome").as_deref(), plan["proposal_sha256"].as_str());
    of(2).await.expect_err("no outcome for another workspace");
}
