//! `GET /wp-json/service-net/v1/orders`.

use std::time::Duration;

use orders_svc::{ordering_switch, service};
use serde_json::{Value, json};
use shared_testing::{Caller, Stage, Text as _};

use crate::samples::{PREFIX, draft, id, order, stage_with, wanted};

/// Order `number` of Ada's, placed in that second.
fn placed_at(number: u32, second: u32) -> Value {
    let mut line = order("ada", number);
    line["order"]["placed_at"] = json!(format!("2026-11-01T08:00:{second:02}Z"));
    line
}

async fn pages(ada: &Caller, limit: usize) -> Vec<String> {
    let (mut ids, mut cursor) = (Vec::new(), String::new());
    loop {
        let response = ada.get(format!("{PREFIX}?limit={limit}{cursor}")).await.status(200);
        let page = response["data"].as_array().expect("a list");
        assert!(page.len() <= limit, "{response}");
        ids.extend(page.iter().map(|order| order["id"].text().to_owned()));
        match response["meta"]["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return ids,
        }
    }
}

#[shared_testing::test]
async fn own_orders_come_newest_first_page_by_page_without_gap_or_repetition() {
    let mut lines: Vec<_> = (1..=25).map(|number| placed_at(number, number / 3)).collect();
    lines.extend([order("bob", 26), draft("ada", 27)]);
    let stage = stage_with(&lines).await;
    let ada = stage.caller("ada");
    let mut expected: Vec<_> = (1..=25_u32).map(|number| (number / 3, id(number))).collect();
    expected.sort();
    let expected: Vec<_> = expected.into_iter().rev().map(|(_, id)| id).collect();
    for limit in [1, 7, 25, 100] {
        assert_eq!(pages(&ada, limit).await, expected, "{limit} a page");
        stage.clock.advance(Duration::from_secs(60));
    }
    let response = ada.get(PREFIX).await.status(200);
    assert_eq!(response["data"].as_array().map(Vec::len), Some(20));
    let read = ada.get(format!("{PREFIX}/{}", expected[0])).await.status(200);
    assert_eq!(response["data"][0], read["data"]);
}

#[shared_testing::test]
async fn an_order_placed_between_two_pages_does_not_shift_them() {
    let stage = stage_with(&[placed_at(1, 1), placed_at(2, 2), placed_at(3, 3)]).await;
    let ada = stage.caller("ada");
    let first = ada.get(format!("{PREFIX}?limit=2")).await.status(200);
    ada.post(PREFIX).fresh_key().json(wanted()).await.status(200);
    let cursor = first["meta"]["next_cursor"].text();
    let rest = ada.get(format!("{PREFIX}?limit=2&cursor={cursor}")).await.status(200);
    assert_eq!((&rest["data"][0]["id"], &rest["data"][1]), (&json!(id(1)), &Value::Null));
    assert_eq!(rest["meta"]["next_cursor"], Value::Null);
}

#[shared_testing::test]
async fn a_cursor_works_for_its_owner_for_an_hour() {
    let stage = stage_with(&[placed_at(1, 1), placed_at(2, 2), order("bob", 3), order("bob", 4)]).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let response = ada.get(format!("{PREFIX}?limit=1")).await.status(200);
    let cursor = response["meta"]["next_cursor"].text();
    let continued = format!("{PREFIX}?limit=1&cursor={cursor}");
    ada.get(&continued).await.status(200);
    bob.get(&continued).await.refused(400, "invalid_cursor").problems_at(&["cursor"]);
    ada.get(format!("{continued}A")).await.refused(400, "invalid_cursor");
    ada.get(format!("{PREFIX}?cursor=")).await.refused(400, "invalid_cursor");
    stage.clock.advance(Duration::from_secs(3590));
    ada.get(&continued).await.status(200);
    stage.clock.advance(Duration::from_secs(10));
    ada.get(&continued).await.refused(400, "invalid_cursor");
}

#[shared_testing::test]
async fn parameters_out_of_bounds_are_refused_and_never_clamped() {
    let stage = stage_with(&[order("ada", 1)]).await;
    let ada = stage.caller("ada");
    for value in ["0", "101", "-1", "+1", "", "abc", "1e1", "99999999999999999999"] {
        let response = ada.get(format!("{PREFIX}?limit={value}")).await.refused(422, "invalid_field");
        assert_eq!(response["error"]["message"], "limit must be a whole number from 1 to 100.", "{value}");
    }
    for (query, message) in [
        ("limit=1&limit=2", "limit must be sent once."),
        ("limit=1%FF", "query must be UTF-8, percent-encoded."),
        ("state=paid", "state is not a parameter of this operation, which takes limit and cursor."),
    ] {
        let response = ada.get(format!("{PREFIX}?{query}")).await.refused(400, "invalid_request");
        assert_eq!(response["error"]["message"], message);
    }
    ada.get(format!("{PREFIX}?limit=100")).await.status(200);
    for method in ["PUT", "PATCH", "DELETE"] {
        let response = ada.request(method, PREFIX).await.refused(405, "method_not_allowed");
        assert_eq!(response.header("allow"), "GET, HEAD, POST, OPTIONS");
    }
    ordering_switch::set(&stage.context, false).await.expect("closed");
    ada.get(PREFIX).await.refused(403, "ordering_closed");
}

#[shared_testing::test]
async fn an_owner_without_orders_has_an_empty_list() {
    let stage = Stage::of(service()).await;
    let response = stage.caller("ada").get(PREFIX).await.status(200);
    assert_eq!((&response["data"], &response["meta"]["next_cursor"]), (&json!([]), &Value::Null));
}
