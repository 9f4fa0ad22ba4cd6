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
    signer.publish(&event).await.status(200);
    let leaf: Vec<u8> = stage
        .context
        .read(|conn| Ok(log_entries::table.find(0).select(log_entries::leaf).first(conn)?))
        .await
        .expect("the first leaf");
    assert_eq!(
        String::from_utf8(leaf).expect("text"),
        canonical::text(signer.sign(&event).as_object().expect("an object"))
    );
}

#[shared_testing::test]
async fn an_entry_is_neither_changed_nor_deleted() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    signer.publish(&listed(1, stage.now())).await.status(200);
    for statement in ["UPDATE log_entries SET leaf = leaf", "DELETE FROM log_entries"] {
        let done = stage.context.write(move |conn| Ok(diesel::sql_query(statement).execute(conn)?)).await;
        assert!(done.is_err(), "{statement}");
    }
}
