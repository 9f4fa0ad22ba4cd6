//! `GET /api/v1/billing/subscriptions` and the import that feeds it.

use std::{collections::BTreeSet, time::Duration};

use locker_svc::service;
use serde_json::{Value, json};
use shared_runtime::import::{LINE_BYTES, Tally};
use shared_testing::{Caller, Stage, Text as _, run};

use crate::samples::{id, import, import_text, subscription};

const PATH: &str = "/api/v1/billing/subscriptions";

/// All pages of a list, and how many entries each had.
async fn pages(caller: &Caller, query: &str) -> (Vec<Value>, Vec<usize>) {
    let (mut all, mut sizes) = (Vec::new(), Vec::new());
    let mut path = format!("{PATH}?{query}");
    loop {
        let told = caller.get(&path).await.status(200);
        let page = told["data"].as_array().expect("an array");
        sizes.push(page.len());
        all.extend_from_slice(page);
        match &told["meta"]["next_cursor"] {
            Value::Null => return (all, sizes),
            cursor => path = format!("{PATH}?{query}&cursor={}", cursor.text()),
        }
    }
}

async fn stage_with(lines: &[Value]) -> Stage {
    let stage = Stage::of(service()).await;
    let (_, bad) = import(&stage, lines).await;
    assert_eq!(bad, []);
    stage
}

#[test]
fn a_subscription_as_its_owner_sees_it() {
    run(async {
        let stage = stage_with(&[subscription("ada", 1, 0)]).await;
        let told = stage.caller("ada").get(PATH).await.status(200);
        insta::assert_json_snapshot!(told.redacted(), @r#"
        {
          "data": [
            {
              "cancelled_at": null,
              "created_at": "[moment]",
              "currency": "GBP",
              "current_period_end": "[moment]",
              "current_period_start": "[moment]",
              "id": "[sub]",
              "monthly_pence": 2500,
              "order_id": "[ord]",
              "room_id": "[room]",
              "setup_pence": 900,
              "sku": "room-s",
              "state": "active",
              "updated_at": "[moment]",
              "version": 2
            }
          ],
          "meta": {
            "next_cursor": null,
            "request_id": "[req]"
          }
        }
        "#);
        assert_eq!(told.header("x-ratelimit-limit"), "120");
        assert_eq!(told.header("x-ratelimit-remaining"), "119");
        assert_eq!(told.header("cache-control"), "private, no-store, no-transform");
    });
}

#[test]
fn pages_follow_one_another_without_gap_or_repetition() {
    run(async {
        // Seven at a time began at the same instant: the id decides among them.
        let mut lines: Vec<_> = (0..45).map(|n| subscription("ada", n * 7919 % 45 + 1, n / 7)).collect();
        lines.extend((0..5).map(|n| subscription("bob", 100 + n, n)));
        let stage = stage_with(&lines).await;
        let ada = stage.caller("ada");
        for (query, expected) in [
            ("", vec![20, 20, 5]),
            ("limit=7", vec![7, 7, 7, 7, 7, 7, 3]),
            ("limit=45", vec![45]),
            ("limit=100", vec![45]),
        ] {
            let (all, sizes) = pages(&ada, query).await;
            assert_eq!(sizes, expected, "{query}");
            let keys: Vec<_> = all.iter().map(|one| (one["created_at"].text(), one["id"].text())).collect();
            assert!(keys.is_sorted_by(|a, b| a > b), "newest first, then the greater id: {keys:?}");
            assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), 45);
        }
        assert_eq!(pages(&stage.caller("bob"), "limit=1").await.1, [1, 1, 1, 1, 1]);
        let nobody = stage.caller("eve").get(PATH).await.status(200);
        assert_eq!((&nobody["data"], &nobody["meta"]["next_cursor"]), (&json!([]), &Value::Null));
    });
}

#[test]
fn what_is_added_between_two_pages_moves_nothing() {
    run(async {
        let lines: Vec<_> = (1..=4).map(|n| subscription("ada", n, n)).collect();
        let stage = stage_with(&lines).await;
        let ada = stage.caller("ada");
        let first = ada.get(format!("{PATH}?limit=2")).await.status(200);
        import(&stage, &[subscription("ada", 9, 30)]).await;
        let cursor = first["meta"]["next_cursor"].text();
        let second = ada.get(format!("{PATH}?limit=2&cursor={cursor}")).await.status(200);
        let ids: Vec<_> = second["data"].as_array().expect("an array").iter().map(|one| one["id"].text()).collect();
        assert_eq!(ids, [id("sub", 2), id("sub", 1)]);
    });
}

#[test]
fn a_cursor_is_good_for_its_owner_and_for_an_hour() {
    run(async {
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
    });
}

#[test]
fn parameters_out_of_bounds_are_refused_and_never_bent() {
    run(async {
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
    });
}

#[test]
fn the_same_lines_again_change_nothing() {
    run(async {
        let lines: Vec<_> = (1..=150).map(|n| subscription("ada", n, n % 60)).collect();
        let stage = Stage::of(service()).await;
        assert_eq!(import(&stage, &lines).await.0, Tally { added: 150, ..Tally::default() });
        let before = pages(&stage.caller("ada"), "limit=100").await;
        assert_eq!(import(&stage, &lines).await.0, Tally { unchanged: 150, ..Tally::default() });
        assert_eq!(pages(&stage.caller("ada"), "limit=100").await, before);
    });
}

#[test]
fn a_higher_version_takes_the_place_and_a_lower_one_is_stale() {
    run(async {
        let stage = stage_with(&[subscription("ada", 1, 0)]).await;
        let mut next = subscription("ada", 1, 0);
        next["subscription"]["version"] = json!(3);
        next["subscription"]["state"] = json!("cancelled");
        next["subscription"]["cancelled_at"] = json!("2026-11-20T00:00:00Z");
        let mut other_content = next.clone();
        other_content["subscription"]["monthly_pence"] = json!(1);
        let mut other_owner = next.clone();
        other_owner["owner"] = json!("bob");
        let mut other_beginning = next.clone();
        other_beginning["subscription"]["created_at"] = json!("2026-10-01T00:00:01Z");
        let mut foreign_room = subscription("bob", 2, 0);
        foreign_room["subscription"]["room_id"] = json!(id("room", 1));
        let lines = [next, subscription("ada", 1, 0), other_content, other_owner, other_beginning, foreign_room];
        let (tally, bad) = import(&stage, &lines).await;
        assert_eq!(tally, Tally { replaced: 1, refused: 5, ..Tally::default() });
        insta::assert_debug_snapshot!(bad, @r#"
        [
            (
                2,
                "version 2 is stale: version 3 is recorded",
            ),
            (
                3,
                "version 3 is recorded with other content: a change needs a higher version",
            ),
            (
                4,
                "a subscription never changes its owner or created_at",
            ),
            (
                5,
                "a subscription never changes its owner or created_at",
            ),
            (
                6,
                "the room is another owner's",
            ),
        ]
        "#);
        let told = stage.caller("ada").get(PATH).await.status(200);
        let only = &told["data"][0];
        assert_eq!(
            (&only["state"], &only["version"], &only["monthly_pence"]),
            (&json!("cancelled"), &json!(3), &json!(2500))
        );
        assert_eq!(stage.caller("bob").get(PATH).await["data"], json!([]));
    });
}

#[test]
fn bad_lines_are_told_by_number_and_leave_nothing_behind() {
    run(async {
        let stage = Stage::of(service()).await;
        let mut wrong = subscription("ada", 2, 0);
        wrong["subscription"]["state"] = json!("sleeping");
        let text = [
            subscription("ada", 1, 0).to_string(),
            String::new(),
            wrong.to_string(),
            "{\"owner\": \"ada\"".to_owned(),
            "x".repeat(LINE_BYTES + 1),
            subscription("ada", 3, 0).to_string(),
        ];
        let (tally, bad) = import_text(&stage, &(text.join("\r\n") + "\n")).await;
        assert_eq!(tally, Tally { added: 2, refused: 3, ..Tally::default() });
        insta::assert_debug_snapshot!(bad, @r#"
        [
            (
                3,
                "/subscription/state must be one of: incomplete, active, past_due, suspended, cancelled",
            ),
            (
                4,
                "must not end before the JSON is complete (line 1, column 16)",
            ),
            (
                5,
                "the line must be at most 262144 bytes",
            ),
        ]
        "#);
        assert_eq!(pages(&stage.caller("ada"), "").await.1, [2]);
    });
}
