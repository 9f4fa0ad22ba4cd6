//! `GET /api/v1/billing/subscriptions` and the import that feeds it.

use std::{collections::BTreeSet, time::Duration};

use locker_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Stage, Text as _};

use crate::samples::{id, import, subscription};

const PATH: &str = "/api/v1/billing/subscriptions";

/// All pages of a list, and how many entries each had.
async fn pages(caller: &Caller, query: &str) -> (Vec<Value>, Vec<usize>) {
    let (mut all, mut sizes) = (Vec::new(), Vec::new());
    let mut path = format!("{PATH}?{query}");
    loop {
        let response = caller.get(&path).await.status(200);
        let page = response["data"].as_array().expect("an array");
        sizes.push(page.len());
        all.extend_from_slice(page);
        match &response["meta"]["next_cursor"] {
            Value::Null => return (all, sizes),
            cursor => path = format!("{PATH}?{query}&cursor={}", cursor.text()),
        }
    }
}

async fn stage_with(lines: &[Value]) -> Stage {
    let stage = Stage::of(service()).await;
    import(&stage, lines).await.expect("good lines");
    stage
}

#[shared_testing::test]
async fn a_subscription_as_its_owner_sees_it() {
    let stage = stage_with(&[subscription("ada", 1, 0)]).await;
    let response = stage.caller("ada").get(PATH).await.status(200);
    insta::assert_json_snapshot!(response.redacted(), @r#"
    {
      "data": [
        {
          "cancelled_at": null,
          "created_at": "[timestamp]",
          "currency": "GBP",
          "current_period_end": "[timestamp]",
          "current_period_start": "[timestamp]",
          "id": "[sub]",
          "monthly_pence": 2500,
          "order_id": "[ord]",
          "room_id": "[room]",
          "setup_pence": 900,
          "sku": "room-s",
          "state": "active",
          "updated_at": "[timestamp]",
          "version": 2
        }
      ],
      "meta": {
        "next_cursor": null,
        "request_id": "[req]"
      }
    }
    "#);
    assert_eq!(response.header("x-ratelimit-limit"), "120");
    assert_eq!(response.header("x-ratelimit-remaining"), "119");
    assert_eq!(response.header("cache-control"), "private, no-store, no-transform");
}

#[shared_testing::test]
async fn pages_follow_one_another_without_gap_or_repetition() {
    // Seven at a time began at the same instant: the id decides among them.
    let mut lines: Vec<_> = (0..45).map(|n| subscription("ada", n * 7919 % 45 + 1, n / 7)).collect();
    lines.extend((0..5).map(|n| subscription("bob", 100 + n, n)));
    let stage = stage_with(&lines).await;
    let ada = stage.caller("ada");
    for (query, expected) in
        [("", vec![20, 20, 5]), ("limit=7", vec![7, 7, 7, 7, 7, 7, 3]), ("limit=45", vec![45]), ("limit=100", vec![45])]
    {
        let (all, sizes) = pages(&ada, query).await;
        assert_eq!(sizes, expected, "{query}");
        let keys: Vec<_> = all.iter().map(|one| (one["created_at"].text(), one["id"].text())).collect();
        assert!(keys.is_sorted_by(|a, b| a > b), "newest first, then the greater id: {keys:?}");
        assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), 45);
    }
    assert_eq!(pages(&stage.caller("bob"), "limit=1").await.1, [1, 1, 1, 1, 1]);
    let nobody = stage.caller("eve").get(PATH).await.status(200);
    assert_eq!((&nobody["data"], &nobody["meta"]["next_cursor"]), (&json!([]), &Value::Null));
}

#[shared_testing::test]
async fn a_new_subscription_does_not_shift_later_pages() {
    let lines: Vec<_> = (1..=4).map(|n| subscription("ada", n, n)).collect();
    let stage = stage_with(&lines).await;
    let ada = stage.caller("ada");
    let first = ada.get(format!("{PATH}?limit=2")).await.status(200);
    import(&stage, &[subscription("ada", 9, 30)]).await.expect("a good line");
    let cursor = first["meta"]["next_cursor"].text();
    let second = ada.get(format!("{PATH}?limit=2&cursor={cursor}")).await.status(200);
    let ids: Vec<_> = second["data"].as_array().expect("an array").iter().map(|one| one["id"].text()).collect();
    assert_eq!(ids, [id("sub", 2), id("sub", 1)]);
}

#[shared_testing::test]
async fn a_cursor_is_good_for_its_owner_and_for_an_hour() {
    let lines: Vec<_> = (1..=3).map(|n| subscription("ada", n, n)).collect();
    let stage = stage_with(&lines).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let first = ada.get(format!("{PATH}?limit=2")).await.status(200);
    let next = format!("{PATH}?limit=2&cursor={}", first["meta"]["next_cursor"].text());
    bob.get(&next).await.refused(400, "invalid_cursor").problems_at(&["cursor"]);
    for altered in [format!("{next}A"), next[..next.len() - 1].to_owned(), format!("{PATH}?cursor=")] {
        ada.get(altered).await.refused(400, "invalid_cursor");
    }
    stage.clock.advance(Duration::from_secs(3599));
    ada.get(&next).await.status(200);
    stage.clock.advance(Duration::from_secs(1));
    let fresh = ada.clone().claim("exp", stage.now().seconds() + 600);
    fresh.get(&next).await.refused(400, "invalid_cursor");
}

#[shared_testing::test]
async fn parameters_out_of_bounds_are_refused_and_never_clamped() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    for (query, at) in [
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=-1", "limit"),
        ("limit=+5", "limit"),
        ("limit=%2B5", "limit"),
        ("limit=%205", "limit"),
        ("limit=5%20", "limit"),
        ("limit=%EF%BC%95", "limit"),
        ("limit=", "limit"),
        ("limit", "limit"),
        ("limit=5.0", "limit"),
        ("limit=99999999999999999999", "limit"),
        ("limit=5&limit=5", "limit"),
        ("Limit=5", "Limit"),
        ("state=active", "state"),
    ] {
        ada.get(format!("{PATH}?{query}")).await.refused(400, "invalid_request").problems_at(&[at]);
    }
    ada.get(format!("{PATH}?limit=0&state=active&limit=1")).await.refused(400, "invalid_request");
    ada.get(format!("{PATH}?limit=1")).await.status(200);
    ada.get(format!("{PATH}?limit=100")).await.status(200);
}
