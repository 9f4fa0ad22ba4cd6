//! The search for events by the beginning of a hash, and by market.

use shared_testing::Stage;
use trust_svc::events::store::{self, Wanted};

use crate::test_signer::{TestSigner, hash, listed, market_id, next};

/// The hashes of the found events, in the order of the answer.
async fn found(stage: &Stage, wanted: Wanted, limit: i64) -> Vec<String> {
    let found = stage.context.read(move |conn| Ok(store::search(conn, &wanted, limit)?)).await;
    found.expect("the database answers").iter().map(|(event, _)| event.event_hash.to_string()).collect()
}

#[shared_testing::test]
async fn events_with_one_beginning_are_found_newest_first_and_of_too_many_the_smallest_hashes() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let mut newest_first = Vec::new();
    for number in 1..=7 {
        let event = listed(number, stage.now());
        signer.publish(&event).await.status(200);
        newest_first.insert(0, hash(&event));
    }
    let all = || Wanted::HashBeginning("sha256:".to_owned());
    assert_eq!(found(&stage, all(), 50).await, newest_first);
    let mut by_hash = newest_first.clone();
    by_hash.sort();
    let smallest: Vec<_> = newest_first.iter().filter(|hash| by_hash[..3].contains(hash)).cloned().collect();
    assert_eq!(found(&stage, all(), 3).await, smallest);
    let one = Wanted::HashBeginning(by_hash[3].clone());
    assert_eq!(found(&stage, one, 50).await, by_hash[3..4]);
}

#[shared_testing::test]
async fn the_newest_events_of_a_market_are_found_newest_first() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let mut event = listed(1, stage.now());
    signer.publish(&event).await.status(200);
    let mut newest_first = vec![hash(&event)];
    for number in 2..=5 {
        // Other markets have the same revisions.
        signer.publish(&listed(number, stage.now())).await.status(200);
        event = next(&event, "market.updated", stage.now());
        signer.publish(&event).await.status(200);
        newest_first.insert(0, hash(&event));
    }
    let market = || Wanted::Market(market_id(1).parse().expect("an id"));
    assert_eq!(found(&stage, market(), 50).await, newest_first);
    assert_eq!(found(&stage, market(), 2).await, newest_first[..2]);
}
