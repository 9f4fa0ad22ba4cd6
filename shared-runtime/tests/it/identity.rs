//! Grants, their revocation, and keys that change while a service runs.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use serde::Serialize;
use shared_model::{Envelope, Error, code};
use shared_runtime::{
    Answer, Caller, Context, Permission, Routes, Surface,
    base::surface::Claim,
    identity,
    service::Service,
    state::{db::Migrations, rate_limit::LimitClass},
};
use shared_testing::{Issuer, Stage, together};
use utoipa::ToSchema;

static SURFACE: Surface = Surface {
    name: "mirror",
    title: "A mirror",
    about: "Nothing but a test.",
    version: "v1",
    envelope: Envelope::DataMeta,
    invalid_field: &code::INVALID_FIELD,
    wrong_method: &code::METHOD_NOT_ALLOWED,
    body_bytes: 1024,
    port: 8085,
    claims: &[Claim::WorkspaceId, Claim::Actor],
    codes: &[],
};

const READ: LimitClass = LimitClass { name: "read", per_minute: 1_000 };

struct Look;

impl Permission for Look {
    const SCOPE: &'static str = "mirror.look";
}

#[derive(Serialize, ToSchema)]
struct Reflection {
    subject: String,
}

async fn look(caller: Caller<Look>) -> Result<Answer<Reflection>, Error> {
    Ok(Answer::ok(&Reflection { subject: caller.subject.clone() })?)
}

fn declare(routes: &mut Routes) {
    routes.get("/mirror", "look", &READ, look).summary("Who am I?");
}

fn service() -> Service {
    Service::new(&SURFACE, declare, Migrations::NONE)
}

async fn revoke(context: &Context, grant_id: String) -> bool {
    let now = context.clock.now();
    context.write(move |conn| Ok(identity::revoke(conn, &grant_id, now)?)).await.expect("the database is there")
}

#[shared_testing::test]
async fn a_revoked_grant_is_refused_a_quarter_of_a_second_later_for_good() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    ada.get("/mirror").await.status(200);
    bob.get("/mirror").await.status(200);
    assert!(revoke(&stage.context, ada.claim_text("grant_id")).await);
    assert!(!revoke(&stage.context, ada.claim_text("grant_id")).await, "it is revoked already");
    stage.clock.advance(identity::REVOCATION_DELAY);
    let response = ada.get("/mirror").await.refused(401, "invalid_token");
    let challenge =
        "Bearer error=\"invalid_token\", error_description=\"The token's grant is revoked\", resource_metadata=";
    assert!(response.header("www-authenticate").starts_with(challenge), "{response}");
    assert_eq!(response["error"]["message"], "The token's grant is revoked.");
    ada.claim("jti", "another-token").get("/mirror").await.refused(401, "invalid_token");
    bob.get("/mirror").await.status(200);
    assert!(revoke(&stage.context, bob.claim_text("grant_id")).await);
    stage.clock.advance(identity::REVOCATION_DELAY);
    bob.get("/mirror").await.refused(401, "invalid_token");
}

#[shared_testing::test]
async fn a_grant_can_be_revoked_before_it_is_seen() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    revoke(&stage.context, ada.claim_text("grant_id")).await;
    ada.get("/mirror").await.refused(401, "invalid_token");
}

#[shared_testing::test]
async fn a_grant_belongs_to_one_subject_and_one_workspace() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    ada.get("/mirror").await.status(200);
    ada.clone().claim("sub", "bob").get("/mirror").await.refused(401, "invalid_token");
    ada.clone().workspace(2).get("/mirror").await.refused(401, "invalid_token");
    ada.claim("jti", "another-token").get("/mirror").await.status(200);
}

#[shared_testing::test]
async fn a_grant_with_tokens_for_eight_workspaces_at_once_belongs_to_one() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let tokens = (1..=8).map(|number| ada.clone().workspace(number));
    let responses = together(tokens.map(|caller| caller.get("/mirror"))).await;
    let (admitted, refused): (Vec<_>, Vec<_>) = responses.into_iter().partition(|response| response.status == 200);
    assert_eq!((admitted.len(), refused.len()), (1, 7));
    for response in refused {
        response.refused(401, "invalid_token");
    }
}

static SEEN: AtomicUsize = AtomicUsize::new(0);

#[shared_testing::test]
async fn a_grant_is_seen_for_the_first_time_once_however_many_requests_bring_it() {
    let stage = Stage::of(service().on_first_seen(|_, _, _| {
        // A transaction may run more than once, but not after it has taken effect.
        SEEN.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }))
    .await;
    let ada = stage.caller("ada");
    let tokens = (0..8).map(|number| ada.clone().claim("jti", format!("token-{number}")));
    for response in together(tokens.map(|caller| caller.get("/mirror"))).await {
        response.status(200);
    }
    let seen = SEEN.load(Ordering::SeqCst);
    let longer = stage.now().plus(Duration::from_secs(7200)).seconds();
    ada.claim("exp", longer).get("/mirror").await.status(200);
    assert_eq!(SEEN.load(Ordering::SeqCst), seen);
    assert!(seen >= 1);
}

#[shared_testing::test]
async fn a_token_that_was_good_is_refused_when_it_has_expired() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let token = ada.token();
    ada.get("/mirror").await.status(200);
    stage.clock.advance(Duration::from_secs(3600 + 29));
    ada.clone().bearer(&token).get("/mirror").await.status(200);
    stage.clock.advance(Duration::from_secs(1));
    ada.bearer(&token).get("/mirror").await.refused(401, "invalid_token");
}

#[shared_testing::test]
async fn keys_are_rotated_without_a_wrong_refusal() {
    let stage = Stage::of(service()).await;
    let (old, next) = (stage.caller("ada"), stage.issuer.rotated("second"));
    let new = old.clone().signed_by(&next).token_header("kid", "second");
    old.get("/mirror").await.status(200);
    publish(&stage, &[&stage.issuer, &next]);
    new.get("/mirror").await.status(200);
    old.get("/mirror").await.status(200);
    publish(&stage, &[&next]);
    // A token of a third key triggers the fetch that shows the withdrawal of the first.
    stage.clock.advance(Duration::from_secs(31));
    new.clone().token_header("kid", "third").get("/mirror").await.refused(401, "invalid_token");
    new.get("/mirror").await.status(200);
    old.get("/mirror").await.refused(401, "invalid_token");
}

fn publish(stage: &Stage, issuers: &[&Issuer]) {
    std::fs::write(stage.folder().join("jwks.json"), Issuer::jwks(issuers).to_string())
        .expect("the keys are published");
}

#[shared_testing::test]
async fn without_keys_the_answer_is_503_and_not_401() {
    let stage = Stage::of(service()).settings(without_keys).await;
    let response = stage.caller("ada").get("/mirror").await.refused(503, "authorization_server_unreachable");
    assert_eq!(response.json()["error"]["next_action"]["type"], "wait");
    assert_eq!(response.header("retry-after"), "1");
}

fn without_keys(settings: &mut shared_runtime::context::settings::Settings) {
    let issuer = settings.issuer.as_mut().expect("the stage has an issuer");
    issuer.jwks = shared_runtime::identity::settings::JwksSource::File("there-is-no-such-file.json".into());
}

#[shared_testing::test]
async fn a_token_that_cannot_be_verified_is_charged_like_no_token() {
    let few = |settings: &mut shared_runtime::context::settings::Settings| {
        without_keys(settings);
        settings.rate_limits.0.push(("anonymous".to_owned(), 3));
    };
    let stage = Stage::of(service()).settings(few).await;
    for _ in 0..3 {
        stage.caller("ada").get("/mirror").await.refused(503, "authorization_server_unreachable");
    }
    stage.caller("ada").get("/mirror").await.refused(429, "rate_limited");
}

#[shared_testing::test]
async fn credentials_of_another_scheme_are_answered_like_no_token() {
    let stage = Stage::of(service()).await;
    let basic = stage.anyone().get("/mirror").header("authorization", "Basic YWRhOmFkYQ==").await;
    let challenge = basic.refused(401, "unauthorized");
    assert!(challenge.header("www-authenticate").starts_with("Bearer resource_metadata="));
}

#[shared_testing::test]
async fn without_an_issuer_nobody_can_authenticate() {
    let stage = Stage::of(service()).settings(|settings| settings.issuer = None).await;
    let response = stage.caller("ada").get("/mirror").await.refused(401, "identity_not_configured");
    assert!(response.header("www-authenticate").starts_with("Bearer resource_metadata="));
    stage.anyone().get("/mirror").await.refused(401, "unauthorized");
}
