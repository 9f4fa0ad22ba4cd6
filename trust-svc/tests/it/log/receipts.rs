//! Receipts: each verifies with the log's key alone, whenever it is requested.

use serde_json::{Value, json};
use shared_testing::{Response, Stage};
use trust_log::{
    canonical,
    tlog::{Policy, Receipt, verify_receipt},
};
use trust_svc::{
    cosigning::{Witnesses, store},
    events,
    log::{LogTree, cosigned_receipt, key, proven},
    model::EventHash,
};

use crate::{
    cosigning::{asked, cosigner},
    log_reader::LogReader,
    test_signer::{TestSigner, hash, in_parallel, listed, next},
};

#[shared_testing::test]
async fn a_published_event_is_proven_and_stays_so() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let reader = LogReader::of(&stage).await;
    let mut kept = Vec::new();
    for number in 0..20 {
        let event = listed(number, stage.now());
        let published = signer.publish(&event).await.status(200);
        let log = &published["data"]["log"];
        let (index, size) = reader.proven(&published["data"]["receipt"], &signer.sign(&event));
        assert_eq!((json!(index), json!(size)), (log["index"].clone(), log["tree_size"].clone()));
        let checkpoint = reader.verified(log["checkpoint"].as_str().expect("text"));
        assert_eq!(json!(checkpoint.root().to_string()), log["root_hash"]);
        kept.push((event, published["data"]["receipt"].clone()));
    }
    for (event, receipt) in kept {
        let read = stage.anyone().get(format!("/wp-json/service-trust/v1/events/{}", hash(&event))).await.status(200);
        assert_eq!(read["data"]["receipt"], receipt, "the original one, whatever came after it");
        let replayed = signer.publish(&event).await.refused(409, "event_replayed");
        assert_eq!(replayed["error"]["next_action"]["receipt"], receipt);
    }
}

#[shared_testing::test]
async fn thirty_publishers_at_once_are_all_proven() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let reader = LogReader::of(&stage).await;
    let events: Vec<_> = (0..30).map(|number| listed(number, stage.now())).collect();
    let responses = in_parallel(&signer, events.clone()).await;
    let mut places: Vec<_> = Vec::new();
    for (event, response) in events.iter().zip(responses) {
        let response = response.status(200);
        places.push(reader.proven(&response["data"]["receipt"], &signer.sign(event)));
    }
    places.sort_unstable();
    assert_eq!(places.iter().map(|(index, _)| *index).collect::<Vec<_>>(), (1..31).collect::<Vec<_>>());
    assert_eq!(reader.checkpoint().await.size(), 31);
}

#[shared_testing::test]
async fn twenty_copies_at_once_are_one_event_with_one_receipt() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let reader = LogReader::of(&stage).await;
    let event = listed(1, stage.now());
    let responses = in_parallel(&signer, vec![event.clone(); 20]).await;
    let receipt = |response: &Response| -> Value {
        if response.status == 200 {
            response["data"]["receipt"].clone()
        } else {
            assert_eq!((response.status, &response["error"]["code"]), (409, &json!("event_replayed")));
            response["error"]["next_action"]["receipt"].clone()
        }
    };
    assert_eq!(responses.iter().filter(|response| response.status == 200).count(), 1);
    let receipts: Vec<_> = responses.iter().map(receipt).collect();
    assert!(receipts.iter().all(|receipt| *receipt == receipts[0]));
    assert_eq!(reader.proven(&receipts[0], &signer.sign(&event)).0, 1);
    assert_eq!(reader.checkpoint().await.size(), 2);
}

/// A refused event of a batch fails alone, and each event sees the effects of those before it.
#[shared_testing::test]
async fn a_refused_event_fails_alone() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let mut events = Vec::new();
    for number in 0..15 {
        let first = listed(number, stage.now());
        events.push(next(&first, "market.resumed", stage.now()));
        events.push(first);
    }
    let responses = in_parallel(&signer, events).await;
    for pair in responses.chunks(2) {
        assert_eq!([pair[0].status, pair[1].status], [409, 200], "{}", pair[0]);
    }
}

#[shared_testing::test]
async fn a_replay_after_a_rotation_has_the_receipt_of_then() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let reader = LogReader::of(&stage).await;
    let event = listed(1, stage.now());
    let published = signer.publish(&event).await.status(200);
    let successor = TestSigner::registered(&stage, "press-2").await;
    let now = stage.now();
    let revoke = move |conn: &mut shared_runtime::Conn| {
        Ok(trust_svc::signers::registry::revoke(conn, &"press-1".parse().expect("a key id"), now)?)
    };
    assert!(stage.context.write(revoke).await.expect("the database is there"));
    signer.publish(&next(&event, "market.updated", stage.now())).await.refused(403, "signer_not_active");
    let replayed = successor.publish(&event).await.refused(409, "event_replayed");
    let receipt = &replayed["error"]["next_action"]["receipt"];
    assert_eq!(receipt, &published["data"]["receipt"]);
    // The entry has the signer and the body of the original publication.
    reader.proven(receipt, &signer.sign(&event));
    successor.publish(&next(&event, "market.updated", stage.now())).await.status(200);
}

#[shared_testing::test]
async fn the_cosigned_receipt_follows_the_checkpoint_that_covers_the_event() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let event = listed(1, stage.now());
    signer.publish(&event).await.status(200);
    let hash = EventHash::from_event(event.as_object().expect("an event"));
    let log_key = key::signer(&stage.context).expect("the log's key");
    let witnesses = Witnesses { all: vec![asked(1, "https://witness.example/")], needed: 1 };
    // The event is entry 1, after its signer.
    for (size, is_covered) in [(1, false), (2, true)] {
        let root = stage.context.read(move |conn| Ok(proven::root_at(conn, size)?)).await.expect("a root");
        let checkpoint = LogTree::new(size, root).checkpoint(&log_key).expect("a checkpoint").clone();
        let (line, now) = (cosigner(1).cosign(checkpoint.note().text(), 1_800_000_000), stage.now());
        let cosign = move |conn: &mut _| {
            store::submit(conn, &checkpoint, now)?;
            Ok(store::add(conn, size, &line, now)?)
        };
        stage.context.write(cosign).await.expect("rows");
        let asked = witnesses.clone();
        let receipt = stage.context.read(move |conn| {
            let found = events::store::find(conn, &hash)?.expect("published");
            Ok(cosigned_receipt(conn, &found.position, &asked)?)
        });
        let receipt = receipt.await.expect("the database answers");
        assert_eq!(receipt.is_some(), is_covered, "{size}");
        if let Some(receipt) = receipt {
            let receipt = Receipt::parse(receipt.as_bytes()).expect("a receipt");
            let witness = cosigner(1).verifier_key().clone();
            let policy = Policy::new(log_key.verifier_key().clone(), vec![witness], 1).expect("keys");
            let entry = canonical::value_text(&signer.sign(&event));
            let proven = verify_receipt(&receipt, entry.as_bytes(), &policy).expect("cosigned");
            assert_eq!((proven.index, proven.checkpoint.size()), (1, 2));
        }
    }
}
