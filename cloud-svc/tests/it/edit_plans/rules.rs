//! Who may take which step with a plan. Tried with every kind of actor, in every state, under both policies, on every
//! way in.

use std::time::Duration;

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Browser, Caller, Stage, Text as _, html};

use crate::{mcp, samples};

const STEPS: [&str; 4] = ["request-review", "approve", "reject", "discard"];
const STATES: [&str; 3] = ["proposed", "in_review", "approved"];
const KINDS: [&str; 3] = ["user", "agent", "service"];

/// What refuses the step; `None` if it is allowed. Written out here, and not taken from the table that it tests.
fn refusal(
    step: &str,
    kind: &str,
    is_author: bool,
    state: &str,
    agents_may_review: bool,
) -> Option<(u16, &'static str)> {
    let is_wrong_state = match step {
        "request-review" => state != "proposed",
        "approve" => state != "in_review",
        "reject" => state == "proposed",
        _ => false,
    };
    let is_no_reviewer = kind == "service" || kind == "agent" && !agents_may_review;
    let who = match (step, is_author) {
        ("request-review" | "discard", false) => Some("not_plan_author"),
        ("approve" | "reject", true) => Some("self_approval"),
        ("approve", false) if is_no_reviewer => Some("person_required"),
        // Taking back an approval needs the same right.
        ("reject", false) if state == "approved" && is_no_reviewer => Some("person_required"),
        _ => None,
    };
    who.map(|code| (403, code)).or(is_wrong_state.then_some((409, "plan_state")))
}

fn body(step: &str) -> Value {
    if step == "reject" { json!({"reason": "No."}) } else { json!({}) }
}

/// A plan in this state. Each has another text, because the same proposal would join an open plan.
async fn plan_in(stage: &Stage, author: &Caller, file: &str, state: &str, text: &str) -> Value {
    let plan = samples::plan(author, file, text).await;
    if state != "proposed" {
        samples::step(author, &plan, "request-review", json!({})).await.status(200);
    }
    if state == "approved" {
        samples::step(&stage.caller("bob"), &plan, "approve", json!({})).await.status(200);
    }
    plan
}

/// The status of the form on the page of the plan.
async fn status_of_form(browser: &Browser, plan: &Value, step: &str, number: usize) -> u16 {
    let path = format!("/f/{}/plans/{}", plan["file_id"].text(), plan["id"].text());
    let page = browser.get(&path).await.status(200);
    // The form for signing out has the token of the session, whatever else the page offers.
    let csrf = html::hidden(&page.body(), "/sign-out", "csrf");
    let key = format!("page-{number}");
    let fields = [("action", step), ("etag", "\"x\""), ("reason", "No."), ("csrf", &*csrf), ("key", &*key)];
    browser.post(path, &fields).await.status
}

#[shared_testing::test]
async fn every_way_in_has_the_same_rules_for_every_actor() {
    let stage = Stage::of(service()).await;
    let file = samples::id(&samples::document_of(&stage.caller("carol"), &["one"]).await);
    let mut number = 0;
    for agents_may_review in [false, true] {
        let policy = format!("UPDATE workspaces SET agents_may_review = {agents_may_review}");
        samples::sql(&stage, &policy).await;
        for kind in KINDS {
            // A minute later, so that no grant meets its limit. The plans do not expire so soon.
            stage.clock.advance(Duration::from_secs(61));
            let actor = stage
                .caller("dora")
                .claim("grant_id", format!("grant-{kind}"))
                .claim("actor", json!({"type": kind, "id": "dora", "display_name": "Dora"}));
            let (other, browser) = (stage.caller("carol"), stage.browser(&actor));
            for (is_author, state) in [true, false].into_iter().flat_map(|own| STATES.map(|state| (own, state))) {
                let author = if is_author { &actor } else { &other };
                for step in STEPS {
                    let case = format!("{step} by {kind}, author: {is_author}, {state}, {agents_may_review}");
                    let expected = refusal(step, kind, is_author, state, agents_may_review);
                    number += 1;
                    let plan = plan_in(&stage, author, &file, state, &number.to_string()).await;
                    // The page first: what it refuses changes nothing, and what it does is done.
                    let shown = status_of_form(&browser, &plan, step, number).await;
                    assert_eq!(shown, expected.map_or(303, |(status, _)| status), "a page: {case}");
                    number += 1;
                    let plan = plan_in(&stage, author, &file, state, &number.to_string()).await;
                    if step == "request-review" {
                        let arguments = json!({"file_id": file, "plan_id": plan["id"], "idempotency_key": format!("tool-{number}")});
                        let call = json!({"name": "request_review", "arguments": arguments});
                        let called = mcp::message(&actor, "tools/call", call).await.status(200);
                        let code = &called["result"]["structuredContent"]["error"]["code"];
                        assert_eq!(*code, expected.map_or(Value::Null, |(_, code)| json!(code)), "a tool: {case}");
                        number += 1;
                    }
                    let plan = if step == "request-review" && expected.is_none() {
                        plan_in(&stage, author, &file, state, &number.to_string()).await
                    } else {
                        plan
                    };
                    let answer = samples::step(&actor, &plan, step, body(step)).await;
                    let code = answer["error"]["code"].as_str();
                    assert_eq!(
                        (answer.status, code),
                        match expected {
                            None => (200, None),
                            Some((status, code)) => (status, Some(code)),
                        },
                        "HTTP: {case}"
                    );
                }
                stage.clock.advance(Duration::from_secs(61));
            }
        }
    }
}
