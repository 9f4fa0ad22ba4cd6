//! The read and the command bucket of a grant (spec: Limits). They allow 120 and 30 requests in a UTC minute, counted
//! apart.

use std::time::Duration;

use locker_svc::service;
use shared_model::Timestamp;
use shared_testing::{Caller, Response, ServiceProcess, Stage, servers::Redis};

use crate::samples::id;

const READ: &str = "/api/v1/billing/subscriptions";
/// A minute's first second.
const BOUNDARY: Timestamp = Timestamp::from_seconds(1_800_000_060);

fn number(response: &Response, header: &str) -> i64 {
    response.header(header).parse().unwrap_or_else(|_| panic!("{header} is a number: {response}"))
}

/// Where the bucket stands after this answer: limit, remaining, reset.
fn bucket(response: &Response) -> (i64, i64, i64) {
    (
        number(response, "x-ratelimit-limit"),
        number(response, "x-ratelimit-remaining"),
        number(response, "x-ratelimit-reset"),
    )
}

/// Checks that the bucket is empty and asks to wait `wait` seconds.
fn exhausted(response: Response, reset: i64, wait: u64) {
    assert_eq!((bucket(&response).1, bucket(&response).2), (0, reset));
    let response = response.refused(429, "rate_limited");
    assert_eq!(response.header("retry-after"), wait.to_string());
    assert_eq!(response["error"]["next_action"], serde_json::json!({"type": "wait", "after_seconds": wait}));
}

async fn stage_before_the_boundary(seconds: u64) -> Stage {
    Stage::of(service()).at(BOUNDARY.minus(Duration::from_secs(seconds))).await
}

#[shared_testing::test]
async fn a_hundred_and_twenty_reads_pass_and_the_next_waits_for_the_minute_to_end() {
    let stage = stage_before_the_boundary(17).await;
    let ada = stage.caller("ada");
    for remaining in (0..120).rev() {
        // Whatever comes of it, it is charged: HEAD, a refused parameter, a lack of scope.
        let response = match remaining % 4 {
            0 => ada.head(READ).await.status(200),
            1 => ada.get(format!("{READ}?limit=0")).await.status(400),
            2 => ada.clone().scope("other").get(READ).await.status(403),
            _ => ada.get(READ).await.status(200),
        };
        assert_eq!(bucket(&response), (120, remaining, BOUNDARY.seconds()));
    }
    exhausted(ada.get(READ).await, BOUNDARY.seconds(), 17);
    exhausted(ada.clone().scope("other").get(READ).await, BOUNDARY.seconds(), 17);
    assert_eq!(bucket(&stage.caller("bob").get(READ).await.status(200)).1, 119, "each grant has its own");
    stage.anyone().get(READ).await.refused(401, "unauthorized");
}

#[shared_testing::test]
async fn thirty_commands_pass_and_reads_are_counted_apart_from_them() {
    let stage = stage_before_the_boundary(17).await;
    let ada = stage.caller("ada");
    let command = || ada.post(format!("/api/v1/rooms/{}/onboarding/model-test", id("room", 9)));
    for remaining in (0..30).rev() {
        // Whatever comes of it, it is charged: a lack of a key, a room that there is not.
        let response = match remaining % 2 {
            0 => command().await.status(400),
            _ => command().fresh_key().await.status(404),
        };
        assert_eq!(bucket(&response), (30, remaining, BOUNDARY.seconds()));
    }
    exhausted(command().fresh_key().await, BOUNDARY.seconds(), 17);
    assert_eq!(bucket(&ada.get(READ).await.status(200)), (120, 119, BOUNDARY.seconds()));
    for _ in 0..119 {
        ada.get(READ).await.status(200);
    }
    exhausted(ada.get(READ).await, BOUNDARY.seconds(), 17);
    stage.clock.advance(Duration::from_secs(17));
    assert_eq!(bucket(&command().fresh_key().await.status(404)).1, 29);
    assert_eq!(bucket(&ada.get(READ).await.status(200)).1, 119);
}

#[shared_testing::test]
async fn a_minute_ends_for_all_at_the_same_instant() {
    let stage = stage_before_the_boundary(1).await;
    let ada = stage.caller("ada");
    for _ in 0..120 {
        ada.get(READ).await.status(200);
    }
    stage.clock.advance(Duration::from_micros(999_999));
    exhausted(ada.get(READ).await, BOUNDARY.seconds(), 1);
    stage.clock.advance(Duration::from_micros(1));
    let response = ada.get(READ).await.status(200);
    assert_eq!(bucket(&response), (120, 119, BOUNDARY.seconds() + 60));
}

#[shared_testing::test]
async fn two_processes_on_one_redis_share_a_bucket() {
    let redis = Redis::start();
    let environment = [("REDIS_URL", redis.url.as_str())];
    let first = ServiceProcess::logging(env!("CARGO_BIN_EXE_locker-svc"), service(), &environment).await;
    let second = ServiceProcess::logging(env!("CARGO_BIN_EXE_locker-svc"), service(), &environment).await;
    let outages = || [&first, &second].map(|process| process.log().matches("Redis is away").count());
    // The clock is the machine's: when a minute ends half-way, another grant is counted. So it is when Redis has answered
    // too late on a busy machine, and a process has counted for itself.
    let mut is_counted = false;
    for grant in ["ada", "bob", "eve", "dan", "fay"] {
        let before = outages();
        let responses = reads_in_turn(&[first.caller(grant), second.caller(grant)]).await;
        is_counted = outages() == before && is_counted_within_a_minute(&responses);
        if is_counted {
            break;
        }
    }
    assert!(is_counted, "five times in a row a minute ended, or Redis was away");
}

/// 120 reads in turn, then one too many for each.
async fn reads_in_turn(callers: &[Caller; 2]) -> Vec<Response> {
    let mut responses = Vec::new();
    for turn in 0..122 {
        responses.push(callers[turn % 2].get(READ).await);
    }
    responses
}

/// Whether all of it came to pass within one minute. Then all of it must be counted.
fn is_counted_within_a_minute(response: &[Response]) -> bool {
    let standings: Vec<_> = response.iter().map(bucket).collect();
    if standings.iter().any(|standing| standing.2 != standings[0].2) {
        return false;
    }
    let remaining: Vec<_> = standings.iter().map(|standing| standing.1).collect();
    assert_eq!(remaining, (0..120).rev().chain([0, 0]).collect::<Vec<_>>());
    let statuses: Vec<_> = response.iter().map(|response| response.status).collect();
    assert_eq!((&statuses[..120], &statuses[120..]), (&[200; 120][..], &[429, 429][..]));
    true
}
