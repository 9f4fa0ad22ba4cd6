//! What an agent with limits meets: all that is outside is as if it were not there.

use std::time::Duration;

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Stage, Text as _};

use super::{agent, ids, limit};
use crate::{
    mcp,
    samples::{self, document_in, folder},
    suites, uploads,
};

/// The body of an answer without what differs between any two.
fn told(body: &Value, id: &str) -> String {
    let mut body = body.clone();
    if let Some(body) = body.as_object_mut() {
        body.remove("request_id");
    }
    body.to_string().replace(id, "ID")
}

#[shared_testing::test]
async fn every_operation_on_a_hidden_object_answers_as_for_a_missing_one() {
    let stage = suites::stage().await;
    let ada = suites::lasting(&stage, "ada");
    let fixtures = suites::fixtures(&stage, &ada).await;
    let robot = agent(&stage, "robot", 1).await.claim("exp", stage.now().seconds() + 86_400);
    let room = folder(&ada, "Room", None).await;
    limit(&ada, &robot, json!({"folders": [room], "may": "apply"})).await.status(200);
    let mut compared = 0;
    for fixture in &fixtures {
        let Some(missing) = fixture.for_missing(&robot) else { continue };
        // A new minute for each operation, so that no rate limit is reached.
        stage.clock.advance(Duration::from_secs(60));
        let (missing, hidden) = (missing.await, fixture.by(&robot).await);
        assert!(matches!(missing.status, 403 | 404), "{}: {missing}", fixture.operation);
        assert_eq!(hidden.status, missing.status, "{}: {hidden}", fixture.operation);
        assert_eq!(hidden.redacted(), missing.redacted(), "{}", fixture.operation);
        compared += 1;
    }
    assert!(compared > 50, "{compared}");
}

#[shared_testing::test]
async fn every_tool_answers_for_a_hidden_file_as_for_a_missing_one() {
    let stage = Stage::of(service()).await;
    let (ada, robot) = (stage.caller("ada"), agent(&stage, "robot", 1).await);
    let room = folder(&ada, "Room", None).await;
    let hidden = samples::id(&samples::document_of(&ada, &["A secret text."]).await);
    let plan = samples::plan(&ada, &hidden, "more").await["id"].clone();
    let version = ada.get(format!("/v1/files/{hidden}/versions")).await.status(200)["items"][0]["id"].clone();
    limit(&ada, &robot, json!({"folders": [room], "may": "apply"})).await.status(200);
    let listed = mcp::message(&robot, "tools/list", json!({})).await.status(200);
    let mut compared = 0;
    for tool in listed["result"]["tools"].as_array().expect("tools") {
        let properties = tool["inputSchema"]["properties"].as_object().cloned().unwrap_or_default();
        let is_required =
            |name: &str| tool["inputSchema"]["required"].as_array().is_some_and(|all| all.contains(&json!(name)));
        let mut arguments = json!({});
        for (name, schema) in properties.iter().filter(|(name, _)| is_required(name) || name.as_str() == "file_id") {
            arguments[name] = match (name.as_str(), schema["type"].text()) {
                ("plan_id", _) => plan.clone(),
                ("version_id" | "with" | "with_version_id", _) => version.clone(),
                ("if_match", _) => json!("0123456789abcdef"),
                (_, "string") => schema["enum"].get(0).cloned().unwrap_or(json!("x")),
                (_, "integer" | "number") => json!(1),
                (_, "boolean") => json!(true),
                (_, "array") => json!([]),
                _ => json!({}),
            };
        }
        for argument in ["file_id", "parent_id"].iter().filter(|name| properties.contains_key(**name)) {
            stage.clock.advance(Duration::from_secs(60));
            let robot = agent(&stage, "robot", 1).await;
            let mut answers = Vec::new();
            for id in [hidden.as_str(), "file_999999999"] {
                arguments[*argument] = json!(id);
                let params = json!({"name": tool["name"], "arguments": arguments});
                let answer = mcp::message(&robot, "tools/call", params).await.status(200);
                assert!(!answer.body().contains("secret"), "{answer}");
                let mut result = answer["result"].clone();
                result["structuredContent"]["request_id"] = Value::Null;
                answers.push(told(&result, id));
            }
            let without_ids =
                |text: &str| text.split("req_").map(|part| part.get(32..).unwrap_or(part)).collect::<String>();
            assert_eq!(without_ids(&answers[0]), without_ids(&answers[1]), "{}", tool["name"]);
            compared += 1;
        }
    }
    assert!(compared > 20, "{compared}");
}

/// A room with a note, and files outside of it.
struct Scene {
    ada: Caller,
    robot: Caller,
    room: String,
    inside: String,
    outside: String,
}

async fn scene(stage: &Stage) -> Scene {
    let ada = stage.caller("ada");
    let robot = agent(stage, "robot", 1).await;
    let top = folder(&ada, "Board", None).await;
    let room = folder(&ada, "Room", Some(&top)).await;
    let inside = document_in(&ada, "Minutes", &room).await;
    let outside = document_in(&ada, "Salaries", &top).await;
    limit(&ada, &robot, json!({"folders": [room], "may": "apply"})).await.status(200);
    Scene { ada, robot, room, inside, outside }
}

#[shared_testing::test]
async fn a_room_is_at_the_top_for_its_agent() {
    let stage = Stage::of(service()).await;
    let Scene { ada, robot, room, inside, outside } = scene(&stage).await;
    let mut all = vec![room.clone(), inside.clone()];
    all.sort();
    assert_eq!(ids(&robot.get("/v1/files").await.status(200)), all);
    assert_eq!(ids(&robot.get("/v1/files?parent_id=root").await.status(200)), std::slice::from_ref(&room));
    assert_eq!(robot.get(format!("/v1/files/{room}")).await.status(200)["file"]["parent_id"], Value::Null);
    let details = robot.get(format!("/v1/files/{inside}/details")).await.status(200);
    assert_eq!(details["details"]["path"], json!([{"id": room, "name": "Room"}]));
    assert_eq!(ids(&robot.get("/v1/search?name_contains=s").await.status(200)), std::slice::from_ref(&inside));
    robot.get(format!("/v1/files/{outside}")).await.refused(404, "not_found");
    for change in robot.get("/v1/changes?limit=100").await.status(200)["items"].as_array().expect("items") {
        assert!(all.contains(&change["file"]["id"].text().to_owned()), "{change}");
    }
    let recent = robot.get("/v1/changes/recent").await.status(200);
    assert_eq!(recent["items"].as_array().map(Vec::len), Some(2), "{recent}");
    // A file that a person moves into the room appears, and one that leaves it is gone.
    samples::command(&ada, &outside, "move", json!({"parent_id": room})).await.await.status(200);
    robot.get(format!("/v1/files/{outside}")).await.status(200);
    samples::command(&ada, &inside, "move", json!({"parent_id": null})).await.await.status(200);
    robot.get(format!("/v1/files/{inside}")).await.refused(404, "not_found");
}

#[shared_testing::test]
async fn an_agent_puts_nothing_outside_of_its_room_and_keeps_the_room() {
    let stage = Stage::of(service()).await;
    let Scene { ada, robot, room, inside, outside } = scene(&stage).await;
    let note = |parent: Value| robot.post("/v1/notes").fresh_key().json(json!({"name": "Note", "parent_id": parent}));
    note(json!("root")).await.refused(404, "not_found");
    note(json!("file_999999")).await.refused(404, "not_found");
    let top = ada.get(format!("/v1/files/{room}")).await.status(200)["file"]["parent_id"].clone();
    note(top.clone()).await.refused(404, "not_found");
    note(json!(room)).await.status(200);
    for parent in [Value::Null, top] {
        samples::command(&robot, &inside, "move", json!({"parent_id": parent})).await.await.refused(404, "not_found");
    }
    for (verb, body) in
        [("rename", json!({"name": "Mine"})), ("trash", json!({})), ("move", json!({"parent_id": null}))]
    {
        samples::command(&robot, &room, verb, body).await.await.refused(403, "agent_limited");
    }
    samples::command(&robot, &inside, "trash", json!({})).await.await.status(200);
    // A name that only a hidden file has is free.
    limit(&ada, &robot, json!({"folders": [room], "types": ["note"], "may": "apply"})).await.status(200);
    samples::command(&ada, &outside, "move", json!({"parent_id": room})).await.await.status(200);
    let named = json!({"name": "Salaries", "parent_id": room});
    let create =
        |kind: &str| robot.post(format!("/v1/{kind}")).fresh_key().header("if-none-match", "*").json(named.clone());
    create("notes").await.status(200);
    create("documents").await.refused(403, "agent_limited");
    let sub = folder(&ada, "Sub", Some(&room)).await;
    samples::command(&robot, &sub, "trash", json!({})).await.await.refused(403, "agent_limited");
}

#[shared_testing::test]
async fn what_an_agent_may_do_is_checked_before_what_there_is() {
    let stage = Stage::of(service()).await;
    let Scene { ada, robot, room, inside, .. } = scene(&stage).await;
    limit(&ada, &robot, json!({"folders": [room], "may": "propose"})).await.status(200);
    let plan = samples::plan(&robot, &inside, "more").await;
    samples::comment(&robot, &inside, "Is that so?").await;
    samples::apply(&robot, &plan).await.await.refused(403, "agent_limited");
    limit(&ada, &robot, json!({"may": "read"})).await.status(200);
    for id in [inside.as_str(), "file_999999"] {
        let request = robot.post(format!("/v1/files/{id}/comments")).fresh_key().json(json!({"text": "x"}));
        request.await.refused(403, "agent_limited");
    }
    limit(&ada, &robot, json!({"may": "apply"})).await.status(200);
    samples::apply(&robot, &plan).await.await.status(200);
}

#[shared_testing::test]
async fn an_agent_writes_no_more_in_a_day_than_its_limits_allow() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let robot = agent(&stage, "robot", 1).await;
    let bytes = samples::create(&robot, "Plan").await["file"].clone();
    assert!(bytes["id"].is_string());
    let written = ada.get("/v1/agents").await.status(200)["items"][0]["bytes_today"].as_i64().expect("a number");
    assert!(written > 0);
    limit(&ada, &robot, json!({"may": "apply", "bytes_per_day": written * 2})).await.status(200);
    samples::create(&robot, "Plan").await;
    let create = |robot: &Caller| robot.post("/v1/documents").fresh_key().json(json!({"name": "Plan"}));
    create(&robot).await.refused(403, "agent_limited");
    let draft = json!({"type": "note", "name": "Plan", "content": {"title": "Plan", "content": "x"}});
    robot.post("/v1/scratch").fresh_key().json(draft.clone()).await.refused(403, "agent_limited");
    let upload = json!({"name": "a.txt", "mime": "text/plain", "size": 1_000_000, "sha256": "0".repeat(64)});
    robot.post("/v1/uploads").fresh_key().json(upload).await.refused(403, "agent_limited");
    let file = samples::id(&samples::create(&ada, "Plan").await);
    let block = json!({"type": "paragraph", "segments": [{"text": "more"}]});
    let operations = json!([{"op": "insert_block", "block": block}]);
    samples::propose(&robot, &file, operations).await.await.refused(403, "agent_limited");
    stage.clock.advance(Duration::from_secs(86_400));
    create(&agent(&stage, "robot", 1).await).await.status(200);
}

#[shared_testing::test]
async fn what_becomes_a_version_is_counted_once() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let robot = agent(&stage, "robot", 1).await;
    let today = async || ada.get("/v1/agents").await.status(200)["items"][0]["bytes_today"].as_i64().expect("a number");
    let draft = json!({"type": "note", "name": "Plan", "content": {"title": "Plan", "content": "x"}});
    let draft = robot.post("/v1/scratch").fresh_key().json(draft).await.status(200)["draft"]["id"].text().to_owned();
    let saved = today().await;
    assert!(saved > 0);
    robot.post(format!("/v1/scratch/{draft}/promote")).fresh_key().json(json!({})).await.status(200);
    assert_eq!(today().await, saved);
    let file = samples::id(&samples::create(&ada, "Plan").await);
    let plan = samples::plan(&robot, &file, "more").await;
    let proposed = today().await;
    assert!(proposed > saved);
    samples::apply(&robot, &plan).await.await.status(200);
    assert_eq!(today().await, proposed);
}

#[shared_testing::test]
async fn a_link_and_receipts_end_where_the_limits_end() {
    let stage = Stage::of(service()).await;
    let Scene { ada, robot, room, inside, .. } = scene(&stage).await;
    let link = robot.post(format!("/v1/files/{inside}/download-grants")).json(json!({})).await.status(200);
    let url = link["download"]["url"].text().to_owned();
    stage.anyone().get(&url).await.status(200);
    samples::command(&ada, &inside, "move", json!({"parent_id": null})).await.await.status(200);
    stage.anyone().get(&url).await.refused(404, "grant_invalid");
    let receipts = |who: &Caller| who.get("/v1/receipts");
    samples::apply(&ada, &samples::plan(&ada, &inside, "more").await).await.await.status(200);
    assert_eq!(receipts(&ada).await.status(200)["items"].as_array().map(Vec::len), Some(1));
    assert_eq!(receipts(&robot).await.status(200)["items"], json!([]));
    assert_eq!(ids(&robot.get("/v1/files").await.status(200)), [room]);
}

#[shared_testing::test]
async fn a_proposal_is_seen_only_if_all_its_files_are() {
    let stage = Stage::of(service()).await;
    let Scene { ada, robot, inside, outside, .. } = scene(&stage).await;
    let propose = async |files: &[&str]| {
        let mut plans = Vec::new();
        for file in files {
            let plan = samples::plan(&ada, file, files.len().to_string().as_str()).await;
            plans.push(json!({"file_id": file, "plan_id": plan["id"]}));
        }
        let body = json!({"title": "Together", "plans": plans});
        ada.post("/v1/proposals").fresh_key().json(body).await.status(200)["proposal"]["id"].text().to_owned()
    };
    let (both, own) = (propose(&[&inside, &outside]).await, propose(&[&inside]).await);
    assert_eq!(ids(&robot.get("/v1/proposals").await.status(200)), std::slice::from_ref(&own));
    robot.get(format!("/v1/proposals/{own}")).await.status(200);
    robot.get(format!("/v1/proposals/{both}")).await.refused(404, "not_found");
    assert_eq!(ids(&ada.get("/v1/proposals").await.status(200)).len(), 2);
}

#[shared_testing::test]
async fn a_purge_shows_no_proposal_that_was_hidden() {
    let stage = Stage::of(service()).await;
    let Scene { ada, robot, inside, outside, .. } = scene(&stage).await;
    let mut proposals = Vec::new();
    for files in [&[&inside][..], &[&inside, &outside]] {
        let mut plans = Vec::new();
        for file in files {
            let plan = samples::plan(&ada, file, &files.len().to_string()).await;
            plans.push(json!({"file_id": file, "plan_id": plan["id"]}));
        }
        let body = json!({"title": "Together", "plans": plans});
        let proposal = ada.post("/v1/proposals").fresh_key().json(body).await.status(200)["proposal"].clone();
        proposals.push(proposal["id"].text().to_owned());
        stage.clock.advance(Duration::from_secs(1));
    }
    for verb in ["trash", "purge"] {
        samples::command(&ada, &outside, verb, json!({})).await.await.status(200);
    }
    robot.get(format!("/v1/proposals/{}", proposals[1])).await.refused(404, "not_found");
    ada.get(format!("/v1/proposals/{}", proposals[1])).await.status(200);
    // The newer one takes no place on the page.
    let page = robot.get("/v1/proposals?limit=1").await.status(200);
    assert_eq!((ids(&page), &page["has_more"]), (vec![proposals[0].clone()], &json!(false)));
}

#[shared_testing::test]
async fn an_agent_ends_its_own_proposal_after_a_purge() {
    let stage = Stage::of(service()).await;
    let Scene { ada, robot, room, inside, .. } = scene(&stage).await;
    let other = agent(&stage, "other", 1).await;
    limit(&ada, &other, json!({"folders": [room], "may": "apply"})).await.status(200);
    let second = document_in(&ada, "Notes", &room).await;
    // The first of the files is purged. In the end that is all of them.
    for files in [vec![&second, &inside], vec![&inside]] {
        let mut plans = Vec::new();
        for &file in &files {
            let plan = samples::plan(&robot, file, "more").await;
            plans.push(json!({"file_id": file, "plan_id": plan["id"]}));
        }
        let body = json!({"title": "Together", "plans": plans});
        let proposal = robot.post("/v1/proposals").fresh_key().json(body).await.status(200)["proposal"].clone();
        let path = format!("/v1/proposals/{}", proposal["id"].text());
        other.get(&path).await.status(200);
        for verb in ["trash", "purge"] {
            samples::command(&ada, files[0], verb, json!({})).await.await.status(200);
        }
        let open = "/v1/proposals?state=proposed";
        other.get(&path).await.refused(404, "not_found");
        assert!(ids(&other.get(open).await.status(200)).is_empty());
        robot.get(&path).await.status(200);
        assert_eq!(ids(&robot.get(open).await.status(200)), [proposal["id"].text()]);
        let discard = |caller: &Caller| caller.post(format!("{path}/discard")).fresh_key().json(json!({}));
        discard(&other).await.refused(404, "not_found");
        assert_eq!(discard(&robot).await.status(200)["proposal"]["state"], "discarded");
    }
}

#[shared_testing::test]
async fn a_trashed_folder_above_the_room_is_not_named() {
    let stage = Stage::of(service()).await;
    let Scene { ada, robot, room, inside, .. } = scene(&stage).await;
    let top = ada.get(format!("/v1/files/{room}")).await.status(200)["file"]["parent_id"].text().to_owned();
    samples::command(&ada, &inside, "trash", json!({})).await.await.status(200);
    samples::command(&ada, &top, "trash", json!({})).await.await.status(200);
    let details = robot.get(format!("/v1/files/{inside}/details")).await.status(200);
    assert_eq!(details["details"]["path"], json!([]), "the path ends at the trashed folder, which is outside");
}

#[shared_testing::test]
async fn an_upload_ends_where_the_right_to_write_ends() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let robot = agent(&stage, "robot", 1).await;
    let bytes = uploads::bytes(1_048_576 + 1);
    let upload = uploads::begun(&robot, &bytes).await;
    let (first, last) = bytes.split_at(1_048_576);
    uploads::put(&robot, &upload, 0, first).await.status(200);
    let refused = async || uploads::put(&robot, &upload, 1, last).await.refused(403, "agent_limited");
    for may in ["read", "propose"] {
        limit(&ada, &robot, json!({"may": may})).await.status(200);
        refused().await;
    }
    limit(&ada, &robot, json!({"may": "apply"})).await.status(200);
    samples::sql(&stage, "UPDATE workspaces SET agents_read_only = TRUE").await;
    refused().await;
    samples::sql(&stage, "UPDATE workspaces SET agents_read_only = FALSE").await;
    uploads::put(&robot, &upload, 1, last).await.status(200);
}

#[shared_testing::test]
async fn pages_end_among_many_files_that_the_agent_does_not_see_and_go_on() {
    let stage = Stage::of(service()).await;
    let Scene { robot, room, inside, .. } = scene(&stage).await;
    let numbers = "WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < 6000)";
    let files = "INSERT INTO files (workspace_id, name, name_key, type, state, meta_revision, change_sequence,
        first_change, created_at, updated_at) SELECT 1, 'hidden', 'hidden', 'folder', 'active', 1, 1, i, 0, 0 FROM numbers";
    samples::sql(&stage, &format!("{numbers} {files}")).await;
    let changes = "INSERT INTO changes (workspace_id, sequence, type, at, actor)
        SELECT 1, i + change_sequence, 'file.created', 0, '{}' FROM numbers, workspaces WHERE id = 1";
    samples::sql(&stage, &format!("{numbers} {changes}")).await;
    samples::sql(&stage, "UPDATE workspaces SET change_sequence = change_sequence + 6000 WHERE id = 1").await;
    for (path, only) in
        [("/v1/files?parent_id=root".to_owned(), &room), (format!("/v1/files?parent_id={room}"), &inside)]
    {
        let list = robot.get(&path).await.status(200);
        assert_eq!((ids(&list), &list["has_more"]), (vec![only.clone()], &json!(false)), "{path}");
    }
    // A term of one letter is too short for the index of names.
    for path in ["/v1/files?limit=100", "/v1/search?name_contains=m", "/v1/changes/recent?limit=100"] {
        let first = robot.get(path).await.status(200);
        assert_eq!((&first["items"], &first["has_more"]), (&json!([]), &json!(true)), "{path}");
        let second = robot.get(format!("{path}&cursor={}", first["next_cursor"].text())).await.status(200);
        let items = second["items"].as_array().expect("items");
        assert_eq!((items.len(), &second["has_more"]), (2, &json!(false)), "{second}");
        assert!(second.body().contains(&room) && second.body().contains(&inside), "{second}");
    }
}
