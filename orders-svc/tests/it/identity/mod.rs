//! Access tokens of a real, independent authorization server.

mod provider;

use std::time::Duration;

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use shared_runtime::Clock;
use shared_testing::{Caller, Response, Stage, Text as _, together};

use crate::samples::{PREFIX, import, order, path, wanted};
use provider::Provider;

/// A stage that trusts the provider, with an order of Ada's.
async fn stage_of(provider: &Provider) -> Stage {
    let stage = provider.trusted_by_a_stage().await;
    let (_, bad) = import(&stage, &[order("ada", 1)]).await;
    assert_eq!(bad, []);
    stage
}

/// The holder of this token.
fn holder(stage: &Stage, token: &str) -> Caller {
    stage.anyone().bearer(token)
}

async fn read(stage: &Stage, token: &str) -> Response {
    holder(stage, token).get(path(1)).await
}

/// The full answer when the authorization server cannot be reached.
fn cannot_tell(response: Response) -> u64 {
    let response = response.refused(503, "authorization_server_unreachable");
    let seconds: u64 = response.header("retry-after").parse().expect("seconds");
    assert_eq!(response["error"]["next_action"], json!({"type": "wait", "after_seconds": seconds}), "{response}");
    assert!(!response.has_header("www-authenticate"), "a client must not throw its token away: {response}");
    seconds
}

#[shared_testing::test]
async fn tokens_of_every_algorithm_are_accepted() {
    let provider = Provider::start();
    let stage = stage_of(&provider).await;
    for algorithm in ["EdDSA", "Ed25519", "ES256", "RS256"] {
        let token = provider.token_with("ada", stage.base_url(), &[("test-alg", algorithm)]).await;
        let header = BASE64_URL_SAFE_NO_PAD.decode(token.split('.').next().expect("a header")).expect("base64url");
        let header: Value = serde_json::from_slice(&header).expect("JSON");
        assert_eq!((&header["alg"], &header["typ"]), (&json!(algorithm), &json!("at+jwt")));
        read(&stage, &token).await.status(200);
        holder(&stage, &token).post(PREFIX).fresh_key().json(wanted()).await.status(200);
    }
    assert_eq!(provider.fetches().await, 1);
}

#[shared_testing::test]
async fn the_metadata_of_the_service_leads_to_the_provider_and_from_there_to_its_keys() {
    let provider = Provider::start();
    let stage = stage_of(&provider).await;
    let metadata = stage.anyone().get("/.well-known/oauth-protected-resource").await.status(200);
    assert_eq!(metadata["authorization_servers"], json!([provider.issuer]));
    assert_eq!(metadata["resource"], stage.base_url());
    assert_eq!(metadata["scopes_supported"], json!(["net.orders.read", "net.orders.write"]));
    let discovery = provider.discovery().await;
    assert_eq!(discovery["issuer"].text(), provider.issuer);
    assert_eq!(discovery["jwks_uri"].text(), format!("{}/jwks", provider.issuer));
}

#[shared_testing::test]
async fn a_token_works_only_for_its_resource_owner_and_kind_of_grant() {
    let provider = Provider::start();
    let stage = stage_of(&provider).await;
    let bob = provider.token("bob", &stage).await;
    read(&stage, &bob).await.refused(404, "not_found");
    let elsewhere = provider.token_with("ada", "http://127.0.0.1:1", &[]).await;
    read(&stage, &elsewhere).await.refused(401, "invalid_token");
    let slash = provider.token_with("ada", &format!("{}/", stage.base_url()), &[]).await;
    read(&stage, &slash).await.refused(401, "invalid_token");
    let agent = provider.token_with("bob", stage.base_url(), &[("test-grant-kind", "agent")]).await;
    read(&stage, &agent).await.refused(403, "insufficient_scope");
}

#[shared_testing::test]
async fn the_first_token_of_a_new_key_works() {
    let provider = Provider::start();
    let stage = stage_of(&provider).await;
    let before = provider.token("ada", &stage).await;
    read(&stage, &before).await.status(200);
    provider.rotate().await;
    let after = provider.token("ada", &stage).await;
    assert_ne!(after.split('.').next(), before.split('.').next(), "another key has signed");
    for response in together((0..16).map(|_| holder(&stage, &after).get(path(1)))).await {
        response.status(200);
    }
    assert_eq!(provider.fetches().await, 2, "one for all who wait");
    read(&stage, &before).await.status(200);
    let unseen = provider.token_with("ada", stage.base_url(), &[("test-alg", "RS256")]).await;
    read(&stage, &unseen).await.status(200);
    assert_eq!(provider.fetches().await, 2, "its key has come with the others");
}

#[shared_testing::test]
async fn tokens_of_a_key_that_is_withdrawn_end_when_the_keys_are_fetched_again() {
    let provider = Provider::start();
    let stage = stage_of(&provider).await;
    let before = provider.token("ada", &stage).await;
    read(&stage, &before).await.status(200);
    provider.replace_keys().await;
    let after = provider.token("ada", &stage).await;
    read(&stage, &after).await.status(200);
    // To find out whether the provider has the key again, the service would have to ask a third time.
    let seconds = cannot_tell(read(&stage, &before).await);
    stage.clock.advance(Duration::from_secs(seconds));
    read(&stage, &before).await.refused(401, "invalid_token");
    read(&stage, &after).await.status(200);
}

#[shared_testing::test]
async fn known_keys_work_while_the_provider_is_down_and_unknown_ones_are_not_decided() {
    let mut provider = Provider::start();
    let stage = stage_of(&provider).await;
    let known = provider.token("ada", &stage).await;
    let never_seen = provider.token_with("ada", stage.base_url(), &[("test-alg", "ES256")]).await;
    read(&stage, &known).await.status(200);
    provider.rotate().await;
    let unknown = provider.token("ada", &stage).await;

    provider.stop();
    for response in together((0..20).map(|_| holder(&stage, &unknown).get(path(1)))).await {
        cannot_tell(response);
    }
    read(&stage, &known).await.status(200);
    read(&stage, &never_seen).await.status(200);
    stage.anyone().get(path(1)).await.refused(401, "unauthorized");
    // Keys are fetched again after five minutes. If that fails, the known keys stay in use.
    stage.clock.advance(Duration::from_secs(500));
    let seconds = cannot_tell(read(&stage, &unknown).await);
    read(&stage, &known).await.status(200);

    provider.start_again();
    stage.clock.advance(Duration::from_secs(seconds));
    read(&stage, &unknown).await.status(200);
    read(&stage, &known).await.status(200);
}

#[shared_testing::test]
async fn a_service_without_its_provider_answers_that_it_cannot_check_tokens() {
    let mut provider = Provider::start();
    provider.stop();
    let stage = provider.trusted_by_a_stage().await;
    // A token that no key could make valid is refused at once.
    read(&stage, "nonsense").await.refused(401, "invalid_token");
    provider.start_again();
    let token = provider.token("ada", &stage).await;
    provider.stop();
    let seconds = cannot_tell(read(&stage, &token).await);
    provider.start_again();
    stage.clock.advance(Duration::from_secs(seconds));
    read(&stage, &token).await.refused(404, "not_found");
}

#[shared_testing::test]
async fn clocks_may_differ_by_half_a_minute() {
    let provider = Provider::start();
    let stage = stage_of(&provider).await;
    // Valid for a minute by the provider's clock; the clock of the stage does not move.
    let short = provider.token_with("ada", stage.base_url(), &[("test-ttl", "60")]).await;
    read(&stage, &short).await.status(200);
    let issued = claims(&short)["iat"].as_i64().expect("an instant");
    let past = |seconds: i64| u64::try_from(issued + 60 + seconds - stage.now().seconds()).expect("to come");
    stage.clock.advance(Duration::from_secs(past(28)));
    read(&stage, &short).await.status(200);
    stage.clock.advance(Duration::from_secs(past(31)));
    read(&stage, &short).await.refused(401, "invalid_token");

    for (behind, status) in [(20, 404), (40, 401)] {
        let now = Clock::System.now();
        let late = provider.trusted_by_a_stage().at(now.minus(Duration::from_secs(behind))).await;
        let token = provider.token("ada", &late).await;
        assert_eq!(read(&late, &token).await.status, status, "a clock that is {behind} seconds behind");
    }
}

fn claims(token: &str) -> Value {
    let claims = BASE64_URL_SAFE_NO_PAD.decode(token.split('.').nth(1).expect("claims")).expect("base64url");
    serde_json::from_slice(&claims).expect("JSON")
}

/// A token with good claims, but with a made-up key id and signature: only the key could show that.
fn forged(good: &str) -> String {
    let claims = good.split('.').nth(1).expect("claims");
    let header = json!({"alg": "EdDSA", "typ": "at+jwt", "kid": format!("{:032x}", rand::random::<u128>())});
    let signature: [u8; 64] = rand::random();
    let header = BASE64_URL_SAFE_NO_PAD.encode(header.to_string());
    format!("{header}.{claims}.{}", BASE64_URL_SAFE_NO_PAD.encode(signature))
}

#[shared_testing::test]
async fn ten_thousand_made_up_key_ids_cause_two_fetches_at_most_and_no_false_answer() {
    let provider = Provider::start();
    // The clock stands still, so tokens that are issued during the flood must not be from the future.
    let ahead = Clock::System.now().plus(Duration::from_secs(60));
    let stage = provider.trusted_by_a_stage().at(ahead).await;
    assert_eq!(import(&stage, &[order("ada", 1)]).await.1, []);
    let good = provider.token("ada", &stage).await;
    read(&stage, &good).await.status(200);
    let (mut refused, mut untold) = (0, 0);
    let mut rotated = None;
    for round in 0..100 {
        let mut requests: Vec<_> = (0..100).map(|_| holder(&stage, &forged(&good)).get(path(1))).collect();
        requests.push(holder(&stage, &good).get(path(1)));
        let mut answers = together(requests).await;
        answers.pop().expect("the good one").status(200);
        for response in answers {
            match response.status {
                401 => {
                    response.refused(401, "invalid_token");
                    refused += 1;
                }
                _ => {
                    assert!(cannot_tell(response) <= 30);
                    untold += 1;
                }
            }
        }
        if round == 50 {
            provider.rotate().await;
            let token = provider.token("ada", &stage).await;
            // The flood may delay a new key, but must not make its tokens invalid.
            cannot_tell(read(&stage, &token).await);
            rotated = Some(token);
        }
    }
    assert_eq!(refused + untold, 10_000);
    assert!(provider.fetches().await <= 2, "{} fetches", provider.fetches().await);
    stage.clock.advance(Duration::from_secs(30));
    read(&stage, &rotated.expect("it was rotated")).await.status(200);
    assert_eq!(provider.fetches().await, 3);
}
