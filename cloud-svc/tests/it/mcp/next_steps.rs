//! The call that a result or a refusal names is one that will be carried out.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Stage, Text as _};

use super::{said, texts::named};
use crate::{agents, samples};

fn robot(stage: &Stage) -> Caller {
    stage.caller("robot").claim("actor", json!({"type": "agent", "id": "robot", "display_name": "Robot"}))
}

/// What the tool says when this caller proposes one more paragraph.
async fn proposes(caller: &Caller, file: &str, markdown: &str) -> String {
    let operations = json!([{"op": "insert_markdown", "markdown": markdown}]);
    let edit = json!({"file_id": file, "if_match": samples::etag(caller, file).await, "operations": operations});
    said(caller, "edit_document", edit).await
}

/// The id in the first line of the text about a plan.
fn plan_id(text: &str) -> String {
    text.split(' ').nth(1).expect("an id").to_owned()
}

async fn policy(stage: &Stage, word: &str) {
    samples::sql(stage, &format!("UPDATE workspaces SET agent_writes = '{word}'")).await;
}

#[shared_testing::test]
async fn a_proposed_plan_is_applied_reviewed_or_left_to_a_person() {
    let stage = Stage::of(service()).await;
    let (ada, robot) = (stage.caller("ada"), robot(&stage));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    policy(&stage, "direct").await;
    assert_eq!(named(&proposes(&robot, &id, "two").await, "Next:").0, "apply_plan");
    policy(&stage, "review").await;
    assert_eq!(named(&proposes(&robot, &id, "three").await, "Next:").0, "request_review");
    assert_eq!(named(&proposes(&ada, &id, "of a person").await, "Next:").0, "apply_plan");

    policy(&stage, "direct").await;
    let limits = format!("/v1/agents/{}/limits", robot.claim_text("grant_id"));
    ada.request("PUT", limits).fresh_key().json(json!({"may": "propose"})).await.status(200);
    let limited = proposes(&robot, &id, "four").await;
    let page = format!("A person applies it on its page: {}/f/{id}/plans/{}", stage.base_url(), plan_id(&limited));
    assert!(limited.contains(&page) && !limited.contains("Next:"), "{limited}");
    let without_write = robot.scope("cloud.propose");
    let narrow = proposes(&without_write, &id, "five").await;
    assert!(narrow.contains("A person applies it on its page: "), "{narrow}");
}

#[shared_testing::test]
async fn a_stale_plan_names_its_rebase_with_the_current_tag() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let mine = samples::plan(&ada, &id, "mine").await;
    let reviewed = samples::plan(&ada, &id, "reviewed").await;
    said(&ada, "request_review", json!({"file_id": id, "plan_id": reviewed["id"]})).await;
    samples::apply(&ada, &samples::plan(&ada, &id, "theirs").await).await.await.status(200);
    for (tool, plan) in
        [("get_plan", &mine), ("await_decision", &mine), ("get_plan", &reviewed), ("await_decision", &reviewed)]
    {
        let shown = said(&ada, tool, json!({"file_id": id, "plan_id": plan["id"], "wait_seconds": 0})).await;
        let (tool, arguments) = named(&shown, "Next:");
        assert_eq!(tool, "rebase_plan");
        assert_eq!(arguments["if_match"].text(), &samples::etag(&ada, &id).await[1..17]);
    }
    let shown = said(&ada, "get_plan", json!({"file_id": id, "plan_id": mine["id"]})).await;
    let (tool, arguments) = named(&shown, "Next:");
    let rebased = said(&ada, &tool, arguments).await;
    assert_eq!(named(&rebased, "Next:").0, "apply_plan", "{rebased}");
}

#[shared_testing::test]
async fn an_expired_plan_names_its_rebase_or_its_revision() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let mine = samples::plan(&ada, &id, "mine").await;
    let returned = samples::plan(&ada, &id, "returned").await;
    samples::step(&ada, &returned, "request-review", json!({})).await.status(200);
    samples::step(&bob, &returned, "return", json!({"reason": "Shorter."})).await.status(200);
    samples::command(&ada, &id, "rename", json!({"name": "Newer"})).await.await.status(200);
    stage.clock.advance(std::time::Duration::from_secs(604_800));
    let ada = stage.caller("ada");
    let tag = samples::etag(&ada, &id).await[1..17].to_owned();
    let rebase = json!({"file_id": id, "plan_id": mine["id"], "if_match": tag});
    for tool in ["get_plan", "await_decision"] {
        let shown = said(&ada, tool, json!({"file_id": id, "plan_id": mine["id"]})).await;
        assert!(shown.contains(" expired: "), "{shown}");
        assert_eq!(named(&shown, "Next:"), ("rebase_plan".to_owned(), rebase.clone()), "{shown}");
        let shown = said(&ada, tool, json!({"file_id": id, "plan_id": returned["id"]})).await;
        let revision = json!({"file_id": id, "if_match": tag, "revises": returned["id"]});
        assert!(shown.contains(&format!("Next: edit_document with your operations and {revision}")), "{shown}");
    }
    let rebased = said(&ada, "rebase_plan", rebase).await;
    assert_eq!(named(&rebased, "Next:").0, "apply_plan", "{rebased}");
}

#[shared_testing::test]
async fn a_plan_that_is_decided_with_hidden_ones_names_no_proposal() {
    let stage = Stage::of(service()).await;
    let (ada, robot) = (stage.caller("ada"), agents::agent(&stage, "robot", 1).await);
    let room = samples::folder(&ada, "Room", None).await;
    let inside = samples::document_in(&ada, "Minutes", &room).await;
    let outside = samples::id(&samples::create(&ada, "Salaries").await);
    agents::limit(&ada, &robot, json!({"folders": [room], "may": "apply"})).await.status(200);
    let mut plans = Vec::new();
    for file in [&inside, &outside] {
        let plan = samples::plan(&ada, file, "more").await;
        plans.push(json!({"file_id": file, "plan_id": plan["id"]}));
    }
    let seen = plans[0].clone();
    ada.post("/v1/proposals").fresh_key().json(json!({"title": "T", "plans": plans})).await.status(200);
    let shown = said(&robot, "get_plan", seen.clone()).await;
    assert!(shown.contains("It is decided together with plans that you do not see."), "{shown}");
    assert!(!shown.contains("Next:"), "{shown}");
    assert_eq!(named(&said(&ada, "get_plan", seen).await, "Next:").0, "get_proposal");
}

#[shared_testing::test]
async fn a_returned_plan_is_answered_with_the_tool_of_its_type() {
    let stage = Stage::of(service()).await;
    let (ada, robot) = (stage.caller("ada"), robot(&stage));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let plan = samples::plan(&robot, &id, "two").await;
    samples::step(&robot, &plan, "request-review", json!({})).await.status(200);
    samples::step(&ada, &plan, "return", json!({"reason": "Shorter."})).await.status(200);
    let told = said(&robot, "await_decision", json!({"file_id": id, "plan_id": plan["id"]})).await;
    // In words, because nobody else knows the operations.
    let known = told.lines().find_map(|line| line.strip_prefix("Next: edit_document with your operations and "));
    let mut arguments: Value = serde_json::from_str(known.unwrap_or_else(|| panic!("{told}"))).expect("JSON");
    assert_eq!((&arguments["revises"], &arguments["operations"]), (&plan["id"], &Value::Null));
    arguments["operations"] = json!([{"op": "insert_markdown", "markdown": "2"}]);
    let revised = said(&robot, "edit_document", arguments).await;
    assert!(revised.contains(" in_review: ") && named(&revised, "Next:").0 == "await_decision", "{revised}");
}

#[shared_testing::test]
async fn refusals_for_a_conflict_and_for_ones_own_plan_name_the_next_call() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let replace = |text: &str| {
        let block = json!({"type": "paragraph", "segments": [{"text": text}]});
        json!([{"op": "replace_block", "block_id": "b0", "block": block}])
    };
    let mine = samples::propose(&ada, &id, replace("mine")).await.await.status(200)["plan"].clone();
    let theirs = samples::propose(&ada, &id, replace("theirs")).await.await.status(200)["plan"].clone();
    samples::apply(&ada, &theirs).await.await.status(200);
    let etag = samples::etag(&ada, &id).await;
    let plan = json!({"file_id": id, "plan_id": mine["id"]});
    let rebase = json!({"file_id": id, "plan_id": mine["id"], "if_match": etag});
    let conflict = said(&ada, "rebase_plan", rebase).await;
    assert!(conflict.starts_with("refused plan_conflict"), "{conflict}");
    assert_eq!(named(&conflict, "Next:"), ("read_file".to_owned(), json!({"file_id": id})));
    assert!(conflict.contains("Then propose your edits again."), "{conflict}");
    let together = said(&ada, "propose_together", json!({"title": "Mine", "plans": [plan]})).await;
    let (tool, seen) = named(&together, "Next:");
    assert_eq!(tool, "rebase_proposal", "{together}");
    let conflict = said(&ada, &tool, seen.clone()).await;
    let proposal = json!({"proposal_id": seen["proposal_id"]});
    assert_eq!(named(&conflict, "Next:"), ("discard_proposal".to_owned(), proposal), "{conflict}");
    let reject = json!({"file_id": id, "plan_id": mine["id"], "reason": "No"});
    let own = said(&ada.clone().scope("cloud.write cloud.approve"), "reject_plan", reject).await;
    assert_eq!(named(&own, "Next:"), ("discard_plan".to_owned(), plan), "{own}");
}

#[shared_testing::test]
async fn a_proposal_is_reviewed_where_its_plans_must_be_and_says_how_to_undo_it() {
    let stage = Stage::of(service()).await;
    let (ada, robot) = (stage.caller("ada"), robot(&stage));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    policy(&stage, "review_risky").await;
    let together = async |caller: &Caller, text: &str| {
        let segment = json!({"text": text, "link": format!("https://{text}.example/")});
        let block = json!({"type": "paragraph", "segments": [segment]});
        let plan = samples::propose(caller, &id, json!([{"op": "insert_block", "block": block}])).await.await;
        let plan = plan.status(200)["plan"].clone();
        let plans = json!([{"file_id": id, "plan_id": plan["id"]}]);
        (said(caller, "propose_together", json!({"title": text, "plans": plans})).await, plan)
    };
    let (risky, plan) = together(&robot, "risky").await;
    let (tool, proposal) = named(&risky, "Next:");
    assert_eq!(tool, "request_proposal_review", "{risky}");
    let part = said(&robot, "get_plan", json!({"file_id": id, "plan_id": plan["id"]})).await;
    assert_eq!(named(&part, "Next:").0, "get_proposal", "{part}");
    let asked = said(&robot, &tool, proposal.clone()).await;
    let wait = json!({"file_id": id, "plan_id": plan["id"]});
    assert_eq!(named(&asked, "Next:"), ("await_decision".to_owned(), wait));
    let page = format!("on its page: {}/w/proposals/{}", stage.base_url(), proposal["proposal_id"].text());
    assert!(asked.contains(&page), "{asked}");
    // Nor is a person with a client: no tool asks about a whole proposal.
    let (own, plan) = together(&ada, "mine").await;
    let (tool, proposal) = named(&own, "Next:");
    assert_eq!(tool, "request_proposal_review", "{own}");
    said(&ada, &tool, proposal.clone()).await;
    let read =
        ada.get(format!("/v1/proposals/{}", proposal["proposal_id"].text())).await.status(200)["proposal"].clone();
    let seen = json!({"proposal_sha256": read["proposal_sha256"]});
    let approve = stage.caller("bob").post(format!("/v1/proposals/{}/approve", proposal["proposal_id"].text()));
    approve.fresh_key().json(seen).await.status(200);
    let (tool, proposal) = named(&said(&ada, "get_proposal", proposal).await, "Next:");
    assert_eq!(tool, "apply_proposal");
    let applied = said(&ada, &tool, proposal).await;
    let before = format!("Undo: restore_version for each file, with the if_match of read_file: {id} ");
    assert!(applied.contains(&format!("{before}{}.", plan["base_version_id"].text())), "{applied}");
}

#[shared_testing::test]
async fn an_undo_of_a_proposal_names_only_the_files_whose_restore_is_not_refused() {
    let stage = Stage::of(service()).await;
    let (ada, robot) = (stage.caller("ada"), robot(&stage));
    let long = samples::id(&samples::document_of(&ada, &["one"]).await);
    let short = samples::id(&samples::document_of(&ada, &["one"]).await);
    policy(&stage, "review_risky").await;
    let paragraphs: Vec<_> = (0..30).map(|number| format!("Paragraph {number}.")).collect();
    let (many, one) = (proposes(&robot, &long, &paragraphs.join("\n\n")).await, proposes(&robot, &short, "Two.").await);
    let plans = json!([
        {"file_id": long, "plan_id": plan_id(&many)},
        {"file_id": short, "plan_id": plan_id(&one)},
    ]);
    let together = said(&robot, "propose_together", json!({"title": "Both", "plans": plans})).await;
    let (tool, proposal) = named(&together, "Next:");
    assert_eq!(tool, "apply_proposal", "{together}");
    let applied = said(&robot, &tool, proposal.clone()).await;
    let line =
        |start: &str| applied.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{applied}"));
    let (restored, proposed) = (line("Undo: restore_version"), line("To undo these, a person must agree."));
    assert!(restored.contains(&format!(" {short} ver_")) && !restored.contains(&format!(" {long} ver_")), "{applied}");
    assert!(proposed.contains(&format!(" {long} ver_")) && !proposed.contains(&format!(" {short} ver_")), "{applied}");
    let proposal = json!({"proposal_id": proposal["proposal_id"]});
    // A later look does not compare the contents of all files again.
    let read = said(&robot, "get_proposal", proposal.clone()).await;
    let both = read.lines().find(|line| line.starts_with("Undo: restore_version")).unwrap_or_else(|| panic!("{read}"));
    assert!(both.contains(&format!(" {long} ver_")) && both.contains(&format!(" {short} ver_")), "{read}");
    assert!(read.contains("If a restore is refused, propose the earlier content as edits"), "{read}");
    assert!(!read.contains("a person must agree") && !applied.contains("If a restore is refused"), "{read}");
    let reader = robot.scope("cloud.read");
    let read = said(&reader, "get_proposal", proposal).await;
    assert!(read.contains("Somebody who may write can undo it.") && !read.contains("restore_version"), "{read}");
}

#[shared_testing::test]
async fn an_expired_proposal_names_its_rebase_and_one_without_a_hash_where_it_is() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let plan = samples::plan(&ada, &id, "two").await;
    let together = json!({"title": "T", "plans": [{"file_id": id, "plan_id": plan["id"]}]});
    let (_, seen) = named(&said(&ada, "propose_together", together).await, "Next:");
    let proposal = json!({"proposal_id": seen["proposal_id"]});
    let no_hash = said(&ada, "apply_proposal", proposal.clone()).await;
    assert!(no_hash.starts_with("refused invalid_request: /proposal_sha256 is required."), "{no_hash}");
    assert_eq!(named(&no_hash, "Next:"), ("get_proposal".to_owned(), proposal.clone()));
    stage.clock.advance(std::time::Duration::from_secs(901));
    let ada = stage.caller("ada");
    let late = said(&ada, "request_proposal_review", proposal.clone()).await;
    assert!(late.starts_with("refused plan_expired"), "{late}");
    let (tool, arguments) = named(&late, "Next:");
    let read = said(&ada, &tool, arguments).await;
    assert!(read.contains(" expired, 1 plans") && !read.contains(" proposed, "), "{read}");
    let (tool, arguments) = named(&read, "Next:");
    assert_eq!((tool.as_str(), &arguments), ("rebase_proposal", &seen));
    let (tool, arguments) = named(&said(&ada, &tool, arguments).await, "Next:");
    assert_eq!(tool, "apply_proposal");
    let applied = said(&ada, &tool, arguments).await;
    assert!(applied.contains(" applied, "), "{applied}");
}

#[shared_testing::test]
async fn an_undo_that_would_be_refused_is_not_offered() {
    let stage = Stage::of(service()).await;
    let (ada, robot) = (stage.caller("ada"), robot(&stage));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    policy(&stage, "review_risky").await;
    let applies = async |markdown: &str| {
        let (tool, arguments) = named(&proposes(&robot, &id, markdown).await, "Next:");
        assert_eq!(tool, "apply_plan");
        said(&robot, &tool, arguments).await
    };
    let paragraphs: Vec<_> = (0..30).map(|number| format!("Paragraph {number}.")).collect();
    let many = applies(&paragraphs.join("\n\n")).await;
    assert!(many.contains("To undo it, a person must agree: read_file {") && !many.contains("Undo: restore"), "{many}");
    let one = applies("One more.").await;
    let (tool, undo) = named(&one, "Undo:");
    let undone = said(&robot, &tool, undo).await;
    assert!(undone.starts_with(&format!("document {id}")), "{undone}");
}

#[shared_testing::test]
async fn all_mistakes_in_the_arguments_are_reported_together() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let wrong = said(&ada, "edit_document", json!({"file": id})).await;
    let expected = [
        "refused invalid_request: /file_id is required.",
        "- /if_match: is required",
        "- /operations: is required",
        "- /file: is not an argument of this tool, which takes file_id, if_match, operations, ",
    ];
    assert!(expected.iter().all(|line| wrong.contains(line)) && !wrong.contains("body"), "{wrong}");
    let operations = json!([{"op": "insert_markdown", "markdown": "two"}]);
    let no_tag = said(&ada, "edit_document", json!({"file_id": id, "operations": operations})).await;
    assert_eq!(named(&no_tag, "Next:"), ("read_file".to_owned(), json!({"file_id": id})));
    let example: Value = named(&no_tag.replace("Example: ", "Example: example "), "Example:").1;
    assert!(example["if_match"].is_string(), "{no_tag}");
    let title = said(&ada, "create_file", json!({"type": "note", "name": "a", "title": "b"})).await;
    assert!(title.contains("/title is not an argument of this tool, which takes type, name, text, "), "{title}");
    let edit = json!({"file_id": id, "comment_id": "cmt_1", "if_match": "0123456789abcdef", "action": "edit"});
    let no_text = said(&ada, "change_comment", edit).await;
    assert!(no_text.contains("text") && !no_text.contains("The body"), "{no_text}");
    let range = json!({"file_id": id, "text": "Why?", "range": "B5"});
    assert!(said(&ada, "add_comment", range).await.contains("/range must name the sheet: Budget!B5."));
}
