//! Actions that need a person's consent.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use cloud_svc::service;
use rmcp::{
    ClientHandler, ErrorData, RoleClient,
    model::{
        CallToolRequestParams, CallToolResponse, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult,
        ElicitationAction, ElicitationCapability, Implementation, UrlElicitationCapability,
    },
    service::RequestContext,
};
use serde_json::{Value, json};
use shared_testing::{Caller, Stage, Text as _};

use super::{client, done, message, refused};
use crate::{agents, samples};

/// A person who gives the same answer to each question.
#[derive(Clone)]
pub struct Person {
    /// Whether the client shows pages only, and no questions of its own.
    has_pages_only: bool,
    says: ElicitationAction,
    asked: Arc<AtomicUsize>,
    last: Arc<Mutex<String>>,
}

impl ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::builder().enable_elicitation().build();
        if self.has_pages_only {
            capabilities.elicitation = Some(ElicitationCapability::new().with_url(UrlElicitationCapability::default()));
        }
        ClientConfig::new(capabilities, Implementation::new("person", "1"))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        *self.last.lock().expect("a lock") = match request {
            ElicitRequestParams::FormElicitationParams { message, .. } => message,
            ElicitRequestParams::UrlElicitationParams { message, url, .. } => format!("{message} {url}"),
            _ => panic!("another question"),
        };
        Ok(ElicitResult::new(self.says.clone()).with_content(json!({})))
    }
}

pub fn person(says: ElicitationAction) -> Person {
    Person { has_pages_only: false, says, asked: Arc::default(), last: Arc::default() }
}

/// A plan with a link to a domain that the workspace has not seen.
pub async fn risky(ada: &Caller) -> Value {
    let id = samples::id(&samples::document_of(ada, &["one"]).await);
    let segment = json!({"text": "Click", "link": "https://evil.example/"});
    let operations = json!([{"op": "insert_block", "block": {"type": "paragraph", "segments": [segment]}}]);
    let plan = samples::propose(ada, &id, operations).await.await.status(200)["plan"].clone();
    assert_eq!(plan["warnings"][0]["severity"], "high", "{plan}");
    json!({"file_id": id, "plan_id": plan["id"], "if_match": plan["base_etag"], "idempotency_key": "k"})
}

#[shared_testing::test]
async fn a_plan_with_a_grave_warning_needs_the_consent_of_a_person() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let apply = risky(&ada).await;
    let person = person(ElicitationAction::Accept);
    let client = client(&stage, &ada, person.clone()).await;
    let applied = done(&client, "apply_plan", apply.clone()).await;
    assert_eq!((applied["plan"]["state"].text(), person.asked.load(Ordering::Relaxed)), ("applied", 1));
    let question = person.last.lock().expect("a lock").clone();
    let id = apply["file_id"].text();
    assert!(question.starts_with("Apply 1 change to the file “Plan”? "), "{question}");
    assert!(question.contains("link_added (evil.example)"), "{question}");
    assert!(question.ends_with(&format!("/f/{id}/plans/{}", apply["plan_id"].text())), "{question}");
    let again = done(&client, "apply_plan", apply).await;
    assert_eq!((&again["replayed"], person.asked.load(Ordering::Relaxed)), (&json!(true), 1), "a retry asks nobody");
}

#[shared_testing::test]
async fn a_person_is_asked_only_if_the_call_could_succeed() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let apply = risky(&ada).await;
    let other = samples::plan(&ada, apply["file_id"].text(), "two").await;
    samples::apply(&ada, &other).await.await.status(200);
    let person = person(ElicitationAction::Accept);
    let client = client(&stage, &ada, person.clone()).await;
    let error = refused(&client, "apply_plan", apply).await;
    assert_eq!((error["error"]["code"].text(), person.asked.load(Ordering::Relaxed)), ("etag_mismatch", 0));
}

#[shared_testing::test]
async fn nobody_is_asked_about_a_call_that_is_refused_for_certain() {
    let stage = Stage::of(service()).await;
    let (ada, robot) = (stage.caller("ada"), agents::agent(&stage, "robot", 1).await);
    let (together, alone) = (risky(&robot).await, risky(&robot).await);
    let plans = json!([{"file_id": together["file_id"], "plan_id": together["plan_id"]}]);
    robot.post("/v1/proposals").fresh_key().json(json!({"title": "T", "plans": plans})).await.status(200);
    let person = person(ElicitationAction::Accept);
    let client = client(&stage, &robot, person.clone()).await;
    let refused = async |apply: &Value| {
        let error = refused(&client, "apply_plan", apply.clone()).await;
        assert_eq!(person.asked.load(Ordering::Relaxed), 0, "{error}");
        error["error"]["code"].text().to_owned()
    };
    assert_eq!(refused(&together).await, "plan_state");
    samples::sql(&stage, "UPDATE workspaces SET agent_writes = 'review'").await;
    assert_eq!(refused(&alone).await, "approval_required");
    samples::sql(&stage, "UPDATE workspaces SET agent_writes = 'direct'").await;
    agents::limit(&ada, &robot, json!({"may": "propose"})).await.status(200);
    assert_eq!(refused(&alone).await, "agent_limited");
}

#[shared_testing::test]
async fn without_consent_nothing_happens() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let apply = risky(&ada).await;
    let declines = client(&stage, &ada, person(ElicitationAction::Decline)).await;
    let error = refused(&declines, "apply_plan", apply.clone()).await;
    assert_eq!(error["error"]["code"], "approval_required");
    assert!(error["error"]["message"].text().starts_with("The person said no"), "{error}");
    let closes = client(&stage, &ada, person(ElicitationAction::Cancel)).await;
    let error = refused(&closes, "apply_plan", apply.clone()).await;
    assert!(error["error"]["message"].text().contains("has not answered"), "{error}");
    // Who opens a page has agreed to nothing yet.
    let on_page = Person { has_pages_only: true, ..person(ElicitationAction::Accept) };
    let error = refused(&client(&stage, &ada, on_page.clone()).await, "apply_plan", apply.clone()).await;
    assert!(error["error"]["message"].text().contains("has not decided yet"), "{error}");
    assert!(on_page.last.lock().expect("a lock").contains("/plans/plan_"));
    let nobody = client(&stage, &ada, ()).await;
    let error = refused(&nobody, "apply_plan", apply.clone()).await;
    assert_eq!(error["error"]["code"], "approval_required");
    let older = message(&ada, "tools/call", json!({"name": "apply_plan", "arguments": apply})).await.status(200);
    assert_eq!(older["result"]["structuredContent"]["error"]["code"], "approval_required");
    assert_eq!(stage.count("versions"), 1);
}

#[shared_testing::test]
async fn consent_is_for_one_question_of_one_caller() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let (one, other) = (risky(&ada).await, risky(&ada).await);
    let asks = client(&stage, &ada, person(ElicitationAction::Accept)).await;
    let params = |arguments: &Value| {
        CallToolRequestParams::new("apply_plan").with_arguments(arguments.as_object().expect("arguments").clone())
    };
    let CallToolResponse::InputRequired(question) = asks.call_tool_once(params(&one)).await.expect("a question") else {
        panic!("no question");
    };
    let state = question.request_state.expect("a state");
    let say = |arguments: &Value, state: String| {
        let mut said = params(arguments);
        said.input_responses = Some([("confirm".to_owned(), json!({"action": "accept", "content": {}}))].into());
        said.request_state = Some(state);
        said
    };
    // An agreement to one plan asks about another one.
    let answer = asks.call_tool_once(say(&other, state.clone())).await.expect("an answer");
    assert!(matches!(answer, CallToolResponse::InputRequired(_)), "{answer:?}");
    let stranger = client(&stage, &stage.caller("bob"), person(ElicitationAction::Accept)).await;
    for (client, forged) in [(&asks, format!("{state}x")), (&asks, "x".to_owned()), (&stranger, state.clone())] {
        let error = client.call_tool_once(say(&one, forged)).await.expect_err("a forged state is no question's");
        assert!(error.to_string().contains("requestState is not what this server sent"), "{error}");
    }
    // By the time that the state is too old, so is the plan.
    stage.clock.advance(Duration::from_secs(3601));
    let late = client(&stage, &stage.caller("ada"), person(ElicitationAction::Accept)).await;
    let CallToolResponse::Complete(answer) = late.call_tool_once(say(&one, state)).await.expect("an answer") else {
        panic!("a question about a plan that has expired");
    };
    assert!(answer.is_error.unwrap_or(false), "{answer:?}");
    assert_eq!(stage.count("versions"), 2);
}
