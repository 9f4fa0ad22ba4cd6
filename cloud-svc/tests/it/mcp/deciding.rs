//! A plan is decided in parts by what its text shows alone.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::Stage;

use super::{said, texts::named};
use crate::samples;

/// The plan that a text is about, as arguments.
fn plan_of(text: &str, file: &str) -> Value {
    json!({"file_id": file, "plan_id": text.split(' ').nth(1).expect("an id")})
}

fn with(plan: &Value, member: &str, value: Value) -> Value {
    let mut arguments = plan.clone();
    arguments[member] = value;
    arguments
}

/// The id of the change of a block.
fn change(text: &str, block: &str) -> String {
    let end = format!(" ~ {block}");
    text.lines().find_map(|line| line.strip_suffix(&end)).unwrap_or_else(|| panic!("no {block} in {text}")).to_owned()
}

#[shared_testing::test]
async fn changes_are_chosen_and_remarked_on_by_the_ids_that_a_text_shows() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let id = samples::id(&samples::document_of(&ada, &["one", "two"]).await);
    let replace = |block: &str, text: &str| json!({"op": "replace_markdown", "block_id": block, "markdown": text});
    let operations = json!([replace("b0", "ONE"), replace("b1", "TWO")]);
    let edit = json!({"file_id": id, "if_match": samples::etag(&ada, &id).await, "operations": operations});
    let proposed = said(&ada, "edit_document", edit).await;
    assert_eq!((change(&proposed, "b0"), change(&proposed, "b1")), ("c1".to_owned(), "c2".to_owned()));
    let plan = plan_of(&proposed, &id);
    said(&ada, "request_review", plan.clone()).await;

    let shown = said(&bob, "get_plan", plan.clone()).await;
    let part = said(&bob, "split_plan", with(&plan, "changes", json!([change(&shown, "b1")]))).await;
    assert_eq!(change(&part, "b1"), "c1");
    assert!(!part.contains("~ b0"), "{part}");

    let remarks = json!([{"change": change(&shown, "b0"), "text": "Why so loud?"}]);
    let back = with(&with(&plan, "reason", json!("Not yet.")), "on", remarks);
    let returned = said(&bob, "return_plan", back).await;
    assert!(returned.contains(" returned: ") && returned.contains("\non c1: Why so loud?\n"), "{returned}");
    let told = said(&ada, "get_plan", plan.clone()).await;
    let words = ["c1 ~ b0\n", "c2 ~ b1\n", "reason: Not yet.\n", "on c1: Why so loud?\n"];
    assert!(words.iter().all(|line| told.contains(line)), "{told}");

    said(&ada, "discard_plan", plan.clone()).await;
    let ended = said(&ada, "get_plan", plan).await;
    assert!(ended.contains("\n~ b0\n") && !ended.contains("c1 ~"), "no call takes the ids anymore: {ended}");
}

#[shared_testing::test]
async fn a_plan_of_a_proposal_shows_no_ids_because_it_is_decided_with_it() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let plan = samples::plan(&ada, &id, "two").await;
    let plan = json!({"file_id": id, "plan_id": plan["id"]});
    let alone = said(&ada, "get_plan", plan.clone()).await;
    assert!(alone.contains("\nc1 + ["), "{alone}");
    let (tool, _) = named(&said(&ada, "propose_together", json!({"title": "T", "plans": [plan]})).await, "Next:");
    assert_eq!(tool, "apply_proposal");
    let together = said(&ada, "get_plan", plan).await;
    assert!(together.contains("\n+ [") && !together.contains("c1 +"), "{together}");
}
