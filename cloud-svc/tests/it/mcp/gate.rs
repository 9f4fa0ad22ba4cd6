//! Who may apply what without an approval: the same answer over HTTP, at `/mcp` and on pages.

use std::time::Duration;

use cloud_svc::service;
use rmcp::model::ElicitationAction;
use serde_json::{Value, json};
use shared_testing::{Caller, Stage, Text as _, html};

use super::{call, client, confirming::person, message, structured};
use crate::samples;

fn actor(stage: &Stage, kind: &str) -> Caller {
    stage.caller(kind).claim("actor", json!({"type": kind, "id": format!("{kind}-7"), "display_name": kind}))
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Http,
    /// A client that cannot ask its user.
    Mcp,
    /// A client whose user agrees to everything.
    ConfirmedMcp,
    Page,
}

/// The refusal of an attempt; null if the plan is applied.
async fn attempt(stage: &Stage, caller: &Caller, way: Way, plan: &Value) -> Value {
    let (file, id, etag) = (plan["file_id"].text(), plan["id"].text(), plan["base_etag"].text());
    let key = format!("key-{file}-{way:?}");
    let arguments = json!({"file_id": file, "plan_id": id, "if_match": etag, "idempotency_key": key});
    match way {
        Way::Http => samples::apply(caller, plan).await.await["error"].clone(),
        Way::Mcp => {
            let called = message(caller, "tools/call", json!({"name": "apply_plan", "arguments": arguments})).await;
            called.status(200)["result"]["structuredContent"]["error"].clone()
        }
        Way::ConfirmedMcp => {
            let client = client(stage, caller, person(ElicitationAction::Accept)).await;
            structured(&call(&client, "apply_plan", arguments).await)["error"].clone()
        }
        Way::Page => {
            let (browser, path) = (stage.browser(caller), format!("/f/{file}/plans/{id}"));
            let page = browser.get(&path).await.status(200).body();
            // The form for signing out has the token of the session, whatever else the page offers.
            let csrf = html::hidden(&page, "/sign-out", "csrf");
            let fields = [("action", "apply"), ("etag", etag), ("csrf", &*csrf), ("key", &*key)];
            match browser.post(path, &fields).await.status {
                303 => Value::Null,
                // A page says it in words.
                403 => json!({"code": "approval_required", "next_action": {"type": "request_review"}}),
                other => panic!("a page: {other}"),
            }
        }
    }
}

/// A plan that inserts a link to a new domain, or harmless text.
async fn plan(stage: &Stage, caller: &Caller, is_risky: bool) -> Value {
    let file = samples::id(&samples::document_of(&stage.caller("owner"), &["one"]).await);
    let segment = if is_risky {
        // A new domain each time: applying a plan of a person makes the domain known.
        json!({"text": "Click", "link": format!("https://{}.example/", file.replace('_', "-"))})
    } else {
        json!({"text": "two"})
    };
    let operations = json!([{"op": "insert_block", "block": {"type": "paragraph", "segments": [segment]}}]);
    samples::propose(caller, &file, operations).await.await.status(200)["plan"].clone()
}

/// Whether the plan is applied. Everything else must be `approval_required`.
async fn applies(stage: &Stage, caller: &Caller, way: Way, is_risky: bool) -> bool {
    let plan = plan(stage, caller, is_risky).await;
    let error = attempt(stage, caller, way, &plan).await;
    let path = format!("/v1/files/{}/edit-plans/{}", plan["file_id"].text(), plan["id"].text());
    let plan = stage.caller("owner").get(path).await.status(200)["plan"].clone();
    let is_applied = plan["state"] == "applied";
    if !is_applied {
        assert_eq!(error["code"], "approval_required", "{error}");
        assert_eq!(error["next_action"]["type"], "request_review", "{error}");
    }
    let is_confirmed = way == Way::ConfirmedMcp && is_risky && is_applied;
    assert_eq!(plan["confirmed_at"].is_string(), is_confirmed, "{plan}");
    assert_eq!(plan["confirmed_through"], if is_confirmed { json!("client") } else { Value::Null });
    is_applied
}

#[shared_testing::test]
async fn the_policy_decides_and_not_the_transport() {
    let stage = Stage::of(service()).await;
    let [ada, agent, program] = ["user", "agent", "service"].map(|kind| actor(&stage, kind));
    samples::create(&ada, "a first file, so that the workspace is known").await.status(200);
    for policy in ["direct", "review_risky", "review"] {
        for way in [Way::Http, Way::Mcp, Way::ConfirmedMcp, Way::Page] {
            for is_risky in [false, true] {
                let set = match policy {
                    "direct" => "UPDATE workspaces SET agent_writes = 'direct'",
                    "review" => "UPDATE workspaces SET agent_writes = 'review'",
                    _ => "UPDATE workspaces SET agent_writes = 'review_risky'",
                };
                samples::sql(&stage, set).await;
                // A client that cannot ask is refused for a person too: the person may apply the plan over HTTP.
                let of_person = !(is_risky && way == Way::Mcp);
                let of_agent = match policy {
                    "direct" => of_person,
                    "review_risky" => !is_risky || way == Way::ConfirmedMcp,
                    _ => false,
                };
                let case = format!("{policy} {way:?} {is_risky}");
                assert_eq!(applies(&stage, &ada, way, is_risky).await, of_person, "a person, {case}");
                assert_eq!(applies(&stage, &agent, way, is_risky).await, of_agent, "an agent, {case}");
                assert_eq!(applies(&stage, &program, way, is_risky).await, of_person, "a service, {case}");
                // No grant meets its limit.
                stage.clock.advance(Duration::from_secs(61));
            }
        }
    }
}

#[shared_testing::test]
async fn no_tool_brings_in_what_nobody_was_asked_about() {
    let stage = Stage::of(service()).await;
    let ada = actor(&stage, "user");
    let asks = client(&stage, &ada, person(ElicitationAction::Accept)).await;
    let refused = |answer: &Value| {
        assert_eq!(answer["error"]["code"], "approval_required", "{answer}");
        answer["error"]["next_action"]["type"].text().to_owned()
    };
    // No question is about a whole proposal.
    let plan = plan(&stage, &ada, true).await;
    let together = json!({"title": "One", "plans": [{"file_id": plan["file_id"], "plan_id": plan["id"]}]});
    let proposal = structured(&call(&asks, "propose_together", together).await)["proposal"].clone();
    let seen = json!({"proposal_id": proposal["id"], "proposal_sha256": proposal["proposal_sha256"]});
    let applied = structured(&call(&asks, "apply_proposal", seen.clone()).await);
    assert_eq!(refused(&applied), "request_review");
    let versions = "SELECT count(*) AS number FROM versions";
    assert_eq!(samples::number(&stage, versions).await, 1);
    let path = format!("/v1/proposals/{}/apply", proposal["id"].text());
    ada.post(path).fresh_key().json(json!({"proposal_sha256": proposal["proposal_sha256"]})).await.status(200);

    let file = samples::id(&samples::document_of(&ada, &["one"]).await);
    let text = "one\n\n[Click](https://draft.example/)";
    let draft = json!({"name": "Draft", "type": "document", "text": text});
    let draft = structured(&call(&asks, "save_draft", draft).await)["draft"]["id"].clone();
    let over = json!({"draft_id": draft, "file_id": file, "if_match": samples::etag(&ada, &file).await});
    assert_eq!(refused(&structured(&call(&asks, "promote_draft", over).await)), "other_actor");
    // A new file of one's own harms nobody.
    let promoted = structured(&call(&asks, "promote_draft", json!({"draft_id": draft})).await);
    assert_eq!(promoted["file"]["type"], "document", "{promoted}");
    // It makes no domain known.
    let link = json!([{"text": "Click", "link": "https://draft.example/"}]);
    let operations = json!([{"op": "insert_block", "block": {"type": "paragraph", "segments": link}}]);
    let plan = samples::propose(&ada, &file, operations).await.await.status(200)["plan"].clone();
    assert_eq!(plan["warnings"][0]["severity"], "high", "{plan}");

    // An old version is asked about as a plan with the same effect.
    let block = |number: usize| json!({"type": "paragraph", "segments": [{"text": format!("Paragraph {number}")}]});
    let blocks = (0..31).map(|number| json!({"op": "insert_block", "block": block(number)}));
    let grown = samples::propose(&ada, &file, blocks.collect()).await.await.status(200)["plan"].clone();
    samples::apply(&ada, &grown).await.await.status(200);
    let earlier = json!({
        "file_id": file, "version_id": grown["base_version_id"], "if_match": samples::etag(&ada, &file).await,
    });
    assert_eq!(refused(&structured(&call(&asks, "restore_version", earlier).await)), "other_actor");
}

#[shared_testing::test]
async fn one_risky_plan_is_refused_on_every_way_until_a_person_has_approved_it() {
    let stage = Stage::of(service()).await;
    let [ada, agent] = ["user", "agent"].map(|kind| actor(&stage, kind));
    let plan = plan(&stage, &agent, true).await;
    for way in [Way::Http, Way::Mcp, Way::Page] {
        let error = attempt(&stage, &agent, way, &plan).await;
        assert_eq!(error["code"], "approval_required", "{way:?}: {error}");
    }
    samples::step(&agent, &plan, "request-review", json!({})).await.status(200);
    for way in [Way::Http, Way::Mcp, Way::Page] {
        let error = attempt(&stage, &agent, way, &plan).await;
        assert_eq!(error["code"], "approval_required", "in review, {way:?}: {error}");
    }
    samples::step(&ada, &plan, "approve", json!({})).await.status(200);
    assert_eq!(attempt(&stage, &agent, Way::Mcp, &plan).await, Value::Null);
}

#[shared_testing::test]
async fn consent_covers_only_what_the_plan_shows() {
    let stage = Stage::of(service()).await;
    let [ada, agent] = ["user", "agent"].map(|kind| actor(&stage, kind));
    let plan = plan(&stage, &agent, true).await;
    let protect = async |places: Value| {
        let path = format!("/v1/files/{}/protection", plan["file_id"].text());
        ada.request("PUT", path).fresh_key().json(json!({"protected": places})).await.status(200);
    };
    protect(json!([{}])).await;
    let error = attempt(&stage, &agent, Way::ConfirmedMcp, &plan).await;
    assert_eq!(error["code"], "approval_required", "{error}");
    protect(json!([])).await;
    assert_eq!(attempt(&stage, &agent, Way::ConfirmedMcp, &plan).await, Value::Null);
}

#[shared_testing::test]
async fn a_blank_around_the_etag_does_not_skip_the_question() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    for etag in [" {}", "{} ", "\t{}", "{}\t", "W/{}"] {
        let mut apply = super::confirming::risky(&ada).await;
        apply["if_match"] = json!(etag.replace("{}", apply["if_match"].text()));
        let called = message(&ada, "tools/call", json!({"name": "apply_plan", "arguments": apply})).await.status(200);
        assert_eq!(called["result"]["structuredContent"]["error"]["code"], "approval_required", "{etag:?}");
    }
}

#[shared_testing::test]
async fn an_answer_in_a_protocol_without_questions_is_no_consent() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let arguments = super::confirming::risky(&ada).await;
    let asks = client(&stage, &ada, person(ElicitationAction::Accept)).await;
    let params = rmcp::model::CallToolRequestParams::new("apply_plan")
        .with_arguments(arguments.as_object().expect("arguments").clone());
    let rmcp::model::CallToolResponse::InputRequired(question) = asks.call_tool_once(params).await.expect("a question")
    else {
        panic!("no question");
    };
    let older = json!({
        "name": "apply_plan", "arguments": arguments, "requestState": question.request_state,
        "inputResponses": {"confirm": {"action": "accept", "content": {}}},
    });
    let called = message(&ada, "tools/call", older).await.status(200);
    assert_eq!(called["result"]["structuredContent"]["error"]["code"], "approval_required", "{called}");
}
