//! What a signer may publish: when, from where, and which events.

use std::time::Duration;

use diesel::RunQueryDsl as _;
use serde_json::json;
use shared_model::Timestamp;
use shared_testing::Stage;
use trust_svc::{
    model::{EventKind, KeyId},
    signers::registry,
};

use crate::test_signer::{TestSigner, but, listed, next};

const HOUR: Duration = Duration::from_secs(3600);

fn key_id(text: &str) -> KeyId {
    text.parse().expect("a key id")
}

#[shared_testing::test]
async fn a_revoked_signer_publishes_no_more() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let first = listed(1, stage.now());
    signer.publish(&first).await.status(200);
    let now = stage.now();
    let revoked = stage.context.write(move |conn| Ok(registry::revoke(conn, &key_id("press-1"), now)?)).await;
    assert!(revoked.expect("the database is there"));
    let second = next(&first, "market.updated", stage.now());
    let response = signer.publish(&second).await.refused(403, "signer_not_active");
    assert_eq!(response["error"]["message"], "The signer is revoked.");
    // Without the key, the answer must not reveal that the signer is revoked.
    let forged = but(&signer.sign(&second), "signature", signer.sign(&first)["signature"].clone());
    signer.send(forged).await.refused(401, "signature_invalid");
}

/// An older database may have one key under several ids.
#[shared_testing::test]
async fn a_revoked_key_publishes_under_no_other_id() {
    let stage = Stage::of(trust_svc::service()).await;
    TestSigner::registered(&stage, "press-1").await;
    let mut other = TestSigner::registered(&stage, "press-2").await;
    other.key = TestSigner::unregistered(&stage, "press-1").key;
    let share = "UPDATE signers SET public_key = (SELECT public_key FROM signers WHERE key_id = 'press-1')";
    let shared = stage.context.write(move |conn| Ok(diesel::sql_query(share).execute(conn)?)).await;
    assert_eq!(shared.expect("the database is there"), 2);
    let first = listed(1, stage.now());
    other.publish(&first).await.status(200);
    let now = stage.now();
    let revoked = stage.context.write(move |conn| Ok(registry::revoke(conn, &key_id("press-1"), now)?)).await;
    assert!(revoked.expect("the database is there"));
    other.publish(&next(&first, "market.updated", now)).await.refused(403, "signer_not_active");
    let signers = stage.anyone().get("/wp-json/service-trust/v1/signers").await.status(200);
    assert!(signers["data"].as_array().expect("a list").iter().all(|signer| signer["revoked_at"] == json!(now)));
}

/// The operator's clock may be ahead, or the publisher may have waited in the queue of the log.
#[shared_testing::test]
async fn a_stored_revocation_counts_whatever_its_time() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let later = stage.now().plus(HOUR);
    let revoked = stage.context.write(move |conn| Ok(registry::revoke(conn, &key_id("press-1"), later)?)).await;
    assert!(revoked.expect("the database is there"));
    signer.publish(&listed(1, stage.now())).await.refused(403, "signer_not_active");
}

#[shared_testing::test]
async fn a_signer_is_active_between_its_first_and_last_moment() {
    let stage = Stage::of(trust_svc::service()).await;
    let start = stage.now().plus(HOUR);
    let signer = TestSigner::with(&stage, "press-1", |signer| {
        signer.active_from = start;
        signer.retires_at = Some(start.plus(HOUR));
    })
    .await;
    let publish = |number: u32| signer.publish(&listed(number, stage.now()));
    publish(1).await.refused(403, "signer_not_active");
    stage.clock.advance(HOUR);
    publish(1).await.status(200);
    stage.clock.advance(HOUR);
    let response = publish(2).await.refused(403, "signer_not_active");
    assert_eq!(response["error"]["message"], "The signer has retired.");
}

#[shared_testing::test]
async fn a_signer_publishes_from_its_own_origins_alone() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::with(&stage, "press-1", |signer| {
        signer.policy.origins = vec!["https://desk.example".to_owned()];
    })
    .await;
    let from = |number, origin: &str| signer.publish(&listed(number, stage.now())).header("origin", origin);
    from(1, "https://desk.example").await.status(200);
    signer.publish(&listed(2, stage.now())).await.status(200);
    for origin in ["https://other.example", "https://desk.example:443", "https://desk.example/", "null", ""] {
        from(3, origin).await.refused(403, "origin_denied");
    }
    let twice = from(3, "https://desk.example").header("origin", "https://desk.example");
    twice.await.refused(400, "invalid_request").problems_at(&["Origin"]);
}

#[shared_testing::test]
async fn a_signer_may_be_bound_to_its_origins() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::with(&stage, "press-1", |signer| {
        signer.policy.origins = vec!["https://desk.example".to_owned()];
        signer.policy.allow_absent_origin = false;
    })
    .await;
    let event = listed(1, stage.now());
    signer.publish(&event).await.refused(403, "origin_denied");
    signer.publish(&event).header("origin", "https://desk.example").await.status(200);
}

#[shared_testing::test]
async fn a_signer_publishes_its_kinds_for_its_markets_alone() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::with(&stage, "press-1", |signer| {
        signer.policy.kinds = vec![EventKind::Listed];
        signer.policy.market_prefixes = vec![format!("mkt_{}", "0".repeat(31))];
    })
    .await;
    let first = listed(15, stage.now());
    signer.publish(&first).await.status(200);
    signer.publish(&listed(16, stage.now())).await.refused(403, "signer_not_allowed");
    signer.publish(&next(&first, "market.updated", stage.now())).await.refused(403, "signer_not_allowed");
}

#[shared_testing::test]
async fn a_signer_has_sixty_tries_a_minute_from_each_address() {
    let stage = Stage::of(trust_svc::service())
        .at(Timestamp::from_seconds(1_795_262_400))
        .settings(|settings| settings.trusted_proxies = vec!["127.0.0.1/32".parse().expect("a network")])
        .await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let event = listed(1, stage.now());
    let flood = but(&signer.sign(&event), "signature", signer.sign(&but(&event, "venue", ""))["signature"].clone());
    for _ in 0..60 {
        let response = signer.send(flood.clone()).header("x-forwarded-for", "192.0.2.1").await;
        response.refused(401, "signature_invalid");
    }
    let response = signer.send(flood.clone()).header("x-forwarded-for", "192.0.2.1").await;
    let response = response.refused(429, "rate_limited");
    assert_eq!(response.header("retry-after"), "60");
    // The flood exhausts its own limit, not the signer's.
    signer.publish(&event).header("x-forwarded-for", "192.0.2.2").await.status(200);
    let second = next(&event, "market.updated", stage.now());
    signer.publish(&second).header("x-forwarded-for", "192.0.2.1").await.refused(429, "rate_limited");
    stage.clock.advance(Duration::from_secs(60));
    signer.publish(&second).header("x-forwarded-for", "192.0.2.1").await.status(200);
}

#[shared_testing::test]
async fn an_address_has_a_hundred_and_twenty_tries_a_minute() {
    let stage = Stage::of(trust_svc::service()).await;
    let event = listed(1, stage.now());
    let signers: Vec<_> = (0..4).map(|n| TestSigner::unregistered(&stage, &format!("press-{n}"))).collect();
    for n in 0..120 {
        signers[n % 4].publish(&event).await.refused(401, "unknown_signer");
    }
    signers[0].publish(&event).await.refused(429, "rate_limited");
}
