//! What agents and people do together: the agent over `/mcp`, the person over HTTP.

use cloud_svc::service;
use rmcp::{RoleClient, service::RunningService};
use serde_json::{Value, json};
use shared_testing::{Caller, Request, Stage, Text as _};

use super::{client, done, refused};
use crate::samples::{self, step};

/// A workspace with a person, and an agent that is connected to it.
struct Scene {
    stage: Stage,
    ada: Caller,
    robot: Caller,
    agent: RunningService<RoleClient, ()>,
}

impl Scene {
    async fn new() -> Self {
        let stage = Stage::of(service()).await;
        let actor = json!({"type": "agent", "id": "robot", "display_name": "Robot"});
        let (ada, robot) = (stage.caller("ada"), stage.caller("robot").claim("actor", actor));
        let agent = client(&stage, &robot, ()).await;
        Self { stage, ada, robot, agent }
    }

    async fn does(&self, tool: &str, arguments: Value) -> Value {
        done(&self.agent, tool, arguments).await
    }

    /// The agent reads a document and proposes to replace its first block.
    async fn proposes(&self, file: &str, operations: Value, more: Value) -> Value {
        let read = self.does("read_file", json!({"file_id": file})).await;
        let mut arguments = json!({"file_id": file, "if_match": read["file"]["etag"], "operations": operations});
        arguments.as_object_mut().expect("arguments").extend(more.as_object().expect("arguments").clone());
        self.does("edit_document", arguments).await["plan"].clone()
    }

    async fn asks_and_ada_approves(&self, plan: &Value) {
        let named = json!({"file_id": plan["file_id"], "plan_id": plan["id"]});
        self.does("request_review", named.clone()).await;
        step(&self.ada, plan, "approve", json!({})).await.status(200);
        assert_eq!(self.does("await_decision", named).await["plan"]["state"], "approved");
    }

    async fn applies(&self, plan: &Value) -> Value {
        let read = self.does("read_file", json!({"file_id": plan["file_id"]})).await;
        let arguments = json!({"file_id": plan["file_id"], "plan_id": plan["id"], "if_match": read["file"]["etag"]});
        self.does("apply_plan", arguments).await
    }

    fn about(&self, proposal: &Value, verb: &str, body: Value) -> Request {
        self.ada.post(format!("/v1/proposals/{}/{verb}", proposal["id"].text())).fresh_key().json(body)
    }

    async fn texts(&self, file: &str) -> Vec<String> {
        let read = self.ada.get(format!("/v1/documents/{file}")).await.status(200);
        let blocks = read["content"]["blocks"].as_array().expect("blocks").iter();
        blocks.map(|block| block["segments"][0]["text"].as_str().unwrap_or_default().to_owned()).collect()
    }
}

/// A proposal with the plans that it has now.
fn seen(proposal: &Value) -> Value {
    json!({"proposal_id": proposal["id"], "proposal_sha256": proposal["proposal_sha256"]})
}

fn replacement(block: &str, text: &str) -> Value {
    json!({"op": "replace_block", "block_id": block, "block": {"type": "paragraph", "segments": [{"text": text}]}})
}

#[shared_testing::test]
async fn an_agent_proposes_for_two_files_and_a_person_approves_both_at_once() {
    let scene = Scene::new().await;
    let files = [
        samples::id(&samples::document_of(&scene.ada, &["Tea: 3 €"]).await),
        samples::id(&samples::document_of(&scene.ada, &["We sell tea for 3 €."]).await),
    ];
    let mut plans = Vec::new();
    for file in &files {
        let plan = scene.proposes(file, json!([replacement("b0", "Tea: 4 €")]), json!({})).await;
        plans.push(json!({"file_id": file, "plan_id": plan["id"]}));
    }
    let arguments = json!({"title": "Tea costs more", "reason": "Our supplier wrote.", "plans": plans});
    let proposal = scene.does("propose_together", arguments).await["proposal"].clone();
    let named = json!({"proposal_id": proposal["id"]});
    scene.does("request_proposal_review", named.clone()).await;
    let early = refused(&scene.agent, "apply_proposal", seen(&proposal)).await;
    assert_eq!(early["error"]["code"], "approval_required");
    let waiting = scene.ada.get("/v1/proposals?state=in_review").await.status(200);
    assert_eq!(waiting["items"][0]["id"], proposal["id"]);
    scene.about(&proposal, "approve", json!({"proposal_sha256": proposal["proposal_sha256"]})).await.status(200);
    assert_eq!(scene.does("get_proposal", named).await["proposal"]["state"], "approved");
    scene.does("apply_proposal", seen(&proposal)).await;
    for file in &files {
        assert_eq!(scene.texts(file).await, ["Tea: 4 €"]);
    }
    scene.about(&proposal, "undo", json!({})).await.status(200);
    assert_eq!(scene.texts(&files[0]).await, ["Tea: 3 €"]);
}

#[shared_testing::test]
async fn an_agent_brings_a_stale_proposal_up_to_date_or_takes_it_back() {
    let scene = Scene::new().await;
    let makes_stale = async |file: &str, name: &str| {
        samples::command(&scene.ada, file, "rename", json!({"name": name})).await.await.status(200);
    };
    let proposal = async || {
        let file = samples::id(&samples::document_of(&scene.ada, &["Tea: 3 €"]).await);
        let plan = scene.proposes(&file, json!([replacement("b0", "Tea: 4 €")]), json!({})).await;
        let arguments = json!({"title": "Tea", "plans": [{"file_id": file, "plan_id": plan["id"]}]});
        let proposal = scene.does("propose_together", arguments).await["proposal"].clone();
        makes_stale(&file, &format!("Tea {file}")).await;
        (file, proposal)
    };
    let (file, first) = proposal().await;
    let stale = refused(&scene.agent, "apply_proposal", seen(&first)).await;
    assert_eq!(stale["error"]["code"], "plan_stale");
    assert_eq!(stale["next_tool"], json!({"name": "rebase_proposal", "arguments": seen(&first)}));
    let second = scene.does("rebase_proposal", seen(&first)).await["proposal"].clone();
    // Within the minutes in which the same call is a retry.
    makes_stale(&file, "Tea and coffee").await;
    let again = scene.does("rebase_proposal", seen(&second)).await;
    assert_ne!(again["replayed"], true);
    assert_eq!(again["proposal"]["plans"][0]["stale"], false);
    let old = refused(&scene.agent, "apply_proposal", seen(&second)).await;
    assert_eq!(old["next_tool"], json!({"name": "get_proposal", "arguments": {"proposal_id": first["id"]}}));
    scene.does("apply_proposal", seen(&again["proposal"])).await;
    assert_eq!(scene.texts(&file).await, ["Tea: 4 €"]);
    let (_, other) = proposal().await;
    let discarded = scene.does("discard_proposal", json!({"proposal_id": other["id"]})).await;
    assert_eq!(discarded["proposal"]["state"], "discarded");
}

#[shared_testing::test]
async fn a_person_takes_a_part_sends_the_rest_back_and_gets_a_revision() {
    let scene = Scene::new().await;
    let file = samples::id(&samples::document_of(&scene.ada, &["one", "two"]).await);
    let both = json!([replacement("b0", "ONE"), replacement("b1", "TWO!!!")]);
    let whole = scene.proposes(&file, both, json!({})).await;
    scene.does("request_review", json!({"file_id": file, "plan_id": whole["id"]})).await;
    let part = step(&scene.ada, &whole, "split", json!({"changes": ["c1"]})).await.status(200)["plan"].clone();
    step(&scene.ada, &part, "approve", json!({})).await.status(200);
    scene.applies(&part).await;
    assert_eq!(scene.texts(&file).await, ["ONE", "two"]);

    let read = scene.does("read_file", json!({"file_id": file})).await;
    let stale = json!({"file_id": file, "plan_id": whole["id"], "if_match": read["file"]["etag"]});
    let rest = scene.does("rebase_plan", stale).await["plan"].clone();
    assert_eq!(rest["changes"].as_array().map(Vec::len), Some(1), "{rest}");
    let remark = json!({"reason": "Not so loud.", "on": [{"change": "c1", "text": "One mark will do."}]});
    step(&scene.ada, &rest, "return", remark).await.status(200);
    let told = scene.does("await_decision", json!({"file_id": file, "plan_id": rest["id"]})).await;
    assert_eq!(
        (&told["plan"]["state"], &told["plan"]["review"]["reason"]),
        (&json!("returned"), &json!("Not so loud."))
    );
    let second = scene.proposes(&file, json!([replacement("b1", "TWO!")]), json!({"revises": rest["id"]})).await;
    assert_eq!((&second["revision"], &second["state"]), (&json!(2), &json!("in_review")));
    step(&scene.ada, &second, "approve", json!({})).await.status(200);
    scene.applies(&second).await;
    assert_eq!(scene.texts(&file).await, ["ONE", "TWO!"]);
}

#[shared_testing::test]
async fn who_wrote_what_names_the_agent_and_the_person_who_approved() {
    let scene = Scene::new().await;
    let file = samples::id(&samples::document_of(&scene.ada, &["hers", "hers, too"]).await);
    let plan = scene.proposes(&file, json!([replacement("b1", "the robot's")]), json!({})).await;
    scene.asks_and_ada_approves(&plan).await;
    scene.applies(&plan).await;
    let by_tool = scene.does("who_wrote", json!({"file_id": file})).await;
    let over_http = scene.ada.get(format!("/v1/files/{file}/authorship")).await.status(200);
    assert_eq!(by_tool["items"], over_http["items"]);
    let items = by_tool["items"].as_array().expect("items").iter();
    let told: Vec<_> =
        items.map(|item| [&item["author"]["id"], &item["approved_by"]["id"], &item["plan_id"]]).collect();
    let (ada, robot) = (json!("ada"), json!("robot"));
    assert_eq!(told, [[&ada, &Value::Null, &Value::Null], [&robot, &ada, &plan["id"]]]);
}

#[shared_testing::test]
async fn an_agent_is_let_into_one_folder_and_sees_no_more() {
    let scene = Scene::new().await;
    let outside = samples::id(&samples::create(&scene.ada, "Salaries").await);
    let folder = samples::folder(&scene.ada, "For agents", None).await;
    let inside = samples::document_in(&scene.ada, "Menu", &folder).await;
    let limits = format!("/v1/agents/{}/limits", scene.robot.claim_text("grant_id"));
    let limited = scene.ada.request("PUT", limits).fresh_key().json(json!({"folders": [folder], "may": "propose"}));
    limited.await.status(200);
    let found = scene.does("search_files", json!({"name_contains": "a"})).await;
    let names: Vec<_> = found["items"].as_array().expect("items").iter().map(|file| file["name"].text()).collect();
    assert_eq!(names, ["For agents"], "and no Salaries");
    let absent = refused(&scene.agent, "read_file", json!({"file_id": outside})).await;
    assert_eq!(absent["error"]["code"], "not_found");
    let insert = json!([{"op": "insert_markdown", "markdown": "Soup"}]);
    let plan = scene.proposes(&inside, insert, json!({})).await;
    let named = json!({"file_id": inside, "plan_id": plan["id"], "if_match": plan["base_etag"]});
    let too_much = refused(&scene.agent, "apply_plan", named).await;
    assert_eq!(too_much["error"]["code"], "agent_limited");
    samples::apply(&scene.ada, &plan).await.await.status(200);
    assert_eq!(scene.texts(&inside).await.last().map(String::as_str), Some("Soup"));
}

#[shared_testing::test]
async fn a_decision_leaves_a_receipt_that_is_verified_offline() {
    let scene = Scene::new().await;
    let file = samples::id(&samples::document_of(&scene.ada, &["one"]).await);
    let plan = scene.proposes(&file, json!([replacement("b0", "ONE")]), json!({})).await;
    scene.asks_and_ada_approves(&plan).await;
    scene.applies(&plan).await;
    let receipts = scene.ada.get("/v1/receipts").await.status(200);
    let said: Vec<_> = receipts["items"].as_array().expect("items").iter().map(|one| &one["statement"]).collect();
    let who = |at: usize| (said[at]["decision"].text(), said[at]["decided_by"]["id"].text(), said[at]["via"].text());
    assert_eq!([who(0), who(1)], [("approved", "ada", "rest"), ("applied", "robot", "mcp")]);
    assert_eq!(said[1]["approved_by"]["id"], "ada");
    let head = scene.ada.get("/v1/receipts/head").await.status(200)["head"].to_string();
    let lines: Vec<_> =
        receipts["items"].as_array().expect("items").iter().map(Value::to_string).chain([head]).collect();
    let keys = scene.stage.anyone().get("/v1/receipts/keys").await.status(200);
    let keys = cloud_receipts::keys::Keys::parse(keys.bytes()).expect("published keys");
    let verified = cloud_receipts::chain::verify(lines.join("\n").as_bytes(), &keys, &[]);
    assert_eq!(verified.map(|verified| verified.receipts), Ok(2));
}

#[shared_testing::test]
async fn a_comment_calls_an_agent_which_answers_with_a_plan() {
    let scene = Scene::new().await;
    let file = samples::id(&samples::document_of(&scene.ada, &["A long, long text."]).await);
    // An agent is known to the workspace once it was seen.
    scene.does("my_mentions", json!({})).await;
    let comment = samples::comment(&scene.ada, &file, "@robot, please shorten this.").await;
    let mine = scene.does("my_mentions", json!({"status": "open"})).await;
    assert_eq!((&mine["items"][0]["id"], &mine["items"][0]["file_id"]), (&comment["id"], &json!(file)));
    let answers = json!({"answers_comment_id": comment["id"]});
    let plan = scene.proposes(&file, json!([replacement("b0", "A text.")]), answers).await;
    assert_eq!(plan["answers_comment_id"], comment["id"]);
    scene.asks_and_ada_approves(&plan).await;
    scene.applies(&plan).await;
    assert_eq!(scene.texts(&file).await, ["A text."]);
    let left = scene.does("my_mentions", json!({"status": "open"})).await;
    assert_eq!(left["answers"][comment["id"].text()], json!([plan["id"]]), "open until somebody resolves it");
    samples::on_comment(&scene.ada, &comment, "resolve", json!({})).await.status(200);
    assert_eq!(scene.does("my_mentions", json!({"status": "open"})).await["items"], json!([]));
}
