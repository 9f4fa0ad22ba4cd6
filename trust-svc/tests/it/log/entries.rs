//! The log holds what was sent, in canonical form, and is never changed.

use diesel::prelude::*;
use shared_testing::Stage;
use trust_svc::{canonical, schema::log_entries};

use crate::test_signer::{TestSigner, listed};

#[shared_testing::test]
async fn a_leaf_is_the_canonical_body() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, r#"press-"1"\"#).await;
    let event = listed(1, stage.now());
    let index = signer.publish(&event).await.status(200)["data"]["log"]["index"].as_i64().expect("an index");
    let leaf: Vec<u8> = stage
        .context
        .read(move |conn| Ok(log_entries::table.find(index).select(log_entries::leaf).first(conn)?))
        .await
        .expect("the leaf");
    assert_eq!(
        String::from_utf8(leaf).expect("text"),
        canonical::text(signer.sign(&event).as_object().expect("an object"))
    );
}

#[shared_testing::test]
async fn what_the_log_is_made_of_is_neither_changed_nor_deleted() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    signer.publish(&listed(1, stage.now())).await.status(200);
    let insert = "INSERT INTO subtree_roots SELECT 1, 0, leaf_hash FROM log_entries WHERE log_index = 0";
    let inserted = stage.context.write(move |conn| Ok(diesel::sql_query(insert).execute(conn)?)).await;
    assert_eq!(inserted.expect("a row"), 1);
    let mut statements = Vec::new();
    for (table, column) in [("log_entries", "leaf"), ("subtree_roots", "hash"), ("events", "revision")] {
        statements.push(format!("UPDATE {table} SET {column} = {column}"));
        statements.push(format!("DELETE FROM {table}"));
        if stage.context.settings.database_url.starts_with("postgres") {
            statements.push(format!("TRUNCATE {table} CASCADE"));
        }
    }
    for statement in statements {
        let refused = statement.clone();
        let done = stage.context.write(move |conn| Ok(diesel::sql_query(&statement).execute(conn)?)).await;
        let error = done.expect_err("refused").to_string();
        assert!(error.contains("the log is append-only"), "{refused}: {error}");
    }
}

#[shared_testing::test]
async fn an_entry_that_fits_no_bundle_is_refused() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let mut event = listed(1, stage.now());
    // 17 bytes of the canonical form for five of the body.
    event["data"]["large"] = vec![serde_json::json!(1e15); 4000].into();
    let body = signer.sign(&event).to_string().replace("1000000000000000.0", "1e15");
    assert!(body.len() < 65_536, "{}", body.len());
    let response = stage.anyone().post(crate::test_signer::PUBLISH).body("application/json", body).await;
    let response = response.refused(413, "body_too_large");
    response.problems_at(&[""]);
}
