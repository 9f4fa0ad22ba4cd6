//! Changes of signers are in the log, too.

use serde_json::{Value, json};
use shared_runtime::Conn;
use shared_testing::Stage;
use trust_log::merkle::HashRange;
use trust_svc::{log::proven, signers::registry};

use crate::test_signer::TestSigner;

#[shared_testing::test]
async fn each_change_of_a_signer_is_an_entry() {
    let stage = Stage::of(trust_svc::service()).await;
    TestSigner::registered(&stage, "press-1").await;
    let (now, key_id) = (stage.now(), "press-1".parse().expect("a key id"));
    let change = move |conn: &mut Conn| {
        registry::retire(conn, &key_id, now, now)?;
        // A command that changes nothing records nothing.
        registry::retire(conn, &key_id, now, now)?;
        registry::revoke(conn, &key_id, now)?;
        registry::revoke(conn, &key_id, now)?;
        Ok(())
    };
    stage.context.write(change).await.expect("changed");
    let range = HashRange { level: 0, start: 0, count: 10 };
    let entries = stage.context.read(move |conn| Ok(proven::entries(conn, range)?)).await.expect("entries");
    let entries: Vec<Value> = entries.iter().map(|entry| serde_json::from_slice(entry).expect("JSON")).collect();
    let changes: Vec<_> = entries.iter().map(|entry| entry["change"].clone()).collect();
    assert_eq!(changes, ["added", "retired", "revoked"]);
    assert!(entries.iter().all(|entry| entry["schema"] == "service/signer-change/v1"));
    assert_eq!(entries[2]["signer"]["revoked_at"], json!(now));

    let listed = stage.anyone().get("/wp-json/service-trust/v1/signers".to_owned()).await.status(200);
    assert_eq!(listed["data"][0], entries[2]["signer"], "the list says what the log says");
}

#[shared_testing::test]
async fn signers_are_listed_page_by_page() {
    let stage = Stage::of(trust_svc::service()).await;
    for number in 0..5 {
        TestSigner::registered(&stage, &format!("press-{number}")).await;
    }
    let mut seen = Vec::new();
    let mut path = "/wp-json/service-trust/v1/signers?limit=2".to_owned();
    loop {
        let page = stage.anyone().get(path).await.status(200);
        seen.extend(page["data"].as_array().expect("a list").iter().map(|signer| signer["key_id"].clone()));
        let Some(cursor) = page["meta"]["next_cursor"].as_str() else { break };
        path = format!("/wp-json/service-trust/v1/signers?limit=2&cursor={cursor}");
    }
    assert_eq!(seen, ["press-4", "press-3", "press-2", "press-1", "press-0"]);
}
