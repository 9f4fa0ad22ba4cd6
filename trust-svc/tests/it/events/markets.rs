//! Reading a market while it grows.

use std::{cell::Cell, collections::BTreeSet};

use futures_util::future::{join, join_all};
use shared_testing::Stage;

use crate::test_signer::{TestSigner, listed, market_id, next};

/// State and events come from two queries. An event that is published between them is in neither.
#[shared_testing::test]
async fn the_last_event_of_a_market_that_grows_is_always_the_one_of_its_state() {
    let stage = Stage::of(trust_svc::service()).settings(|settings| {
        settings.rate_limits.0.push(("read".to_owned(), 1_000_000));
    });
    let stage = stage.await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let mut event = listed(1, stage.now());
    signer.publish(&event).await.status(200);

    let is_over = Cell::new(false);
    let publishing = async {
        for _ in 0..50 {
            event = next(&event, "market.updated", stage.now());
            signer.publish(&event).await.status(200);
        }
        is_over.set(true);
    };
    let path = format!("/wp-json/service-trust/v1/markets/{}?limit=100", market_id(1));
    let reading = async || {
        let mut seen = BTreeSet::new();
        while !is_over.get() {
            let answer = stage.anyone().get(&path).await.status(200);
            let market = &answer["data"];
            let events = market["events"].as_array().expect("events");
            let last = events.last().expect("the first at least");
            for member in ["revision", "event_hash", "state"] {
                assert_eq!(last[member], market[member], "{member}: {answer}");
            }
            assert_eq!(market["revision"], events.len(), "{answer}");
            seen.insert(events.len());
        }
        seen
    };
    let ((), seen) = join(publishing, join_all((0..4).map(|_| reading()))).await;
    let revisions: BTreeSet<_> = seen.into_iter().flatten().collect();
    assert!(revisions.len() > 1, "it was read while it grew: {revisions:?}");
}
