//! Where refusals lead: each test follows `next_action` until it succeeds.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Response, Stage, Text};

use crate::samples;

/// The POST routes that the problems of a refusal name, for this file.
fn named(refused: &Response, id: &str) -> Vec<String> {
    let problems = refused["error"]["next_action"]["problems"].as_array().expect("problems").iter();
    let rules = problems.map(|problem| problem["rule"].text().strip_prefix("must be POST ").expect("a route"));
    rules.map(|rule| rule.split(':').next().expect("a path").replace("{file_id}", id)).collect()
}

#[shared_testing::test]
async fn a_file_of_another_type_leads_to_its_own_url() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let plan = samples::plan(&ada, &id, "two").await;
    let version = "version_id=ver_1";
    for path in ["notes/ID", "notes/ID?VERSION", "spreadsheets/ID", "spreadsheets/ID/sheets", "publications/ID"] {
        let path = format!("/v1/{}", path.replace("ID", &id).replace("VERSION", version));
        let refused = ada.get(path).await.refused(404, "not_found");
        assert_eq!(
            refused["error"]["message"],
            format!("{id} is not of type {}, but of type document.", kind(&refused))
        );
        assert_eq!(ada.get(refused.leads_to("refresh")).await.status(200)["content"]["kind"], "docs");
    }
    let apply = plan["apply_url"].text().replace("/documents/", "/notes/");
    let apply = ada.post(apply).fresh_key().header("if-match", plan["base_etag"].text()).json(json!({}));
    ada.get(apply.await.refused(404, "not_found").leads_to("refresh")).await.status(200);

    let folder = samples::folder(&ada, "Plans", None).await;
    let refused = ada.get(format!("/v1/documents/{folder}")).await.refused(404, "not_found");
    assert_eq!(ada.get(refused.leads_to("refresh")).await.status(200)["file"]["type"], "folder");
}

/// The type that was asked for, as the message names it.
fn kind(refused: &Response) -> String {
    let message = refused["error"]["message"].text();
    message.split("type ").nth(1).and_then(|rest| rest.split(',').next()).expect("a type").to_owned()
}

#[shared_testing::test]
async fn a_stranger_cannot_tell_another_type_from_nothing() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob").workspace(2));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let error = |response: Response| redacted(&response.refused(404, "not_found"));
    let theirs = error(bob.get(format!("/v1/notes/{id}")).await);
    assert_eq!(theirs, error(bob.get("/v1/notes/file_999").await));
    assert_eq!(theirs, error(bob.get(format!("/v1/documents/{id}")).await));
}

fn redacted(response: &Response) -> Value {
    response.redacted()["error"].clone()
}

#[shared_testing::test]
async fn a_method_that_is_meant_otherwise_names_the_operation() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let etag = samples::etag(&ada, &id).await;
    for (method, collection, body) in [
        ("PATCH", "files", json!({"name": "Renamed"})),
        ("PUT", "documents", json!({"operations": [{"op": "delete_block", "block_id": "b0"}]})),
        ("DELETE", "files", json!({})),
    ] {
        let refused = ada.request(method, format!("/v1/{collection}/{id}")).await.refused(405, "method_not_allowed");
        assert_eq!(refused["error"]["next_action"]["methods"], json!(["GET", "HEAD"]));
        let mut statuses = Vec::new();
        for path in named(&refused, &id) {
            let command = ada.post(path).fresh_key().header("if-match", etag.as_str()).json(body.clone());
            statuses.push(command.await.status);
        }
        assert!(statuses.contains(&200) || statuses.contains(&412), "{method}: {statuses:?} {refused}");
    }
    assert_eq!(ada.get(format!("/v1/files/{id}")).await.status(200)["file"]["name"], "Renamed");
    let refused = ada.request("DELETE", format!("/v1/documents/{id}")).await.refused(405, "method_not_allowed");
    assert_eq!(named(&refused, &id), [format!("/v1/files/{id}/trash")]);
    samples::command(&ada, &id, "trash", json!({})).await.await.status(200);
    let list = ada.request("DELETE", "/v1/files").await.refused(405, "method_not_allowed");
    assert!(list["error"]["next_action"].get("problems").is_none(), "{list}");
}

#[shared_testing::test]
async fn a_misspelled_route_names_the_one_that_is_meant() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let refused = ada.get(format!("/v1/document/{id}")).await.refused(404, "not_found").problems_at(&["path"]);
    let rule = refused["error"]["next_action"]["problems"][0]["rule"].text().to_owned();
    let path = rule.strip_prefix("must be ").expect("a path").replace("{file_id}", &id);
    ada.get(path).await.status(200);
}

#[shared_testing::test]
async fn a_reused_key_says_what_it_was_used_for() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let create = |name: &str| ada.post("/v1/documents").key("a/b").json(json!({"name": name}));
    let first = create("Plan").await.status(200);
    let reused = create("Other").await.refused(409, "idempotency_key_reused");
    let next = &reused["error"]["next_action"];
    assert_eq!((next["type"].text(), next["operation"].text()), ("new_key", "create_document"));
    assert_eq!(next["first_used_at"], json!(stage.now()));
    let listed = ada.get(next["href"].text()).await.status(200);
    assert_eq!(listed["commands"][0]["answer"]["file"]["id"], first["file"]["id"]);
}

#[shared_testing::test]
async fn what_belongs_to_a_grant_is_not_replayed_to_another() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let same_person = stage.caller("ada").claim("grant_id", "grant-of-another-sign-in");
    let draft = json!({"name": "Secret", "type": "note", "content": {"title": "", "content": "mine"}});
    let hook = json!({"url": "https://example.com/hook", "events": ["*"]});
    for (path, body, member) in [("/v1/scratch", draft, "draft"), ("/v1/webhooks", hook, "webhook")] {
        let send = |caller: &shared_testing::Caller| caller.post(path).key(&format!("of-{member}")).json(body.clone());
        let first = send(&ada).await.status(200);
        assert_eq!(send(&ada).await.status(200)["replayed"], true);
        let lookup = format!("/v1/idempotency/of-{member}");
        assert_eq!(same_person.get(lookup).await.status(200)["commands"], json!([]));
        let theirs = send(&same_person).await.status(200);
        assert_eq!(theirs.json().get("replayed"), None, "{theirs}");
        assert_ne!(theirs[member]["id"], first[member]["id"]);
        let secret = |answer: &Response| answer.json().get("signing_secret").cloned();
        assert!(member == "draft" || secret(&theirs) != secret(&first));
        same_person.get(format!("{path}/{}", first[member]["id"].text())).await.refused(404, "not_found");
    }
    // Files belong to the workspace: after a new sign-in the same person may send a command again.
    let create = |caller: &shared_testing::Caller| caller.post("/v1/documents").key("k").json(json!({"name": "Plan"}));
    create(&ada).await.status(200);
    assert_eq!(create(&same_person).await.status(200)["replayed"], true);
}
