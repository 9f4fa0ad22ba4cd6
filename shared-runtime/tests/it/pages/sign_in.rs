//! The sign-in from its first link to the session, with an issuer that answers as each test wants it.

use std::{collections::HashMap, time::Duration};

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use shared_runtime::{identity, pages::SignInClient};
use shared_testing::{Response, Stage, Token, html, together};
use url::Url;

use super::{SURFACE, issuer::TestIssuer, jar::Jar, service};

const RETURN_TO: &str = "/sign-in?return_to=/w%3Fq%3Dback";

/// A stage whose people sign in at an issuer, and the issuer.
async fn stage() -> (Stage, TestIssuer) {
    let issuer = TestIssuer::start();
    (stage_of(&issuer, None).await, issuer)
}

/// The same; the service may reach the issuer elsewhere than browsers do.
async fn stage_of(issuer: &TestIssuer, internal: Option<String>) -> Stage {
    let url = issuer.url.clone();
    let stage = Stage::of(service()).settings(move |settings| {
        settings.groups.insert(SignInClient { id: "the-pages".to_owned(), internal });
        if let Some(own) = &mut settings.issuer {
            own.issuer = url;
        }
    });
    stage.await
}

/// A token of that issuer.
fn token(stage: &Stage, issuer: &TestIssuer, change: impl FnOnce(Token) -> Token) -> String {
    let mut own = stage.issuer.clone();
    own.url = issuer.url.clone();
    change(Token::new(&own, stage.base_url(), "ada", &SURFACE, stage.now()).scope("gallery.look")).sign()
}

/// A sign-in that has begun.
struct Begun {
    cookie: String,
    asked: HashMap<String, String>,
}

async fn begin(stage: &Stage) -> Begun {
    begin_in(stage, &mut Jar::default()).await
}

/// In a browser that may have cookies already.
async fn begin_in(stage: &Stage, jar: &mut Jar) -> Begun {
    let response = stage.anyone().get(RETURN_TO).header("cookie", jar.header()).await.status(303);
    jar.keep(&response);
    let location = Url::parse(response.header("location")).expect("a URL");
    Begun { cookie: jar.header(), asked: location.query_pairs().into_owned().collect() }
}

async fn come_back(stage: &Stage, begun: &Begun, issuer: &TestIssuer, change: &[(&str, &str)]) -> Response {
    let state = begun.asked["state"].clone();
    let mut query = HashMap::from([("code", "a-code"), ("state", state.as_str()), ("iss", issuer.url.as_str())]);
    query.extend(change.iter().copied());
    query.retain(|_, value| !value.is_empty());
    let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish();
    stage.anyone().get(format!("/sign-in/callback?{query}")).header("cookie", &begun.cookie).await
}

fn assert_no_session(response: &Response) {
    html::assert_harmless(&response.body());
    assert!(!response.to_string().contains("gallery-session=v1"), "{response}");
}

fn assert_used_up(response: &Response, begun: &Begun) {
    let (name, _) = begun.cookie.split_once('=').expect("a cookie");
    assert_eq!(response.header("set-cookie"), format!("{name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"));
}

/// How many sign-ins the browser has begun, and the bytes of their cookies.
fn attempts(jar: &Jar) -> (usize, usize) {
    let attempts: Vec<_> = jar.0.iter().filter(|(name, _)| name.starts_with("gallery-sign-in-")).collect();
    (attempts.len(), attempts.iter().map(|(name, value)| name.len() + value.len()).sum())
}

#[shared_testing::test]
async fn a_sign_in_returns_to_the_page() {
    let (stage, issuer) = stage().await;
    let response = stage.anyone().get(RETURN_TO).await.status(303);
    assert!(response.header("location").starts_with(&format!("{}/authorize?tenant=a%20b&", issuer.url)), "{response}");
    let set = response.header("set-cookie");
    assert!(set.ends_with("; Path=/; Max-Age=300; HttpOnly; SameSite=Lax"), "{set}");

    let begun = begin(&stage).await;
    let named = format!("gallery-sign-in-{}=v1.", &begun.asked["state"][..8]);
    assert!(begun.cookie.starts_with(&named), "{}", begun.cookie);
    let callback = format!("{}/sign-in/callback", stage.base_url());
    for (name, value) in [
        ("response_type", "code"),
        ("client_id", "the-pages"),
        ("redirect_uri", &callback),
        ("scope", "gallery.look gallery.hang"),
        ("code_challenge_method", "S256"),
        ("resource", stage.base_url()),
    ] {
        assert_eq!(begun.asked[name], value, "{name}");
    }
    let token = token(&stage, &issuer, |token| token);
    issuer.answers_with_token(&token);
    let back = come_back(&stage, &begun, &issuer, &[("session_state", "of a vendor")]).await.status(303);
    assert_eq!(back.header("location"), "/w?q=back");
    assert!(!back.to_string().contains(&token), "the token is sealed: {back}");
    let cookies: Vec<_> = back.headers().iter().filter(|(name, _)| name == "set-cookie").collect();
    assert_eq!(cookies.len(), 2, "{back}");
    let session = cookies.iter().find(|(_, value)| value.starts_with("gallery-session=v1.")).expect("a session");
    assert!(session.1.ends_with("; Path=/; Max-Age=3600; HttpOnly; SameSite=Lax"), "{}", session.1);

    let forms = issuer.forms();
    let form = &forms[0];
    assert_eq!((forms.len(), form["grant_type"].as_str()), (1, "authorization_code"));
    assert_eq!((form["code"].as_str(), form["client_id"].as_str()), ("a-code", "the-pages"));
    assert_eq!((form["redirect_uri"].as_str(), form["resource"].as_str()), (callback.as_str(), stage.base_url()));
    let challenge = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(&form["code_verifier"]));
    assert_eq!(challenge, begun.asked["code_challenge"]);
    assert!(form["code_verifier"].len() >= 43);

    let cookie = session.1.split(';').next().expect("a pair").to_owned();
    let page = stage.anyone().get("/w").header("cookie", cookie).await.status(200);
    assert!(page.body().contains("Signed in as <bdi>ada</bdi>") && !page.body().contains(&token), "{page}");
}

#[shared_testing::test]
async fn browsers_and_the_service_may_reach_the_issuer_under_two_names() {
    // As in a network of containers: the public name leads browsers to it, and the service nowhere.
    let public = "http://127.0.0.1:1";
    let mut issuer = TestIssuer::named(public);
    let internal = std::mem::replace(&mut issuer.url, public.to_owned());
    let stage = stage_of(&issuer, Some(internal)).await;
    let response = stage.anyone().get(RETURN_TO).await.status(303);
    assert!(response.header("location").starts_with("http://127.0.0.1:1/authorize"), "{response}");
    issuer.answers_with_token(&token(&stage, &issuer, |token| token));
    let begun = begin(&stage).await;
    let back = come_back(&stage, &begun, &issuer, &[]).await.status(303);
    assert_eq!((back.header("location"), issuer.forms().len()), ("/w?q=back", 1));
    // Without the internal address nobody gets in.
    let stage = stage_of(&issuer, None).await;
    stage.anyone().get(RETURN_TO).await.status(503);
}

#[shared_testing::test]
async fn two_sign_ins_have_nothing_in_common() {
    let (stage, _issuer) = stage().await;
    let (one, other) = (begin(&stage).await, begin(&stage).await);
    for name in ["state", "code_challenge"] {
        assert_ne!(one.asked[name], other.asked[name]);
    }
    assert_ne!(one.cookie, other.cookie);
}

#[shared_testing::test]
async fn sign_ins_in_two_tabs_of_a_browser_do_not_disturb_each_other() {
    let (stage, issuer) = stage().await;
    issuer.answers_with_token(&token(&stage, &issuer, |token| token));
    let mut jar = Jar::default();
    let tabs = [begin_in(&stage, &mut jar).await, begin_in(&stage, &mut jar).await];
    // Neither does a link of another site.
    let foreign = stage.anyone().get("/sign-in/callback?state=x&code=y").header("cookie", jar.header());
    jar.keep(&foreign.await.status(400));
    for tab in tabs {
        let begun = Begun { cookie: jar.header(), ..tab };
        jar.keep(&come_back(&stage, &begun, &issuer, &[]).await.status(303));
    }
    let left: Vec<_> = jar.0.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(left, ["gallery-session"], "each has removed its own cookie");
}

#[shared_testing::test]
async fn sign_ins_that_nobody_ends_fill_no_more_than_one_cookie_can() {
    let (stage, issuer) = stage().await;
    let mut jar = Jar::default();
    let first = begin_in(&stage, &mut jar).await;
    for _ in 0..60 {
        begin_in(&stage, &mut jar).await;
    }
    let last = begin_in(&stage, &mut jar).await;
    let (count, bytes) = attempts(&jar);
    assert!(count > 30 && bytes <= 4096, "{count}: {bytes}");
    issuer.answers_with_token(&token(&stage, &issuer, |token| token));
    let first = Begun { cookie: jar.header(), ..first };
    come_back(&stage, &first, &issuer, &[]).await.status(400);
    come_back(&stage, &last, &issuer, &[]).await.status(303);
}

#[shared_testing::test]
async fn tabs_that_begin_together_fit_into_a_head_and_go_when_some_come_back() {
    let (stage, issuer) = stage().await;
    issuer.answers_with_token(&token(&stage, &issuer, |token| token));
    let mut tabs = Vec::new();
    for _ in 0..60 {
        // Without the cookies of the others, which the browser does not have yet.
        tabs.push(begin(&stage).await);
    }
    let pairs = tabs.iter().map(|tab| tab.cookie.split_once('=').expect("a cookie"));
    let mut jar = Jar(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect());
    assert!(jar.header().len() < 8 * 1024 && attempts(&jar).1 > 4096, "{}", jar.header().len());
    let first = Begun { cookie: jar.header(), ..tabs.remove(0) };
    for tab in tabs.drain(tabs.len() - 2..) {
        let begun = Begun { cookie: jar.header(), ..tab };
        let back = come_back(&stage, &begun, &issuer, &[]).await.status(303);
        let cleared = back.headers().iter().filter(|(_, cookie)| cookie.contains("Max-Age=0;")).count();
        assert!((1..=11).contains(&cleared), "{cleared}: the head of an answer is not long either");
        jar.keep(&back);
    }
    let (count, bytes) = attempts(&jar);
    assert!(count > 30 && bytes <= 4096, "{count}: {bytes}");
    let first = Begun { cookie: jar.header(), ..first };
    come_back(&stage, &first, &issuer, &[]).await.status(400);
}

#[shared_testing::test]
async fn what_belongs_to_no_sign_in_of_this_browser_is_refused_before_the_issuer_is_asked() {
    let (stage, issuer) = stage().await;
    issuer.answers_with_token(&token(&stage, &issuer, |token| token));
    let begun = begin(&stage).await;
    let (name, value) = begun.cookie.split_once('=').expect("a cookie");
    for cookie in ["a=b".to_owned(), format!("{name}={}", &value[..value.len() - 4]), begin(&stage).await.cookie] {
        let begun = Begun { cookie, asked: begun.asked.clone() };
        let page = come_back(&stage, &begun, &issuer, &[]).await.status(400);
        assert_no_session(&page);
    }
    let alike = format!("{}another", &begun.asked["state"][..8]);
    for state in ["", "another", "ä", &alike] {
        let page = come_back(&stage, &begun, &issuer, &[("state", state)]).await.status(400);
        assert_no_session(&page);
        assert!(!page.has_header("set-cookie"), "{page}");
    }
    stage.clock.advance(Duration::from_secs(300));
    assert_no_session(&come_back(&stage, &begun, &issuer, &[]).await.status(400));
    assert!(issuer.forms().is_empty());
}

#[shared_testing::test]
async fn what_the_issuer_does_not_confirm_is_no_session() {
    let (stage, issuer) = stage().await;
    let begun = begin(&stage).await;
    let (declined, refused) = ("The sign-in was declined.", "The sign-in was not confirmed.");
    for (change, says, asks) in [
        // Of another issuer, of none (RFC 9207 §2.4), declined, refused, without a code.
        ([("iss", "https://evil.example"), ("x", "y")], refused, false),
        ([("iss", ""), ("x", "y")], refused, false),
        ([("error", "access_denied"), ("code", "")], declined, false),
        ([("error", "invalid_scope"), ("code", "")], refused, false),
        ([("error", "<script>alert(1)</script>"), ("error_description", "<script>")], refused, false),
        ([("code", ""), ("x", "y")], refused, false),
        // Used already, or never made.
        ([("x", "y"), ("y", "z")], refused, true),
    ] {
        let asked = issuer.forms().len();
        let page = come_back(&stage, &begun, &issuer, &change).await.status(403);
        assert_no_session(&page);
        assert_used_up(&page, &begun);
        assert!(page.body().contains(says), "{change:?}: {page}");
        assert!(!page.body().contains("alert(1)") && !page.body().contains("&lt;script"), "{page}");
        assert_eq!(issuer.forms().len() > asked, asks, "{change:?}");
    }
}

#[shared_testing::test]
async fn an_issuer_that_answers_nonsense_is_503_without_a_word_of_it() {
    let (stage, issuer) = stage().await;
    let begun = begin(&stage).await;
    for (status, body) in [
        (200, "not json, with a-secret-token".to_owned()),
        (200, json!({"access_token": "a-secret-token", "token_type": "mac"}).to_string()),
        (200, json!({"token_type": "bearer"}).to_string()),
        (200, "a-secret-token".repeat(30_000)),
        (302, String::new()),
        (500, "a-secret-token".to_owned()),
    ] {
        issuer.answers(status, body);
        let page = come_back(&stage, &begun, &issuer, &[]).await.status(503);
        html::assert_harmless(&page.body());
        assert!(!page.to_string().contains("a-secret-token") && page.has_header("retry-after"), "{page}");
    }
}

#[shared_testing::test]
async fn a_token_that_the_service_would_not_take_begins_no_session() {
    let (stage, issuer) = stage().await;
    let begun = begin(&stage).await;
    let (grant_id, now) = ("grant-of-bob", stage.now());
    stage.context.write(move |conn| Ok(identity::revoke(conn, grant_id, now)?)).await.expect("the database is there");
    stage.clock.advance(identity::REVOCATION_DELAY);
    let with = |name: &'static str, value: serde_json::Value| {
        token(&stage, &issuer, |mut token| {
            token.claims.insert(name.to_owned(), value);
            token
        })
    };
    for bad in [
        with("aud", json!("https://elsewhere.example")),
        with("iss", json!("https://elsewhere.example")),
        with("exp", json!(now.seconds() - 60)),
        with("grant_id", json!("grant-of-bob")),
        with("workspace_id", json!(null)),
        "no token at all".to_owned(),
    ] {
        issuer.answers_with_token(&bad);
        let page = come_back(&stage, &begun, &issuer, &[]).await.status(403);
        assert_no_session(&page);
        assert_used_up(&page, &begun);
        assert!(!page.to_string().contains(&bad), "{page}");
    }
}

#[shared_testing::test]
async fn a_token_that_is_too_long_for_a_cookie_is_logged_for_the_operator() {
    let (stage, issuer) = stage().await;
    stage.expects_failures();
    let begun = begin(&stage).await;
    issuer.answers_with_token(&token(&stage, &issuer, |mut token| {
        token.claims.insert("groups".to_owned(), json!("g".repeat(3000)));
        token
    }));
    let page = come_back(&stage, &begun, &issuer, &[]).await.status(500);
    html::assert_harmless(&page.body());
}

#[shared_testing::test]
async fn nobody_is_led_elsewhere_after_the_sign_in() {
    let (stage, _issuer) = stage().await;
    for hostile in [
        "//evil.example",
        "/%5Cevil.example",
        "https://evil.example/",
        "/x%0d%0aSet-Cookie:a=b",
        "javascript:alert(1)",
        "",
    ] {
        let page = stage.anyone().get(format!("/sign-in?return_to={hostile}")).await.status(400);
        html::assert_harmless(&page.body());
        assert!(!page.has_header("set-cookie") && !page.body().contains("evil"), "{page}");
    }
    stage.anyone().get("/sign-in").await.status(303);
}

#[shared_testing::test]
async fn a_browser_that_uses_another_name_of_this_machine_is_led_to_the_own_one_first() {
    let (stage, _issuer) = stage().await;
    let port = stage.address().port();
    let response = stage.anyone().get(RETURN_TO).header("host", format!("localhost:{port}")).await.status(303);
    assert_eq!(response.header("location"), format!("{}{RETURN_TO}", stage.base_url()));
}

#[shared_testing::test]
async fn without_an_issuer_that_can_be_asked_nobody_signs_in() {
    let (stage, issuer) = stage().await;
    issuer.says("token_endpoint", json!("http://evil.example/token"));
    stage.anyone().get("/sign-in").await.status(503);
    issuer.says("token_endpoint", json!(format!("{}/token", issuer.url)));
    issuer.says("issuer", json!("https://another.example"));
    stage.clock.advance(Duration::from_secs(1));
    stage.anyone().get("/sign-in").await.status(503);
    issuer.stop().await;
    stage.clock.advance(Duration::from_secs(1));
    let page = stage.anyone().get("/sign-in").await.status(503);
    html::assert_harmless(&page.body());
    assert!(!page.body().contains(&issuer.url), "{page}");
    let not_set_up = Stage::of(service()).await;
    let page = not_set_up.anyone().get("/sign-in").await.status(503);
    assert!(page.body().contains("SIGN_IN_CLIENT_ID"), "{page}");
    not_set_up.anyone().get("/sign-in/callback?code=x&state=y").await.status(503);
}

#[shared_testing::test]
async fn who_waits_for_metadata_shares_its_fetch_and_a_failure_is_kept_for_a_second() {
    let (stage, issuer) = stage().await;
    let several = || together((0..8).map(|_| stage.anyone().get("/sign-in")));
    issuer.says("issuer", json!("https://another.example"));
    for page in several().await {
        page.status(503);
    }
    issuer.says("issuer", json!(issuer.url));
    stage.anyone().get("/sign-in").await.status(503);
    assert_eq!(issuer.fetches(), 1);
    stage.clock.advance(Duration::from_secs(1));
    for response in several().await {
        response.status(303);
    }
    assert_eq!(issuer.fetches(), 2);
}

#[shared_testing::test]
async fn metadata_of_openid_connect_is_found_whatever_is_at_the_other_url() {
    let (stage, issuer) = stage().await;
    let of_another = json!({
        "issuer": "https://another.example",
        "authorization_endpoint": "https://another.example/authorize",
        "token_endpoint": "https://another.example/token",
    });
    for instead in ["<!DOCTYPE html><title>A page for every path</title>", "{}", &of_another.to_string()] {
        issuer.only_knows_openid(instead);
        let response = stage.anyone().get("/sign-in").await.status(303);
        assert!(response.header("location").starts_with(&format!("{}/authorize", issuer.url)), "{response}");
        // It is fetched again after five minutes.
        stage.clock.advance(Duration::from_secs(300));
    }
    assert_eq!(issuer.fetches(), 3);
}
