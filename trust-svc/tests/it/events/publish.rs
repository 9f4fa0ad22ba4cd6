//! Publishing: the answers, what can be read afterwards, and parallel publishers.

use std::time::Duration;

use serde_json::json;
use shared_model::Timestamp;
use shared_testing::{Response, Stage, Text as _};
use trust_svc::{
    events::append::{AppendResult, QueuedEvent, append},
    log::Leaf,
    model::Event,
    signers::registry,
};

use crate::test_signer::{TestSigner, but, hash, in_parallel, listed, market_id, next, path};

/// At this time, a snapshot is the same in each run except for the address and the signature.
const NOON: Timestamp = Timestamp::from_seconds(1_795_262_400);

#[shared_testing::test]
async fn a_published_event_can_be_read_by_its_hash_and_its_market_by_its_id() {
    let stage = Stage::of(trust_svc::service()).at(NOON).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let event = listed(1, stage.now());
    let published = signer.publish(&event).await.status(200);
    insta::assert_json_snapshot!(published.json(), { ".meta.request_id" => "[req]", ".data.log" => "[log]", ".data.receipt" => "[receipt]" }, @r#"
    {
      "data": {
        "event_hash": "sha256:903b68017a06655c7e6f8234863965bdc4049d711dac53885752cdde721e09c4",
        "event_id": "evt_00000000000000000000000000000001",
        "log": "[log]",
        "market_id": "mkt_00000000000000000000000000000001",
        "published_at": "2026-11-21T12:00:00.000000Z",
        "receipt": "[receipt]",
        "revision": 1,
        "state": "listed"
      },
      "meta": {
        "request_id": "[req]"
      }
    }
    "#);

    let anyone = stage.anyone();
    let read = anyone.get(format!("/wp-json/service-trust/v1/events/{}", hash(&event))).await.status(200);
    insta::assert_json_snapshot!(
        read.json(),
        {
            ".meta.request_id" => "[req]", ".data.signature" => "[signature]", ".data.log" => "[log]",
            ".data.receipt" => "[receipt]",
        },
        @r#"
        {
          "data": {
            "event": {
              "data": {
                "odds": [
                  1.5,
                  2.25
                ],
                "title": "Rain tomorrow"
              },
              "event_id": "evt_00000000000000000000000000000001",
              "issued_at": "2026-11-21T12:00:00.000000Z",
              "kind": "market.listed",
              "market_id": "mkt_00000000000000000000000000000001",
              "prev_event_hash": null,
              "revision": 1,
              "schema": "service/market-event/v1",
              "venue": "an extra member, signed like the rest"
            },
            "event_hash": "sha256:903b68017a06655c7e6f8234863965bdc4049d711dac53885752cdde721e09c4",
            "event_id": "evt_00000000000000000000000000000001",
            "log": "[log]",
            "market_id": "mkt_00000000000000000000000000000001",
            "published_at": "2026-11-21T12:00:00.000000Z",
            "receipt": "[receipt]",
            "revision": 1,
            "signature": "[signature]",
            "signer_key_id": "press-1",
            "state": "listed"
          },
          "meta": {
            "request_id": "[req]"
          }
        }
        "#
    );
    assert_eq!(read["data"]["signature"], signer.sign(&event)["signature"]);
    assert_eq!(hash(&read["data"]["event"]), hash(&event), "what is read hashes to what was published");

    let market = anyone.get(format!("/wp-json/service-trust/v1/markets/{}", market_id(1))).await.status(200);
    insta::assert_json_snapshot!(market.json(), { ".meta.request_id" => "[req]" }, @r#"
    {
      "data": {
        "event_hash": "sha256:903b68017a06655c7e6f8234863965bdc4049d711dac53885752cdde721e09c4",
        "events": [
          {
            "event_hash": "sha256:903b68017a06655c7e6f8234863965bdc4049d711dac53885752cdde721e09c4",
            "event_id": "evt_00000000000000000000000000000001",
            "log_index": 1,
            "published_at": "2026-11-21T12:00:00.000000Z",
            "revision": 1,
            "signer_key_id": "press-1",
            "state": "listed"
          }
        ],
        "market_id": "mkt_00000000000000000000000000000001",
        "revision": 1,
        "state": "listed",
        "updated_at": "2026-11-21T12:00:00.000000Z"
      },
      "meta": {
        "next_cursor": null,
        "request_id": "[req]"
      }
    }
    "#);
}

#[shared_testing::test]
async fn unknown_events_and_markets_are_not_found() {
    let stage = Stage::of(trust_svc::service()).await;
    let anyone = stage.anyone();
    for path in [
        format!("/wp-json/service-trust/v1/events/sha256:{}", "0".repeat(64)),
        format!("/wp-json/service-trust/v1/events/sha256:{}", "A".repeat(64)),
        format!("/wp-json/service-trust/v1/markets/{}", market_id(1)),
        "/wp-json/service-trust/v1/markets/mkt_1".to_owned(),
    ] {
        anyone.get(path).await.refused(404, "not_found");
    }
}

#[shared_testing::test]
async fn a_market_lives_from_listed_to_resolved() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let mut event = listed(1, stage.now());
    let mut states = vec![signer.publish(&event).await.status(200)["data"]["state"].clone()];
    for kind in ["updated", "updated", "suspended", "resumed", "suspended", "resolved"] {
        event = next(&event, &format!("market.{kind}"), stage.now());
        let response = signer.publish(&event).await.status(200);
        assert_eq!(response["data"]["revision"], event["revision"]);
        states.push(response["data"]["state"].clone());
    }
    assert_eq!(json!(states), json!(["listed", "listed", "listed", "suspended", "listed", "suspended", "resolved"]));
    signer.publish(&next(&event, "market.updated", stage.now())).await.refused(409, "market_state_conflict");
}

#[shared_testing::test]
async fn eight_parallel_events_of_one_revision_leave_one_winner() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let first = listed(1, stage.now());
    signer.publish(&first).await.status(200);
    let second = next(&first, "market.updated", stage.now());
    let events = (0..8).map(|n| but(&second, "event_id", format!("evt_{:032x}", 100 + n)));
    let responses = in_parallel(&signer, events.collect()).await;
    let won: Vec<_> = responses.iter().filter(|response| response.status == 200).collect();
    assert_eq!(won.len(), 1, "one winner");
    let hash = won[0]["data"]["event_hash"].clone();
    for response in responses.into_iter().filter(|response| response.status != 200) {
        let response = response.refused(409, "revision_conflict");
        let refresh = &response["error"]["next_action"];
        assert_eq!(refresh["type"], "refresh");
        let market = stage.anyone().get(path(&stage, &refresh["href"])).await.status(200);
        assert_eq!((&market["data"]["revision"], &market["data"]["event_hash"]), (&json!(2), &hash));
    }
}

#[shared_testing::test]
async fn eight_parallel_copies_of_one_event_are_published_once() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let responses = in_parallel(&signer, vec![listed(1, stage.now()); 8]).await;
    let (won, lost): (Vec<_>, Vec<_>) = responses.into_iter().partition(|response| response.status == 200);
    assert_eq!((won.len(), lost.len()), (1, 7));
    lost.into_iter().for_each(|response| drop(response.refused(409, "event_replayed")));
}

#[shared_testing::test]
async fn parallel_events_of_many_markets_are_numbered_without_gaps() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let responses = in_parallel(&signer, (0..24).map(|number| listed(number, stage.now())).collect()).await;
    let place = |response: &Response| response["data"]["log"]["index"].as_i64().unwrap_or_else(|| panic!("{response}"));
    let mut places: Vec<_> = responses.iter().map(place).collect();
    places.sort_unstable();
    // The first entry is the signer's registration.
    assert_eq!(places, (1..25).collect::<Vec<_>>());
}

#[shared_testing::test]
async fn the_same_event_again_leads_to_its_receipt() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let event = listed(1, stage.now());
    let published = signer.publish(&event).await.status(200);
    let replayed = signer.publish(&event).await.refused(409, "event_replayed");
    let next_action = &replayed["error"]["next_action"];
    assert_eq!(next_action["type"], "use_receipt");
    let receipt = stage.anyone().get(path(&stage, &next_action["href"])).await.status(200);
    for (member, value) in published["data"].as_object().expect("an object") {
        assert_eq!(&receipt["data"][member], value, "{member}");
    }

    let other = TestSigner::registered(&stage, "press-2").await;
    other.publish(&event).await.refused(409, "event_replayed");
    let market = receipt["data"]["market_id"].text();
    let market = stage.anyone().get(format!("/wp-json/service-trust/v1/markets/{market}")).await;
    assert_eq!(market["data"]["revision"], 1, "nothing was added");
}

async fn revoke(stage: &Stage) {
    let now = stage.now();
    let key_id = "press-1".parse().expect("a key id");
    let revoked = stage.context.write(move |conn| Ok(registry::revoke(conn, &key_id, now)?)).await;
    assert!(revoked.expect("the database is there"));
}

/// A publisher that lost the answer may ask late: otherwise a published event looks refused.
#[shared_testing::test]
async fn a_published_event_leads_to_its_receipt_when_it_is_too_old_and_its_signer_revoked() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let event = listed(1, stage.now());
    let receipt = signer.publish(&event).await.status(200)["data"]["receipt"].clone();
    let unpublished = next(&event, "market.updated", stage.now());

    stage.clock.advance(Duration::from_secs(24 * 3600 + 1));
    let replayed = signer.publish(&event).await.refused(409, "event_replayed");
    assert_eq!(replayed["error"]["next_action"]["receipt"], receipt);
    signer.publish(&unpublished).await.refused(422, "invalid_field").problems_at(&["/event/issued_at"]);

    revoke(&stage).await;
    let replayed = signer.publish(&event).await.refused(409, "event_replayed");
    assert_eq!(replayed["error"]["next_action"]["receipt"], receipt);
    signer.publish(&unpublished).await.refused(403, "signer_not_active");
    // Without the key, the answer reveals neither.
    let forged = but(&signer.sign(&event), "signature", signer.sign(&unpublished)["signature"].clone());
    signer.send(forged).await.refused(401, "signature_invalid");
}

#[shared_testing::test]
async fn a_signer_that_is_revoked_while_a_copy_of_its_event_is_queued_gets_the_receipt() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let event = listed(1, stage.now());
    signer.publish(&event).await.status(200);
    revoke(&stage).await;
    let now = stage.now();
    let queued = move || QueuedEvent {
        leaf: Leaf::new("{}".to_owned()).expect("short"),
        event: Event::read(&event, now).expect("an event"),
        event_hash: hash(&event).parse().expect("a hash"),
        signer_key_id: "press-1".parse().expect("a key id"),
        now,
        market_href: String::new(),
    };
    let results = stage.context.write(move |conn| Ok(append(conn, &[queued()])?)).await.expect("no failure");
    assert!(matches!(results[..], [AppendResult::Replayed]), "{results:?}");
}
