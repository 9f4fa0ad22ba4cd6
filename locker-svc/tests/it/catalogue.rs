//! `GET /api/v1/catalogue`.

use std::time::Duration;

use locker_svc::{catalogue, service};
use serde_json::{Value, json};
use shared_testing::{Stage, Text as _};

use crate::samples;

const PATH: &str = "/api/v1/catalogue";

async fn import(stage: &Stage, snapshot: &Value) -> bool {
    let tally = samples::import(stage, &[samples::catalogue_line(snapshot)]).await.expect("a valid snapshot");
    tally.unchanged == 0
}

#[shared_testing::test]
async fn what_was_served_in_the_last_thirty_days_is_kept() {
    let stage = Stage::of(service()).await;
    let swept = async || catalogue::SWEEP.run(&stage.context.db, stage.now()).await.expect("it sweeps");
    import(&stage, &samples::catalogue()).await;
    stage.clock.advance(Duration::from_secs(31 * 86_400));
    assert_eq!(swept().await, 0);
    let mut other = samples::catalogue();
    other["monthly_pence"] = json!(1);
    import(&stage, &other).await;
    assert_eq!(swept().await, 0, "it was served until now");
    stage.clock.advance(Duration::from_secs(30 * 86_400));
    assert_eq!(swept().await, 1);
    assert_eq!(stage.anyone().get(PATH).await.status(200)["data"]["monthly_pence"], 1);
}

#[shared_testing::test]
async fn the_catalogue_is_public_and_cacheable_for_half_a_minute() {
    let stage = Stage::of(service()).await;
    import(&stage, &samples::catalogue()).await;
    let response = stage.anyone().get(PATH).await.status(200);
    insta::assert_json_snapshot!(response.redacted(), @r#"
    {
      "data": {
        "ai_usage_included": false,
        "capacity": 12,
        "currency": "GBP",
        "monthly_pence": 2500,
        "ordering_enabled": true,
        "products": [
          {
            "amount_minor": 2500,
            "available": true,
            "name": "Small room",
            "price_status": "planned",
            "sku": "room-s"
          },
          {
            "amount_minor": 9900,
            "available": false,
            "name": "Large room",
            "sku": "room-l"
          }
        ],
        "provider": "Example Hosting",
        "region": "eu-west",
        "setup_pence": 900,
        "state": "limited",
        "version": "472551cc82dc0a29e33892b8159a64d1d1ec0a57dcbee6f28c506c2bd8dfb16a"
      },
      "meta": {
        "request_id": "[req]"
      }
    }
    "#);
    assert_eq!(response.header("cache-control"), "public, max-age=30");
    assert_eq!(response.header("etag"), format!("\"{}\"", response["data"]["version"].text()));
    assert!(!response.has_header("x-ratelimit-limit"), "{response}");
}

#[shared_testing::test]
async fn a_client_with_the_current_version_gets_304() {
    let stage = Stage::of(service()).await;
    import(&stage, &samples::catalogue()).await;
    let etag = stage.anyone().get(PATH).await.header("etag").to_owned();
    for named in [etag.clone(), format!("W/{etag}"), format!("\"x\", {etag}"), "*".to_owned()] {
        let response = stage.anyone().get(PATH).header("if-none-match", named).await.status(304);
        assert_eq!((response.bytes().len(), response.header("etag")), (0, etag.as_str()));
        assert_eq!(response.header("cache-control"), "public, max-age=30");
    }
    let mut dearer = samples::catalogue();
    dearer["monthly_pence"] = json!(2600);
    assert!(import(&stage, &dearer).await);
    let response = stage.anyone().get(PATH).header("if-none-match", &etag).await.status(200);
    assert_ne!(response.header("etag"), etag);
    assert_eq!(response["data"]["monthly_pence"], 2600);
}

#[shared_testing::test]
async fn the_same_snapshot_again_is_no_change_and_an_older_one_can_come_back() {
    let stage = Stage::of(service()).await;
    assert!(import(&stage, &samples::catalogue()).await);
    assert!(!import(&stage, &samples::catalogue()).await);
    let first = stage.anyone().get(PATH).await;
    assert!(!import(&stage, &first["data"]).await, "what is served is what was imported");
    let mut paused = samples::catalogue();
    paused["state"] = json!("paused");
    paused["ordering_enabled"] = json!(false);
    assert!(import(&stage, &paused).await);
    assert!(import(&stage, &samples::catalogue()).await);
    assert_eq!(stage.anyone().get(PATH).await["data"], first["data"]);
}

#[shared_testing::test]
async fn without_a_snapshot_nothing_is_guessed() {
    let stage = Stage::of(service()).await;
    let response = stage.anyone().get(PATH).await.refused(503, "catalogue_unavailable");
    insta::assert_json_snapshot!(response.redacted(), @r#"
    {
      "error": {
        "code": "catalogue_unavailable",
        "message": "The catalogue is not available now. Do not assume any price or capacity.",
        "next_action": {
          "after_seconds": 30,
          "type": "wait"
        },
        "request_id": "[req]",
        "retryable": true
      }
    }
    "#);
    assert_eq!(response.header("retry-after"), "30");
    assert_eq!(response.header("cache-control"), "no-store");
}

#[shared_testing::test]
async fn head_is_get_without_the_body_and_any_other_method_is_not_found() {
    let stage = Stage::of(service()).await;
    import(&stage, &samples::catalogue()).await;
    let get = stage.anyone().get(PATH).await.status(200);
    let head = stage.anyone().head(PATH).await.status(200);
    assert_eq!((head.bytes().len(), head.header("etag")), (0, get.header("etag")));
    assert_eq!(head.header("content-length"), get.header("content-length"));
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
        let response = stage.anyone().request(method, PATH).await.refused(404, "not_found");
        assert_eq!(response.header("allow"), "GET, HEAD", "{response}");
        assert_eq!(response["error"]["message"], "This route takes GET and HEAD.");
    }
}

#[shared_testing::test]
async fn a_browser_may_ask_although_options_is_no_method_here() {
    let app = "https://app.example.com";
    let stage = Stage::of(service()).settings(|settings| settings.cors_origins = vec![app.to_owned()]).await;
    let asked = stage.anyone().request("OPTIONS", PATH).header("origin", app);
    asked.clone().await.refused(404, "not_found");
    let allowed = asked.header("access-control-request-method", "GET").await.status(204);
    assert_eq!(allowed.header("access-control-allow-methods"), "GET, HEAD");
    assert_eq!(allowed.header("access-control-allow-origin"), app);
}

#[shared_testing::test]
async fn one_address_is_served_sixty_times_a_minute() {
    let stage = Stage::of(service()).await;
    import(&stage, &samples::catalogue()).await;
    for _ in 0..60 {
        stage.anyone().get(PATH).await.status(200);
    }
    let response = stage.anyone().get(PATH).await.refused(429, "rate_limited");
    let seconds: u64 = response.header("retry-after").parse().expect("a number of seconds");
    assert!((1..=60).contains(&seconds), "{response}");
    stage.clock.advance(Duration::from_secs(seconds));
    stage.anyone().get(PATH).await.status(200);
}
