//! Sessions: whose they are, what ends them, and forms that only they can submit.

use std::time::Duration;

use shared_runtime::{identity, pages::ENDED_SESSIONS};
use shared_testing::{Browser, Request, Stage, html};

use super::service;

const SIGN_IN: &str = "/sign-in?return_to=%2Fw%3Fq%3D1";

async fn assert_led_to_the_sign_in(browser: &Browser) {
    let response = browser.get("/w?q=1").await.status(303);
    assert_eq!(response.header("location"), SIGN_IN);
    let gone = "gallery-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax";
    if browser.cookie().contains("gallery-session=") {
        assert_eq!(response.header("set-cookie"), gone, "the useless cookie is removed");
    } else {
        assert!(!response.has_header("set-cookie"), "{response}");
    }
    assert!(response.bytes().is_empty(), "{response}");
}

#[shared_testing::test]
async fn without_a_session_of_ours_one_is_led_to_the_sign_in_and_back() {
    let stage = Stage::of(service()).await;
    let ada = stage.browser(&stage.caller("ada"));
    let (name, value) = ada.cookie().split_once('=').expect("a cookie");
    let middle = value.len() / 2;
    let other = if &value[middle..=middle] == "A" { "B" } else { "A" };
    let altered = format!("{}{other}{}", &value[..middle], &value[middle + 1..]);
    let elsewhere =
        Stage::of(service()).settings(|settings| settings.secret = shared_model::Secret::from_bytes([9; 32])).await;
    let foreign = elsewhere.browser(&stage.caller("ada"));
    for cookie in [
        String::new(),
        format!("{name}="),
        format!("{name}={altered}"),
        format!("{name}={}", &value[..middle]),
        format!("{name}={}", stage.caller("ada").token()),
        format!("other-session={value}"),
        foreign.cookie().to_owned(),
    ] {
        assert_led_to_the_sign_in(&ada.with_cookie(cookie)).await;
    }
    // Beside those of others it is found.
    ada.with_cookie(format!("a=b; {}; c=d", ada.cookie())).get("/w").await.status(200);
}

#[shared_testing::test]
async fn a_bearer_token_is_no_session() {
    let stage = Stage::of(service()).await;
    stage.caller("ada").get("/w").await.status(303);
    let ada = stage.browser(&stage.caller("ada"));
    stage.anyone().get("/v1/picture").header("cookie", ada.cookie()).await.refused(401, "unauthorized");
}

#[shared_testing::test]
async fn a_session_ends_with_its_token_and_its_grant() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.browser(&stage.caller("ada")), stage.browser(&stage.caller("bob")));
    ada.get("/w").await.status(200);
    bob.get("/w").await.status(200);
    let (grant_id, now) = (stage.caller("bob").claim_text("grant_id"), stage.now());
    stage.context.write(move |conn| Ok(identity::revoke(conn, &grant_id, now)?)).await.expect("the database is there");
    stage.clock.advance(identity::REVOCATION_DELAY);
    assert_led_to_the_sign_in(&bob).await;
    ada.get("/w").await.status(200);
    stage.clock.advance(Duration::from_secs(3700));
    assert_led_to_the_sign_in(&ada).await;
    let wrong = stage.browser(&stage.caller("eve").claim("aud", "https://elsewhere.example"));
    assert_led_to_the_sign_in(&wrong).await;
}

#[shared_testing::test]
async fn a_page_may_do_what_the_token_may_do() {
    let stage = Stage::of(service()).await;
    let reader = stage.browser(&stage.caller("rita").scope("gallery.look"));
    let page = reader.get("/w").await.status(200);
    assert!(page.body().contains("<bdi>rita</bdi>") && !page.body().contains(">Hang<"), "{page}");
    // A form that the page does not show is refused all the same.
    let csrf = html::hidden(&page.body(), "/sign-out", "csrf");
    let refused = reader.post("/w", &[("csrf", &csrf), ("key", "k")]).await.status(403);
    assert!(refused.body().contains("gallery.hang"), "{refused}");
    let blind = stage.browser(&stage.caller("blind").scope("gallery.hang"));
    let refused = blind.get("/w").await.status(403);
    assert!(refused.body().contains("gallery.look"), "{refused}");
}

#[shared_testing::test]
async fn a_form_that_is_submitted_twice_happens_once() {
    let stage = Stage::of(service()).await;
    let ada = stage.browser(&stage.caller("ada"));
    let page = ada.get("/w").await.status(200);
    let submission = ada.submit(&page, "/w", &[("title", "sky")]);
    assert_eq!(submission.clone().await.status(303).header("location"), "/w?q=sky");
    assert_eq!(submission.await.status(303).header("location"), "/w?q=sky-again");
    let page = ada.get("/w").await.status(200);
    assert_eq!(ada.submit(&page, "/w", &[("title", "sky")]).await.status(303).header("location"), "/w?q=sky");
}

#[shared_testing::test]
async fn only_forms_of_the_own_session_are_taken() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.browser(&stage.caller("ada")), stage.browser(&stage.caller("bob")));
    let theirs = bob.get("/w").await.status(200);
    for refused in [
        ada.post("/w", &[("key", "k")]),
        ada.post("/w", &[("csrf", ""), ("key", "k")]),
        ada.post("/w", &[("csrf", &"0".repeat(64)), ("key", "k")]),
        ada.submit(&theirs, "/w", &[]),
        // Another session of the same person.
        stage.browser(&stage.caller("ada")).submit(&ada.get("/w").await, "/w", &[]),
    ] {
        let page = refused.await.status(403);
        html::assert_harmless(&page.body());
        assert!(page.body().contains("does not belong to this session"), "{page}");
    }
    let page = ada.get("/w").await.status(200);
    ada.submit(&page, "/w", &[("surprise", "x")]).await.status(400);
    ada.submit(&page, "/w", &[]).at("/w?title=x").await.status(400);
    ada.submit(&page, "/w", &[("title", &"x".repeat(70_000))]).await.status(413);
    ada.post("/w", &[]).body("application/json", "{}").await.status(415);
}

#[shared_testing::test]
async fn a_form_without_a_session_is_not_carried_out_and_leads_to_the_sign_in() {
    let stage = Stage::of(service()).await;
    let ada = stage.browser(&stage.caller("ada"));
    let page = ada.get("/w").await.status(200);
    let submission = ada.submit(&page, "/w", &[]);
    stage.clock.advance(Duration::from_secs(3700));
    let page = submission.await.status(401);
    html::assert_harmless(&page.body());
    assert!(
        page.body().contains("Nothing was changed") && page.body().contains("href=\"/sign-in?return_to=%2Fw\""),
        "{page}"
    );
}

#[shared_testing::test]
async fn from_a_form_whose_path_shows_nothing_the_sign_in_leads_to_the_nearest_page() {
    let stage = Stage::of(service()).await;
    let ada = stage.browser(&stage.caller("ada")).with_cookie("");
    for (form, way) in [("/pictures/7/hang", "/sign-in?return_to=%2Fpictures%2F7"), ("/tidy", "/sign-in")] {
        let page = ada.post(form, &[]).await.status(401);
        assert!(page.body().contains(&format!("<a class=\"button\" href=\"{way}\">")), "{page}");
    }
}

#[shared_testing::test]
async fn typed_text_is_shown_again_only_to_the_person_who_typed_it() {
    let stage = Stage::of(service()).await;
    let ada = stage.browser(&stage.caller("ada"));
    let page = ada.get("/w").await.status(200);
    let forged = ada.post("/w", &[("csrf", "0123"), ("key", "k-0123"), ("title", "long <b>thoughts")]);
    let late = ada.submit(&page, "/w", &[("title", "long <b>thoughts")]);
    let csrf = html::hidden(&page.body(), "/w", "csrf");
    let assert_shown = async |form: &Request, status: u16| {
        let said = form.clone().header("sec-fetch-site", "same-origin").await.status(status).body();
        html::assert_harmless(&said);
        assert!(said.contains(">Title</label>") && said.contains("long &lt;b&gt;thoughts</textarea>"), "{said}");
        assert!(!said.contains("k-0123"), "{said}");
        // Another site must not put words into the mouth of this one.
        for site in [None, Some("cross-site"), Some("same-site"), Some("none")] {
            let form = site.into_iter().fold(form.clone(), |form, site| form.header("sec-fetch-site", site));
            let said = form.await.status(status).body();
            assert!(!said.contains("thoughts"), "{site:?}: {said}");
        }
        said
    };
    assert_shown(&forged, 403).await;
    stage.clock.advance(Duration::from_secs(3700));
    assert!(!assert_shown(&late, 401).await.contains(&csrf));
    let large = ada.submit(&page, "/w", &[("title", &"x".repeat(70_000))]);
    large.header("sec-fetch-site", "same-origin").await.status(413);
}

#[shared_testing::test]
async fn a_sign_out_ends_the_session() {
    let stage = Stage::of(service()).await;
    let ada = stage.browser(&stage.caller("ada"));
    let page = ada.get("/w").await.status(200);
    ada.post("/sign-out", &[]).await.status(403);
    let out = ada.submit(&page, "/sign-out", &[]).await.status(303);
    assert_eq!(out.header("location"), "/signed-out");
    assert_eq!(out.header("set-cookie"), "gallery-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
    let said = ada.with_cookie("").get("/signed-out").await.status(200);
    html::assert_harmless(&said.body());
    assert!(said.body().contains("session at this service only"), "{said}");
    // A copy of the cookie no longer works either, in every process of the service.
    assert_led_to_the_sign_in(&ada).await;
    ada.submit(&page, "/w", &[]).await.status(401);
    let again = stage.browser(&stage.caller("ada"));
    again.get("/w").await.status(200);
    // A form of another site comes without the cookie: it must not sign anybody out.
    let foreign = ada.with_cookie("").post("/sign-out", &[]).await.status(303);
    assert!(!foreign.has_header("set-cookie"), "{foreign}");
}

#[shared_testing::test]
async fn a_sign_out_everywhere_ends_all_sessions_of_the_person() {
    let stage = Stage::of(service()).await;
    let browsers = [(); 2].map(|()| stage.browser(&stage.caller("ada")));
    let bob = stage.browser(&stage.caller("bob"));
    let page = browsers[0].get("/session").await.status(200);
    html::assert_harmless(&page.body());
    for text in ["Sign out everywhere", "<bdi>ada</bdi>", "at this service", "sign out at your sign-in service"] {
        assert!(page.body().contains(text), "{text} is not in {page}");
    }
    browsers[0].submit(&page, "/sign-out", &[("sessions", "some")]).await.status(400);
    browsers[1].get("/w").await.status(200);
    let out = browsers[0].submit(&page, "/sign-out", &[("sessions", "all")]).await.status(303);
    assert_eq!(out.header("location"), "/signed-out");
    for browser in &browsers {
        assert_led_to_the_sign_in(browser).await;
    }
    bob.get("/w").await.status(200);
    stage.clock.advance(Duration::from_secs(1));
    let later = stage.browser(&stage.caller("ada"));
    later.get("/w").await.status(200);
    // The next one everywhere ends that one too.
    let page = later.get("/w").await.status(200);
    later.submit(&page, "/sign-out", &[("sessions", "all")]).await.status(303);
    assert_led_to_the_sign_in(&later).await;
}

#[shared_testing::test]
async fn ended_sessions_are_forgotten_when_no_token_of_them_is_valid() {
    let stage = Stage::of(service()).await;
    let browsers = ["ada", "bob"].map(|name| stage.browser(&stage.caller(name)));
    for browser in &browsers {
        let page = browser.get("/w").await.status(200);
        browser.submit(&page, "/sign-out", &[]).await.status(303);
    }
    let swept = async || ENDED_SESSIONS.run(&stage.context.db, stage.now()).await.expect("swept");
    assert_eq!((swept().await, stage.count("ended_sessions")), (0, 2));
    // A token is accepted for half a minute after its end.
    stage.clock.advance(Duration::from_secs(3610));
    assert_eq!(swept().await, 0);
    assert_led_to_the_sign_in(&browsers[0]).await;
    stage.clock.advance(Duration::from_secs(20));
    assert_eq!(swept().await, 2);
    assert_eq!(stage.count("ended_sessions"), 0);
}

#[shared_testing::test]
async fn over_https_the_cookie_is_this_very_hosts() {
    let stage =
        Stage::of(service()).settings(|settings| settings.base_url = "https://gallery.example".to_owned()).await;
    let ada = stage.browser(&stage.caller("ada"));
    assert!(ada.cookie().starts_with("__Host-gallery-session="), "{}", ada.cookie());
    let page = ada.get("/w").await.status(200);
    assert!(page.has_header("strict-transport-security"));
    let out = ada.submit(&page, "/sign-out", &[]).await.status(303);
    let gone = "__Host-gallery-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure";
    assert_eq!(out.header("set-cookie"), gone);
    // Sealed for a cookie of another name, it is not a session.
    let (_, value) = ada.cookie().split_once('=').expect("a cookie");
    let plain = Stage::of(service()).await;
    plain.anyone().get("/w").header("cookie", format!("gallery-session={value}")).await.status(303);
}
