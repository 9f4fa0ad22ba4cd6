//! `GET /wp-json/service-net/v1/orders/{order_id}`.

use std::time::Duration;

use orders_svc::{ordering_switch, service};
use serde_json::json;
use shared_testing::{Response, Stage, redacted};

use crate::samples::{PREFIX, draft, id, import, order, path, stage_with};

#[shared_testing::test]
async fn an_order_as_its_owner_sees_it() {
    let stage = stage_with(&[order("ada", 1)]).await;
    let response = stage.caller("ada").get(path(1)).await.status(200);
    insta::assert_json_snapshot!(response.redacted(), @r#"
    {
      "data": {
        "amounts": {
          "discount_minor": 500,
          "due_minor": 0,
          "paid_minor": 6480,
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
            "id": "1",
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
        "number": "FF-1",
        "payment": {
          "method": "card",
          "reference": "pi_1",
          "status": "paid"
        },
        "placed_at": "[timestamp]",
        "room_id": "[room]",
        "schema": "service/order/v1",
        "state": "provisioning",
        "subscription_id": "[sub]",
        "timeline": [
          {
            "at": "[timestamp]",
            "state": "placed"
          },
          {
            "at": "[timestamp]",
            "state": "awaiting_payment"
          },
          {
            "at": "[timestamp]",
            "state": "paid"
          },
          {
            "at": "[timestamp]",
            "state": "provisioning"
          }
        ],
        "updated_at": "[timestamp]",
        "version": 3
      },
      "meta": {
        "request_id": "[req]"
      }
    }
    "#);
    assert_eq!(response.header("cache-control"), "private, no-store, no-transform");
    assert_eq!(response.header("x-ratelimit-limit"), "120");
}

#[shared_testing::test]
async fn drafts_foreign_orders_missing_orders_and_malformed_ids_get_the_same_answer() {
    let stage = stage_with(&[order("ada", 1), order("bob", 2), draft("ada", 3)]).await;
    let ada = stage.caller("ada");
    let missing = ada.get(path(404)).await.refused(404, "not_found");
    let upper = format!("{PREFIX}/{}", id(1).to_ascii_uppercase());
    let (short, long) = (format!("{PREFIX}/1"), format!("{PREFIX}/{}x", id(1)));
    for (number, other) in [path(2), path(3), upper, short, long, format!("{PREFIX}/%00")].iter().enumerate() {
        let response = ada.get(other).await.refused(404, "not_found");
        let body = response.body().replace(response.request_id(), missing.request_id());
        assert_eq!(body, missing.body(), "{other}: byte by byte but for the request id");
        let left = 118 - number;
        assert_eq!(response.header("x-ratelimit-remaining"), left.to_string(), "{other} is charged as the others");
        assert_eq!(lasting(&response), lasting(&missing), "{other}");
    }
}

/// The headers without the request id, the date and the remaining rate limit.
fn lasting(response: &Response) -> Vec<(String, String)> {
    let passing = ["x-request-id", "date", "x-ratelimit-remaining", "ratelimit"];
    response.headers().iter().filter(|(name, _)| !passing.contains(&name.as_str())).cloned().collect()
}

#[shared_testing::test]
async fn a_client_with_this_version_gets_304_and_a_new_version_in_full() {
    let stage = stage_with(&[order("ada", 1), order("ada", 2)]).await;
    let ada = stage.caller("ada");
    let etag = ada.get(path(1)).await.header("etag").to_owned();
    assert_ne!(ada.get(path(2)).await.header("etag"), etag, "another order is another tag");
    let response = ada.get(path(1)).header("if-none-match", &etag).await.status(304);
    assert_eq!((response.bytes().len(), response.header("etag")), (0, etag.as_str()));
    assert_eq!(response.header("cache-control"), "private, no-store, no-transform");
    let mut next = order("ada", 1);
    next["order"]["version"] = json!(4);
    next["order"]["state"] = json!("completed");
    next["order"]["completed_at"] = json!("2026-11-01T09:06:00Z");
    next["order"]["updated_at"] = json!("2026-11-01T09:06:00Z");
    let steps = next["order"]["timeline"].as_array_mut().expect("an array");
    steps.push(json!({"state": "completed", "at": "2026-11-01T09:06:00Z"}));
    assert_eq!(import(&stage, &[next]).await.1, []);
    let response = ada.get(path(1)).header("if-none-match", &etag).await.status(200);
    assert_eq!((&response["data"]["state"], &response["data"]["version"]), (&json!("completed"), &json!(4)));
    assert_ne!(response.header("etag"), etag);
}

#[shared_testing::test]
async fn other_grants_than_owner_grants_are_refused() {
    let stage = stage_with(&[order("ada", 1)]).await;
    let ada = stage.caller("ada");
    for kind in ["agent", "Owner", ""] {
        let response = ada.clone().claim("grant_kind", kind).get(path(1)).await;
        if !kind.is_empty() {
            let response = response.refused(403, "insufficient_scope");
            assert!(response.header("www-authenticate").contains("insufficient_scope"), "{response}");
            assert!(response["error"]["message"].to_string().contains("owner grant"), "{response}");
            let next = &response["error"]["next_action"];
            assert_eq!(next, &json!({"type": "contact_support"}), "no scope makes up for the kind of a grant");
        } else {
            assert!(matches!(response.status, 401 | 403), "{response}");
        }
    }
    ada.clone().without_claim("grant_kind").get(path(1)).await.refused(401, "invalid_token");
}

#[shared_testing::test]
async fn while_ordering_is_closed_every_order_is_refused_alike() {
    let stage = stage_with(&[order("ada", 1)]).await;
    let ada = stage.caller("ada");
    ordering_switch::set(&stage.context, false).await.expect("closed");
    let response = ada.get(path(1)).await.refused(403, "ordering_closed");
    insta::assert_json_snapshot!(response.redacted(), @r#"
    {
      "error": {
        "code": "ordering_closed",
        "message": "Ordering is closed. Placed orders stay stored and can be read when it opens again.",
        "next_action": {
          "type": "contact_support"
        },
        "request_id": "[req]",
        "retryable": false
      }
    }
    "#);
    for other in [path(404), format!("{PREFIX}/1"), format!("{}x", path(1)), format!("{PREFIX}/%00")] {
        let missing = ada.get(&other).await.refused(403, "ordering_closed");
        assert_eq!(redacted(missing.json()), redacted(response.json()), "{other}");
    }
    stage.anyone().get(path(1)).await.refused(401, "unauthorized");
    ada.clone().scope("net.orders.write").get(path(1)).await.refused(403, "insufficient_scope");
    ada.clone().claim("grant_kind", "agent").get(path(1)).await.refused(403, "insufficient_scope");
    ordering_switch::set(&stage.context, true).await.expect("open");
    ada.get(path(1)).await.status(200);
}

#[shared_testing::test]
async fn head_is_get_without_the_body_and_405_names_the_allowed_methods() {
    let stage = stage_with(&[order("ada", 1)]).await;
    let ada = stage.caller("ada");
    let get = ada.get(path(1)).await.status(200);
    let head = ada.head(path(1)).await.status(200);
    assert_eq!((head.bytes().len(), head.header("etag")), (0, get.header("etag")));
    assert_eq!(head.header("content-length"), get.header("content-length"));
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
        let response = ada.request(method, path(1)).await.refused(405, "method_not_allowed");
        assert_eq!(response.header("allow"), "GET, HEAD, OPTIONS");
    }
    let response = stage.anyone().request("OPTIONS", path(1)).await.status(204);
    assert_eq!(response.header("allow"), "GET, HEAD, OPTIONS");
}

#[shared_testing::test]
async fn one_grant_reads_a_hundred_and_twenty_times_a_minute() {
    let stage = stage_with(&[order("ada", 1)]).await;
    let ada = stage.caller("ada");
    for left in (0..120).rev() {
        assert_eq!(ada.get(path(1)).await.status(200).header("x-ratelimit-remaining"), left.to_string());
    }
    let response = ada.get(path(1)).await.refused(429, "rate_limited");
    let seconds: u64 = response.header("retry-after").parse().expect("a number of seconds");
    stage.clock.advance(Duration::from_secs(seconds));
    ada.get(path(1)).await.status(200);
}

#[shared_testing::test]
async fn without_an_issuer_the_service_says_so() {
    let stage = Stage::of(service()).settings(|settings| settings.issuer = None).await;
    stage.caller("ada").get(path(1)).await.refused(401, "identity_not_configured");
}
