//! Ids of deleted parts, which no new part gets.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::Stage;

use crate::samples;

fn insert(id: &str, text: &str) -> Value {
    json!({"op": "insert_block", "block": {"id": id, "type": "paragraph", "segments": [{"text": text}]}})
}

#[shared_testing::test]
async fn no_new_part_gets_the_id_of_a_deleted_one() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one", "two"]).await);
    let other = samples::id(&samples::document_of(&ada, &["one"]).await);
    let delete = samples::propose(&ada, &id, json!([{"op": "delete_block", "block_id": "b1"}])).await;
    let plan = delete.await.status(200)["plan"].clone();
    samples::apply(&ada, &plan).await.await.status(200);
    // The id may stand among others, and within a text it is none.
    let again = samples::propose(&ada, &id, json!([insert("b2", r#"{"id":"b1"}"#), insert("b1", "two")])).await;
    again.await.refused(422, "invalid_field").problems_at(&["/operations/1/block/id"]);
    samples::propose(&ada, &id, json!([insert("b2", r#"{"id":"b1"}"#)])).await.await.status(200);
    samples::propose(&ada, &other, json!([insert("b1", "two")])).await.await.status(200);
}
