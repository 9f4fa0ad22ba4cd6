//! Who may apply what without an approval: the same answer over HTTP and at `/mcp`.

use cloud_svc::service;
use rmcp::model::ElicitationAction;
use serde_json::{Value, json};
use shared_testing::{Caller, Stage, Text as _};

use super::{call, client, confirming::person, message, structured};
use crate::samples;

fn agent(stage: &Stage) -> Caller {
    stage.caller("agent").claim("actor", json!({"type": "agent", "id": "agent-7", "display_name": "Agent"}))
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Http,
    /// A client that cannot ask its user.
    Mcp,
    /// A client whose user agrees to everything.
    ConfirmedMcp,
}

/// Whether the plan is applied. Everything else must be `approval_required`.
async fn applies(stage: &Stage, caller: &Caller, way: Way, is_risky: bool) -> bool {
    let file = samples::id(&samples::document_of(&stage.caller("owner"), &["one"]).await);
    let segment = if is_risky {
        // A new domain each time: applying a plan of a person makes the domain known.
        json!({"text": "Click", "link": format!("https://{}.example/", file.replace('_', "-"))})
    } else {
        json!({"text": "two"})
    };
    let operations = json!([{"op": "insert_block", "block": {"type": "paragraph", "segments": [segment]}}]);
    let plan = samples::propose(caller, &file, operations).await.await.status(200)["plan"].clone();
    let answer = match way {
        Way::Http => json!({"error": samples::apply(caller, &plan).await.await["error"]}),
        Way::Mcp | Way::ConfirmedMcp => {
            let arguments = json!({"file_id": file, "plan_id": plan["id"], "if_match": plan["base_etag"], "idempotency_key": format!("key-{file}")});
            if way == Way::ConfirmedMcp {
                let client = client(stage, caller, person(ElicitationAction::Accept)).await;
                structured(&call(&client, "apply_plan", arguments).await)
            } else {
                let called = message(caller, "tools/call", json!({"name": "apply_plan", "arguments": arguments})).await;
                called.status(200)["result"]["structuredContent"].clone()
            }
        }
    };
    let state = stage.caller("owner").get(format!("/v1/files/{file}/edit-plans/{}", plan["id"].text())).await;
    let plan = state.status(200)["plan"].clone();
    let is_applied = plan["state"] == "applied";
    if !is_applied {
        assert_eq!(answer["error"]["code"], "approval_required", "{answer}");
        assert_eq!(answer["error"]["next_action"]["type"], "request_review", "{answer}");
    }
    let is_confirmed = way == Way::ConfirmedMcp && is_risky && is_applied;
    assert_eq!(plan["confirmed_at"].is_string(), is_confirmed, "{plan}");
    assert_eq!(plan["confirmed_through"], if is_confirmed { json!("client") } else { Value::Null });
    is_applied
}

#[shared_testing::test]
async fn the_policy_decides_and_not_the_transport() {
    let stage = Stage::of(service()).await;
    let (ada, agent) = (stage.caller("ada"), agent(&stage));
    samples::create(&ada, "a first file, so that the workspace is known").await.status(200);
    for policy in ["direct", "review_risky", "review"] {
        for way in [Way::Http, Way::Mcp, Way::ConfirmedMcp] {
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
            }
        }
    }
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
