//! Comments that call agents, and plans that answer them.

use std::time::Duration;

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Response, Stage, Text as _};

use crate::samples::{self, step};

fn agent(stage: &Stage, id: &str) -> Caller {
    stage.caller(id).claim("actor", json!({"type": "agent", "id": id, "display_name": "Helper"}))
}

/// The agent's list, by which it is known to the workspace.
async fn mentions(agent: &Caller) -> Response {
    agent.get("/v1/mentions").await.status(200)
}

fn texts(list: &Response) -> Vec<String> {
    list["items"].as_array().expect("items").iter().map(|comment| comment["text"].text().to_owned()).collect()
}

async fn changes(caller: &Caller) -> Vec<(String, Value)> {
    let list = caller.get("/v1/changes").await.status(200);
    let items = list["items"].as_array().expect("items").iter();
    items.map(|change| (change["type"].text().to_owned(), change["comment_id"].clone())).collect()
}

#[shared_testing::test]
async fn a_comment_calls_an_agent_by_its_id_and_no_other() {
    let stage = Stage::of(service()).await;
    let (ada, one, two) = (stage.caller("ada"), agent(&stage, "agent-1"), agent(&stage, "agent-2"));
    // Agents are known once they were seen.
    mentions(&one).await;
    mentions(&two).await;
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let comment = samples::comment(&ada, &id, "@agent-1, please shorten this. Not @agent-10, nor ada@agent-2.").await;
    samples::comment(&ada, &id, "Nobody is called here.").await;

    let list = mentions(&one).await;
    assert_eq!(
        (&list["items"][0]["id"], &list["file_names"]),
        (&comment["id"], &json!({comment["id"].text(): "Plan"}))
    );
    assert_eq!(list["items"].as_array().map(Vec::len), Some(1));
    assert_eq!((texts(&mentions(&two).await).len(), texts(&mentions(&ada).await).len()), (0, 0));
    let called = changes(&ada).await.into_iter().filter(|(kind, _)| kind == "agent.mentioned").collect::<Vec<_>>();
    assert_eq!(called, [("agent.mentioned".to_owned(), comment["id"].clone())]);

    // Another text calls another.
    let edit = json!({"text": "@agent-2: please."});
    let edited = samples::on_comment(&ada, &comment, "edit", edit).await.status(200)["comment"].clone();
    assert_eq!((texts(&mentions(&one).await).len(), texts(&mentions(&two).await).len()), (0, 1));
    assert_eq!(changes(&ada).await.last().expect("a change").0, "agent.mentioned");
    let edit = json!({"text": "@agent-2: please!"});
    let edited = samples::on_comment(&ada, &edited, "edit", edit).await.status(200)["comment"].clone();
    assert_eq!(changes(&ada).await.last().expect("a change").0, "comment.updated", "it was called before");
    samples::on_comment(&ada, &edited, "resolve", json!({})).await.status(200);
    let open = two.get("/v1/mentions?status=open").await.status(200);
    assert_eq!((texts(&open).len(), texts(&mentions(&two).await).len()), (0, 1));

    samples::command(&ada, &id, "trash", json!({})).await.await.status(200);
    assert_eq!(texts(&mentions(&two).await).len(), 0);
    samples::command(&ada, &id, "purge", json!({})).await.await.status(200);
    assert_eq!(samples::number(&stage, "SELECT COUNT(*) AS number FROM mentions").await, 0);
}

#[shared_testing::test]
async fn an_agent_that_names_itself_calls_nobody() {
    let stage = Stage::of(service()).await;
    let (ada, one) = (stage.caller("ada"), agent(&stage, "agent-1"));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    samples::comment(&one, &id, "Done by @agent-1.").await;
    assert_eq!(texts(&mentions(&one).await).len(), 0);
}

#[shared_testing::test]
async fn mentions_are_listed_page_by_page() {
    let stage = Stage::of(service()).await;
    let (ada, one) = (stage.caller("ada"), agent(&stage, "agent-1"));
    mentions(&one).await;
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    for text in ["@agent-1 a", "@agent-1 b", "@agent-1 c"] {
        samples::comment(&ada, &id, text).await;
    }
    let first = one.get("/v1/mentions?limit=2").await.status(200);
    assert_eq!(
        (texts(&first), &first["has_more"]),
        (vec!["@agent-1 c".to_owned(), "@agent-1 b".to_owned()], &json!(true))
    );
    let next = format!("/v1/mentions?limit=2&cursor={}", first["next_cursor"].text());
    assert_eq!(texts(&one.get(next).await.status(200)), ["@agent-1 a"]);
}

#[shared_testing::test]
async fn a_plan_and_its_comment_name_each_other() {
    let stage = Stage::of(service()).await;
    let (ada, bob, one) = (stage.caller("ada"), stage.caller("bob"), agent(&stage, "agent-1"));
    mentions(&one).await;
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let comment = samples::comment(&ada, &id, "@agent-1: add a date.").await;
    let propose = async |caller: &Caller, text: &str, answers: &str| {
        let block = json!({"type": "paragraph", "segments": [{"text": text}]});
        let body = json!({"operations": [{"op": "insert_block", "block": block}], "answers_comment_id": answers});
        samples::command(caller, &id, "edit-plans", body).await.await
    };
    let plan = propose(&one, "In May.", comment["id"].text()).await.status(200)["plan"].clone();
    assert_eq!(plan["answers_comment_id"], comment["id"]);
    let expected = json!({comment["id"].text(): [plan["id"]]});
    assert_eq!(mentions(&one).await["answers"], expected);
    assert_eq!(ada.get(format!("/v1/files/{id}/comments")).await.status(200)["answers"], expected);

    // The same edits without a comment are not an answer, so another plan is made.
    let unasked = json!({"operations": [{"op": "insert_block", "block": {"type": "paragraph", "segments": [{"text": "In June."}]}}]});
    let unasked = samples::command(&one, &id, "edit-plans", unasked).await.await.status(200)["plan"]["id"].clone();
    let asked = propose(&one, "In June.", comment["id"].text()).await.status(200);
    assert_ne!(asked["plan"]["id"], unasked);
    let again = propose(&one, "In June.", comment["id"].text()).await.status(200);
    assert_eq!((&again["plan"]["id"], &again["joined"]), (&asked["plan"]["id"], &json!(true)));
    step(&one, &asked["plan"], "discard", json!({})).await.status(200);

    // A plan in the place of another answers the same comment.
    step(&one, &plan, "request-review", json!({})).await.status(200);
    step(&bob, &plan, "return", json!({"reason": "Which year?"})).await.status(200);
    let block = json!({"type": "paragraph", "segments": [{"text": "In May 2027."}]});
    let revise = json!({"operations": [{"op": "insert_block", "block": block}]});
    let path = format!("/v1/files/{id}/edit-plans/{}/revise", plan["id"].text());
    let etag = samples::etag(&one, &id).await;
    let revised = one.post(path).fresh_key().header("if-match", etag).json(revise).await.status(200)["plan"].clone();
    assert_eq!(revised["answers_comment_id"], comment["id"]);
    assert_eq!(mentions(&one).await["answers"], json!({comment["id"].text(): [revised["id"]]}));

    let other = samples::id(&samples::create(&ada, "Other").await);
    let foreign = samples::comment(&ada, &other, "Elsewhere.").await;
    propose(&one, "x", foreign["id"].text()).await.refused(422, "invalid_field").problems_at(&["/answers_comment_id"]);
}

#[shared_testing::test]
async fn an_agent_finds_no_mention_outside_of_its_limits() {
    let stage = Stage::of(service()).await;
    let (ada, one) = (stage.caller("ada").scope("cloud.write cloud.approve"), agent(&stage, "agent-1"));
    mentions(&one).await;
    let room = samples::folder(&ada, "Room", None).await;
    let (inside, outside) =
        (samples::document_in(&ada, "Inside", &room).await, samples::id(&samples::document_of(&ada, &["one"]).await));
    samples::comment(&ada, &inside, "@agent-1 inside").await;
    samples::comment(&ada, &outside, "@agent-1 outside").await;
    assert_eq!(texts(&mentions(&one).await).len(), 2);
    let limits = format!("/v1/agents/{}/limits", one.claim_text("grant_id"));
    let body = json!({"folders": [room], "may": "apply"});
    ada.request("PUT", limits).fresh_key().json(body).await.status(200);
    assert_eq!(texts(&mentions(&one).await), ["@agent-1 inside"]);
}

#[shared_testing::test]
async fn a_comment_names_its_newest_ten_answers() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let comment = samples::comment(&ada, &id, "Which month?").await["id"].clone();
    let other = samples::comment(&ada, &id, "Which year?").await["id"].clone();
    let propose = async |text: &str, answers: &Value| {
        let block = json!({"type": "paragraph", "segments": [{"text": text}]});
        let body = json!({"operations": [{"op": "insert_block", "block": block}], "answers_comment_id": answers});
        samples::command(&ada, &id, "edit-plans", body).await.await.status(200)["plan"]["id"].clone()
    };
    let year = propose("2027", &other).await;
    let mut months = Vec::new();
    for month in 0..12 {
        stage.clock.advance(Duration::from_secs(1));
        months.push(propose(&month.to_string(), &comment).await);
    }
    let answers = ada.get(format!("/v1/files/{id}/comments")).await.status(200)["answers"].clone();
    assert_eq!(answers, json!({comment.text(): months[2..], other.text(): [year]}));
}
