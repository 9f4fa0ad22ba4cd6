//! Plans in Word files: exported with tracked changes, and read back with what somebody chose.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Stage, Text as _};

use crate::{
    import::archive,
    samples::{self, propose, step},
    uploads::named as uploaded,
};

fn paragraph(text: &str) -> Value {
    json!({"type": "paragraph", "segments": [{"text": text}]})
}

/// A document and a plan of three changes: the second paragraph is another, the third goes, one comes.
async fn planned(ada: &Caller) -> Value {
    let id = samples::id(&samples::document_of(ada, &["Minutes", "Begin at 9:30.", "Gone soon."]).await);
    let edits = json!([
        {"op": "replace_block", "block_id": "b1", "block": paragraph("Begin at 10:00.")},
        {"op": "delete_block", "block_id": "b2"},
        {"op": "insert_block", "block": paragraph("New here.")},
    ]);
    propose(ada, &id, edits).await.await.status(200)["plan"].clone()
}

fn path(plan: &Value, end: &str) -> String {
    format!("/v1/documents/{}/edit-plans/{}/{end}", plan["file_id"].text(), plan["id"].text())
}

/// A Word file with these paragraphs, each an XML text of its own.
fn word(paragraphs: &[&str]) -> Vec<u8> {
    let body: String = paragraphs.iter().map(|paragraph| format!("<w:p>{paragraph}</w:p>")).collect();
    let xml = format!(r#"<w:document xmlns:w="w"><w:body>{body}</w:body></w:document>"#);
    archive(&[("word/document.xml", xml)])
}

fn lists(choices: &Value) -> [Value; 3] {
    ["accepted", "rejected", "open"].map(|list| choices[list].clone())
}

fn text(text: &str) -> String {
    format!("<w:r><w:t>{text}</w:t></w:r>")
}

#[shared_testing::test]
async fn a_plan_goes_to_word_and_comes_back_as_a_part() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let plan = planned(&ada).await;
    let file = ada.get(path(&plan, "word")).await.status(200);
    assert_eq!(file.header("content-disposition"), "attachment; filename=\"plan.docx\"");
    assert_eq!(&file.bytes()[..2], b"PK");

    let untouched = uploaded(&ada, "untouched.docx", file.bytes()).await;
    let choices = |file: String| ada.get(path(&plan, &format!("word-choices?word_file_id={file}")));
    let open = choices(untouched).await.status(200);
    assert_eq!(lists(open.json()), [json!([]), json!([]), json!(["c1", "c2", "c3"])]);

    let tracked = format!("<w:ins>{}</w:ins>", text("New here."));
    let back = word(&[&text("Minutes"), &text("Begin at 10:00."), &text("Gone soon."), &tracked]);
    let chosen = choices(uploaded(&ada, "back.docx", &back).await).await.status(200);
    assert_eq!(lists(chosen.json()), [json!(["c1"]), json!(["c2"]), json!(["c3"])]);
    let part = step(&ada, &plan, "split", json!({"changes": chosen["accepted"]})).await.status(200);
    assert_eq!(part["plan"]["changes"].as_array().map(Vec::len), Some(1));
}

#[shared_testing::test]
async fn a_file_that_is_no_answer_to_the_plan_is_refused() {
    let stage = Stage::of(service()).await;
    let (ada, eve) = (stage.caller("ada"), stage.caller("eve").workspace(2));
    let plan = planned(&ada).await;
    let choices = |file: &str| path(&plan, &format!("word-choices?word_file_id={file}"));
    for (bytes, rule) in [
        (b"plain text".to_vec(), "must be an Office file; its content is not one, or is encrypted"),
        (archive(&[("xl/workbook.xml", "<a/>".to_owned())]), "must be a Word file (.docx)"),
        (word(&[&text("Minutes"), &text("Begin at noon.")]), "paragraph 2 is \"Begin at noon.\" near the change of"),
        (word(&[]), "the text ends before paragraph 1"),
    ] {
        let file = uploaded(&ada, "back.docx", &bytes).await;
        let refused = ada.get(choices(&file)).await.refused(422, "invalid_field").problems_at(&["word_file_id"]);
        let said = refused["error"]["next_action"]["problems"][0]["rule"].text();
        assert!(said.contains(rule), "{said}");
    }
    let document = plan["file_id"].text();
    ada.get(choices(document)).await.refused(422, "invalid_field");
    ada.get(choices("file_999")).await.refused(404, "not_found").problems_at(&["word_file_id"]);
    ada.get(path(&plan, "word-choices")).await.refused(400, "invalid_request");
    let theirs = uploaded(&eve, "back.docx", &word(&[])).await;
    ada.get(choices(&theirs)).await.refused(404, "not_found").problems_at(&["word_file_id"]);
    eve.get(path(&plan, "word")).await.refused(404, "not_found");
}

#[shared_testing::test]
async fn only_plans_for_documents_go_to_word() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let note = ada.post("/v1/notes").fresh_key().json(json!({"name": "Todo"})).await.status(200);
    let edits = json!([{"op": "set_title", "title": "Done"}]);
    let plan = propose(&ada, &samples::id(&note), edits).await.await.status(200)["plan"].clone();
    let refused = ada.get(path(&plan, "word")).await.refused(404, "not_found");
    assert_eq!(refused["error"]["next_action"]["type"], "refresh");
}
