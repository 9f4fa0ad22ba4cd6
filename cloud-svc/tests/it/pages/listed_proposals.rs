//! The lists in which people find a proposal again.

use std::time::Duration;

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Browser, Caller, Stage, Text as _, html};

use crate::samples;

const HOSTILE: &str = "\"><script>alert(1)</script></li>";

/// A proposal of a new plan for this file.
async fn propose(caller: &Caller, file: &str, title: &str) -> Value {
    let plan = samples::plan(caller, file, title).await;
    let body = json!({"title": title, "plans": [{"file_id": file, "plan_id": plan["id"]}]});
    caller.post("/v1/proposals").fresh_key().json(body).await.status(200)["proposal"].clone()
}

async fn step(caller: &Caller, proposal: &Value, verb: &str, body: Value) {
    let href = format!("/v1/proposals/{}/{verb}", proposal["id"].text());
    caller.post(href).fresh_key().json(body).await.status(200);
}

fn path(proposal: &Value) -> String {
    format!("/w/proposals/{}", proposal["id"].text())
}

/// What the page says after the title of this proposal, or nothing.
async fn said(browser: &Browser, page: &str, proposal: &Value) -> Option<String> {
    let body = browser.get(page).await.status(200).body();
    html::assert_harmless(&body);
    let (_, said) = body.split_once(&format!("<a href=\"{}\">", path(proposal)))?;
    Some(said.split_once("</li>").expect("its end").0.to_owned())
}

#[shared_testing::test]
async fn its_author_finds_a_proposal_again_until_it_is_applied_and_among_all_of_them_later() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let (adas, bobs) = (stage.browser(&ada), stage.browser(&bob));
    let file = samples::id(&samples::create(&ada, "Prices").await);
    let proposal = propose(&ada, &file, HOSTILE).await;
    let seen = json!({"proposal_sha256": proposal["proposal_sha256"]});
    for (who, verb, body, state) in
        [(&ada, "request-review", json!({}), "In review"), (&bob, "approve", seen.clone(), "Approved")]
    {
        step(who, &proposal, verb, body).await;
        for (browser, page) in [(&adas, "/w/reviews"), (&bobs, "/w/reviews"), (&adas, "/w/proposals")] {
            let said = said(browser, page, &proposal).await.unwrap_or_else(|| panic!("{page} lists it"));
            assert!(said.contains("&lt;script&gt;") && said.contains(state) && said.contains("ada"), "{said}");
        }
    }
    step(&ada, &proposal, "apply", seen).await;
    assert_eq!(said(&adas, "/w/reviews", &proposal).await, None);
    let all = said(&adas, "/w/proposals", &proposal).await.expect("all are listed");
    assert!(all.contains("Applied"), "{all}");
    let links = html::links(&adas.get("/w/reviews").await.status(200).body());
    assert!(links.contains(&"/w/proposals".to_owned()), "{links:?}");
}

#[shared_testing::test]
async fn what_is_over_or_of_another_workspace_is_not_among_the_open_proposals() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let file = samples::id(&samples::create(&ada, "Prices").await);
    let proposal = propose(&ada, &file, "New prices").await;
    let stranger = stage.browser(&stage.caller("eve").workspace(2));
    for page in ["/w/reviews", "/w/proposals"] {
        assert!(said(&stage.browser(&ada), page, &proposal).await.is_some(), "{page}");
        let foreign = stranger.get(page).await.status(200).body();
        assert!(!foreign.contains("New prices"), "{foreign}");
    }
    stage.clock.advance(Duration::from_secs(901));
    let adas = stage.browser(&stage.caller("ada"));
    assert_eq!(said(&adas, "/w/reviews", &proposal).await, None);
    let all = said(&adas, "/w/proposals", &proposal).await.expect("all are listed");
    assert!(all.contains("Expired"), "{all}");
}

#[shared_testing::test]
async fn all_proposals_come_in_pages_and_few_of_the_open_ones_are_shown() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let adas = stage.browser(&ada);
    let file = samples::id(&samples::create(&ada, "Prices").await);
    let mut paths = Vec::new();
    for number in 0..22 {
        paths.push(path(&propose(&ada, &file, &format!("Number {number}")).await));
    }
    let listed = async |page: &str| {
        let body = adas.get(page).await.status(200).body();
        html::assert_harmless(&body);
        let links = html::links(&body);
        let next = links.iter().find(|link| link.contains("cursor=")).cloned();
        (links.into_iter().filter(|link| paths.contains(link)).collect::<Vec<_>>(), next)
    };
    assert_eq!(listed("/w/reviews").await.0.len(), 20);
    let (mut all, next) = listed("/w/proposals").await;
    assert_eq!(all.len(), 20);
    let (rest, end) = listed(&next.expect("a next page")).await;
    all.extend(rest);
    let sorted = |mut paths: Vec<String>| {
        paths.sort();
        paths
    };
    assert_eq!((sorted(all), end), (sorted(paths.clone()), None));
}

#[shared_testing::test]
async fn a_proposal_of_many_files_waits_as_one_decision() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let bobs = stage.browser(&bob);
    let mut plans = Vec::new();
    for number in 0..21 {
        let file = samples::id(&samples::create(&ada, &format!("File {number}")).await);
        let plan = samples::plan(&ada, &file, "more").await;
        plans.push(json!({"file_id": file, "plan_id": plan["id"]}));
    }
    let body = json!({"title": "Many", "plans": plans});
    let proposal = ada.post("/v1/proposals").fresh_key().json(body).await.status(200)["proposal"].clone();
    step(&ada, &proposal, "request-review", json!({})).await;
    let home = bobs.get("/w").await.status(200).body();
    assert!(home.contains("1 plan or proposal waits for your review"), "{home}");
    assert!(home.contains("<span class=\"count\">1<"), "{home}");
    let links = html::links(&bobs.get("/w/reviews").await.status(200).body());
    assert_eq!(links.iter().filter(|link| **link == path(&proposal)).count(), 1, "{links:?}");

    step(&bob, &proposal, "approve", json!({"proposal_sha256": proposal["proposal_sha256"]})).await;
    let page = bobs.get("/w/reviews").await.status(200).body();
    let nothing = page.find("No plan waits for your review.").expect("it is said");
    let approved = page.find(&path(&proposal)).expect("it is listed");
    assert!(nothing < approved, "what waits stands before what is only open: {page}");
}
