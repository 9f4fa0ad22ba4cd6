//! `POST /wp-json/service-net/v1/orders`.

use orders_svc::{ordering_switch, service};
use serde_json::{Value, json};
use shared_testing::{Caller, Request, Stage, Text as _, together};

use crate::samples::{PREFIX, wanted};

fn place(caller: &Caller, body: Value) -> Request {
    caller.post(PREFIX).fresh_key().json(body)
}

#[shared_testing::test]
async fn a_placed_order_has_the_amounts_of_its_lines() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let response = place(&ada, wanted()).await.status(200);
    insta::assert_json_snapshot!(response.redacted(), { ".data.number" => "[number]" }, @r#"
    {
      "data": {
        "amounts": {
          "discount_minor": 500,
          "due_minor": 6480,
          "paid_minor": 0,
          "refunded_minor": 0,
          "subtotal_minor": 5900,
          "tax_minor": 1080,
          "total_minor": 6480
        },
        "cancelled_at": null,
        "completed_at": null,
        "currency": "GBP",
        "id": "[ord]",
        "lines": [
          {
            "name": "Small room",
            "quantity": 2,
            "sku": "room-s",
            "total_minor": 5000,
            "unit_minor": 2500
          },
          {
            "name": "Setting up",
            "quantity": 1,
            "sku": "setup",
            "total_minor": 900,
            "unit_minor": 900
          }
        ],
        "number": "[number]",
        "payment": {
          "method": "card",
          "status": "unpaid"
        },
        "placed_at": "[timestamp]",
        "room_id": "[room]",
        "schema": "service/order/v1",
        "state": "placed",
        "subscription_id": null,
        "timeline": [
          {
            "at": "[timestamp]",
            "state": "placed"
          }
        ],
        "updated_at": "[timestamp]",
        "version": 1
      },
      "meta": {
        "request_id": "[req]"
      }
    }
    "#);
    let href = response.header("location").strip_prefix(stage.base_url()).expect("a link of our own").to_owned();
    let read = ada.get(href).await.status(200);
    assert_eq!((read["data"].clone(), read.header("etag")), (response["data"].clone(), response.header("etag")));
    assert!(response["data"]["number"].text().starts_with("FF-"), "{response}");
}

#[shared_testing::test]
async fn the_same_key_twice_places_one_order() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let request = || ada.post(PREFIX).key("one").json(wanted());
    let answers = together((0..12).map(|_| request())).await;
    let replays = answers.iter().filter(|response| response["meta"]["replayed"] == true).count();
    let mut orders: Vec<_> = answers.into_iter().map(|response| response.status(200)["data"].clone()).collect();
    orders.dedup();
    assert_eq!((replays, orders.len(), stage.count("orders")), (11, 1, 1));

    let mut other = wanted();
    other["lines"][0]["quantity"] = json!(3);
    ada.post(PREFIX).key("one").json(other).await.refused(409, "idempotency_key_reused");
    let bob = stage.caller("bob");
    bob.post(PREFIX).key("one").json(wanted()).await.status(200);
    assert_eq!(stage.count("orders"), 2);
}

#[shared_testing::test]
async fn whoever_may_only_place_orders_finds_out_whether_one_was_placed() {
    let stage = Stage::of(service()).await;
    let writer = stage.caller("ada").scope("net.orders.write");
    let placed = writer.post(PREFIX).key("one").json(wanted()).await.status(200);
    let lookup = "/wp-json/service-net/v1/idempotency/one";
    let found = writer.get(lookup).await.status(200);
    assert_eq!(found["data"]["commands"][0]["answer"]["id"], placed["data"]["id"], "{found}");
    writer.get(PREFIX).await.refused(403, "insufficient_scope");
    stage.caller("ada").scope("net.orders.read").get(lookup).await.status(200);
    stage.caller("ada").scope("other").get(lookup).await.refused(403, "insufficient_scope");
}

#[shared_testing::test]
async fn an_order_with_an_unexpected_total_is_not_placed() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let mut body = wanted();
    body["expected_total_minor"] = json!(6481);
    let response = ada.post(PREFIX).key("one").json(body).await.refused(422, "invalid_field");
    assert_eq!(
        response["error"]["next_action"]["problems"],
        json!([{"at": "/expected_total_minor", "rule": "must be 6480: the lines minus discount plus tax"}])
    );
    assert_eq!(stage.count("orders"), 0);
    // Nothing was done, so the key is free.
    let mut body = wanted();
    body["expected_total_minor"] = json!(6480);
    ada.post(PREFIX).key("one").json(body).await.status(200);
}

#[shared_testing::test]
async fn every_problem_is_reported_with_its_pointer() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let line = |quantity: i64, unit: i64| json!({"sku": "a", "name": "A", "quantity": quantity, "unit_minor": unit});
    let body = json!({
        "lines": [
            {"sku": "no blanks", "name": "", "quantity": 0, "unit_minor": -1, "total_minor": 1},
            {"sku": "a", "name": "two\nlines", "quantity": 1.5, "unit_minor": "9"},
        ],
        "discount_minor": null, "payment_method": "", "room_id": "room_1", "currency": "EUR",
    });
    place(&ada, body).await.refused(422, "invalid_field").problems_at(&[
        "/lines/0/sku",
        "/lines/0/name",
        "/lines/0/quantity",
        "/lines/0/unit_minor",
        "/lines/0/total_minor",
        "/lines/1/name",
        "/lines/1/quantity",
        "/lines/1/unit_minor",
        "/discount_minor",
        "/payment_method",
        "/room_id",
        "/currency",
    ]);
    let most = 9_007_199_254_740_991_i64;
    let (discount, expected) = ("/discount_minor", "/expected_total_minor");
    for (lines, rest, places) in [
        (json!([]), json!({}), &["/lines"][..]),
        (json!([line(2, most), line(1, 1), line(3, most)]), json!({}), &["/lines/0", "/lines/2"]),
        (json!([line(1, most), line(1, 1)]), json!({"expected_total_minor": 1}), &["/lines"]),
        (json!([line(1, 5)]), json!({"discount_minor": 6}), &[discount]),
        (json!([line(1, 5)]), json!({"discount_minor": 6, "expected_total_minor": 5}), &[discount, expected]),
        (json!([line(1, 5)]), json!({"discount_minor": 6, "tax_minor": 2, "expected_total_minor": 1}), &[discount]),
        (json!([line(1, most)]), json!({"tax_minor": 1, "expected_total_minor": 1}), &["/tax_minor", expected]),
    ] {
        let mut body = rest;
        body["lines"] = lines;
        body["payment_method"] = json!("card");
        place(&ada, body).await.refused(422, "invalid_field").problems_at(places);
    }
    assert_eq!(stage.count("orders"), 0);
    let body = json!({"lines": [line(1, 29)], "discount_minor": 30, "payment_method": "card"});
    let response = place(&ada, body).await.refused(422, "invalid_field");
    assert_eq!(response["error"]["message"], "/discount_minor must be at most 29, the subtotal.");
}

#[shared_testing::test]
async fn nothing_is_placed_while_ordering_is_closed_and_a_placed_order_is_still_replayed() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let first = ada.post(PREFIX).key("one").json(wanted()).await.status(200);
    ordering_switch::set(&stage.context, false).await.expect("closed");
    place(&ada, wanted()).await.refused(403, "ordering_closed");
    let replay = ada.post(PREFIX).key("one").json(wanted()).await.status(200);
    assert_eq!((&replay["data"], &replay["meta"]["replayed"]), (&first["data"], &json!(true)));
    assert_eq!(stage.count("orders"), 1);
}

#[shared_testing::test]
async fn a_client_that_lost_the_answer_can_ask_whether_its_order_was_placed() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let look = |caller: &Caller| caller.get("/wp-json/service-net/v1/idempotency/one");
    assert_eq!(look(&ada).await.status(200)["data"]["commands"], json!([]));
    let placed = ada.post(PREFIX).key("one").json(wanted()).await.status(200);
    ordering_switch::set(&stage.context, false).await.expect("closed");
    let response = look(&ada).await.status(200);
    let command = &response["data"]["commands"][0];
    assert_eq!((&command["operation"], &command["state"]), (&json!("create_order"), &json!("completed")));
    assert_eq!(command["answer"], placed["data"]);
    assert_eq!(look(&stage.caller("bob")).await.status(200)["data"]["commands"], json!([]));
    look(&ada.claim("grant_kind", "agent")).await.refused(403, "insufficient_scope");
}

#[shared_testing::test]
async fn placing_needs_its_own_scope_and_an_owner_grant() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    place(&ada.clone().scope("net.orders.read"), wanted()).await.refused(403, "insufficient_scope");
    place(&ada.clone().claim("grant_kind", "agent"), wanted()).await.refused(403, "insufficient_scope");
    ada.post(PREFIX).json(wanted()).await.refused(400, "idempotency_key_required");
    place(&ada.scope("net.orders.write"), wanted()).await.status(200);
    assert_eq!(stage.count("orders"), 1);
}
