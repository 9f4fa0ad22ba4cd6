//! The page of a proposal over several files: what a reviewer sees and does.

use std::time::Duration;

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Browser, Caller, Response, Stage, Text as _, html};

use crate::samples;

const ACTIONS: [&str; 7] = ["apply", "approve", "reject", "request-review", "discard", "rebase", "undo"];
const HOSTILE: &str = "\"><script>alert(1)</script><img src=x onerror=alert(1)></textarea></main>";

/// A proposal of plans for two files.
pub struct Scene {
    pub files: [String; 2],
    pub proposal: Value,
    /// Of its page.
    pub path: String,
}

pub async fn scene(caller: &Caller) -> Scene {
    scene_called(caller, "New prices", "They rose.").await
}

async fn scene_called(caller: &Caller, title: &str, reason: &str) -> Scene {
    let created = [samples::create(caller, "Prices").await, samples::create(caller, "Letter").await];
    let files = created.map(|created| samples::id(&created));
    let plans =
        [samples::plan(caller, &files[0], "lemons for two").await, samples::plan(caller, &files[1], "dear all").await];
    let plans: Value = plans.iter().map(|plan| json!({"file_id": plan["file_id"], "plan_id": plan["id"]})).collect();
    let body = json!({"title": title, "reason": reason, "plans": plans});
    let proposal = caller.post("/v1/proposals").fresh_key().json(body).await.status(200)["proposal"].clone();
    let path = format!("/w/proposals/{}", proposal["id"].text());
    Scene { files, proposal, path }
}

impl Scene {
    fn href(&self) -> String {
        format!("/v1/proposals/{}", self.proposal["id"].text())
    }

    /// A step over HTTP, by somebody who has seen the proposal as it was made.
    pub async fn step(&self, caller: &Caller, verb: &str, body: Value) -> Response {
        caller.post(format!("{}/{verb}", self.href())).fresh_key().json(body).await.status(200)
    }

    pub async fn state(&self, caller: &Caller) -> String {
        caller.get(self.href()).await.status(200)["proposal"]["state"].text().to_owned()
    }

    /// Changes the first file, so that its plan is stale.
    pub async fn change_first(&self, caller: &Caller) {
        let other = samples::plan(caller, &self.files[0], "meanwhile").await;
        samples::apply(caller, &other).await.await.status(200);
    }

    pub async fn page(&self, browser: &Browser) -> Response {
        let page = browser.get(&self.path).await.status(200);
        html::assert_harmless(&page.body());
        page
    }

    /// Submits a form of this page.
    pub async fn decide(&self, browser: &Browser, page: &Response, action: &str, fields: &[(&str, &str)]) -> Response {
        let seen = html::hidden(&page.body(), &self.path, "proposal_sha256");
        let all = [&[("action", action), ("proposal_sha256", seen.as_str())], fields].concat();
        browser.submit(page, &self.path, &all).await
    }

    /// How many blocks each file has.
    async fn blocks(&self, caller: &Caller) -> [usize; 2] {
        let mut counts = [0; 2];
        for (count, file) in counts.iter_mut().zip(&self.files) {
            let document = caller.get(format!("/v1/documents/{file}")).await.status(200);
            *count = document["content"]["blocks"].as_array().expect("blocks").len();
        }
        counts
    }
}

/// The forms of a page.
pub fn offered(page: &Response) -> Vec<&'static str> {
    let body = page.body();
    let is_offered = |action: &&str| body.contains(&format!("name=\"action\" value=\"{action}\""));
    ACTIONS.into_iter().filter(is_offered).collect()
}

#[shared_testing::test]
async fn a_proposal_shows_the_changes_of_all_its_files_before_the_decision() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let adas = stage.browser(&ada);
    let scene = scene(&ada).await;
    let page = scene.page(&adas).await;
    assert_eq!(offered(&page), ["apply", "request-review", "discard"]);
    let body = page.body();
    let parts = [
        "Proposal: <bdi>New prices</bdi>",
        "Proposed",
        "They rose.",
        "<bdi>Prices</bdi></a></h2>",
        "lemons for two",
        "<bdi>Letter</bdi></a></h2>",
        "dear all",
        "<h2 id=\"decide\">",
        "Details",
        scene.proposal["proposal_sha256"].text(),
    ];
    let mut rest = body.as_str();
    for part in parts {
        rest = rest.split_once(part).unwrap_or_else(|| panic!("{part}, after the others, in {body}")).1;
    }
    let links = html::links(&body);
    for plan in scene.proposal["plans"].as_array().expect("plans") {
        let (file, plan) = (format!("/f/{}", plan["file_id"].text()), plan["id"].text());
        let of_plan = format!("{file}/plans/{plan}");
        for link in [&file, &of_plan] {
            assert!(links.contains(link), "{link} in {body}");
        }
        for other in [&file, &of_plan] {
            let other = adas.get(other).await.status(200).body();
            assert!(html::links(&other).contains(&scene.path), "{other}");
        }
    }
}

#[shared_testing::test]
async fn a_proposal_is_reviewed_approved_applied_and_undone_by_forms() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let (adas, bobs) = (stage.browser(&ada), stage.browser(&bob));
    let scene = scene(&ada).await;
    let page = scene.page(&adas).await;
    let asked = scene.decide(&adas, &page, "request-review", &[("note", "Both?\r\nPlease.")]).await.status(303);
    assert_eq!(asked.header("location"), scene.path);
    let own = scene.page(&adas).await;
    assert_eq!(offered(&own), ["discard"]);
    assert!(own.body().contains("somebody else has to approve it") && own.body().contains("Both?\nPlease."), "{own}");
    let inbox = bobs.get("/w/reviews").await.status(200).body();
    let links = html::links(&inbox).into_iter().filter(|link| *link == scene.path);
    assert_eq!(links.count(), 1, "the proposal, and not each of its plans: {inbox}");

    let page = scene.page(&bobs).await;
    assert_eq!(offered(&page), ["approve", "reject"]);
    scene.decide(&bobs, &page, "approve", &[]).await.status(303);
    assert_eq!((scene.state(&ada).await.as_str(), scene.blocks(&ada).await), ("approved", [1, 1]));
    let carols = stage.browser(&stage.caller("carol").scope("cloud.propose"));
    assert!(scene.page(&carols).await.body().contains("Somebody with write access can apply it."));
    let page = scene.page(&adas).await;
    assert_eq!(offered(&page), ["apply", "discard"]);
    // A double click.
    for _ in 0..2 {
        scene.decide(&adas, &page, "apply", &[]).await.status(303);
    }
    assert_eq!((scene.state(&ada).await.as_str(), scene.blocks(&ada).await), ("applied", [2, 2]));
    let page = scene.page(&adas).await;
    assert_eq!(offered(&page), ["undo"]);
    // One file alone is not undone on the page of its plan.
    let plan = &scene.proposal["plans"][0];
    let plan = adas.get(format!("/f/{}/plans/{}", plan["file_id"].text(), plan["id"].text())).await.status(200).body();
    assert!(plan.contains("undo all of them on") && !plan.contains("restore-version"), "{plan}");
    scene.decide(&adas, &page, "undo", &[]).await.status(303);
    assert_eq!((scene.state(&ada).await.as_str(), scene.blocks(&ada).await), ("undone", [1, 1]));
    let page = scene.page(&adas).await;
    assert!(offered(&page).is_empty() && page.body().contains("Undone"), "{page}");
}

#[shared_testing::test]
async fn plans_that_have_changed_since_the_page_was_shown_are_not_decided() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let bobs = stage.browser(&bob);
    let scene = scene(&ada).await;
    scene.step(&ada, "request-review", json!({})).await;
    let early = scene.page(&bobs).await;
    scene.change_first(&ada).await;
    let seen = json!({"proposal_sha256": scene.proposal["proposal_sha256"]});
    scene.step(&ada, "rebase", seen).await;
    let refused = scene.decide(&bobs, &early, "approve", &[]).await.status(409);
    html::assert_harmless(&refused.body());
    assert!(refused.body().contains("Nothing was done.") && refused.body().contains("have changed since"), "{refused}");
    assert_eq!(scene.state(&ada).await, "in_review");
    // The page of the refusal shows the new plans.
    scene.decide(&bobs, &refused, "approve", &[]).await.status(303);
    let late = scene.page(&bobs).await;
    scene.change_first(&ada).await;
    let refused = scene.decide(&bobs, &late, "apply", &[]).await.status(409);
    assert!(refused.body().contains("Nothing was done."), "{refused}");
    assert_eq!((scene.state(&ada).await.as_str(), scene.blocks(&ada).await), ("approved", [3, 1]));
}

#[shared_testing::test]
async fn a_stale_plan_is_named_and_brought_up_to_date_before_an_approval() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let bobs = stage.browser(&bob);
    let scene = scene(&ada).await;
    scene.step(&ada, "request-review", json!({})).await;
    scene.change_first(&ada).await;
    let page = scene.page(&bobs).await;
    assert_eq!(offered(&page), ["reject", "rebase"]);
    let body = page.body();
    let said = body.split_once("These files have changed since").expect("it is said").1;
    let said = said.split_once("</ul>").expect("a list").0;
    assert!(said.contains("<bdi>Prices</bdi>") && !said.contains("<bdi>Letter</bdi>"), "{body}");
    assert_eq!(body.matches("Stale: the file has changed since").count(), 1, "{body}");
    let updated = scene.decide(&bobs, &page, "rebase", &[]).await.status(303);
    assert_eq!(updated.header("location"), scene.path);
    let page = scene.page(&bobs).await;
    assert_eq!(offered(&page), ["approve", "reject"]);
    assert!(!page.body().contains("Stale"), "{page}");
    scene.decide(&bobs, &page, "approve", &[]).await.status(303);
    assert_eq!(scene.state(&ada).await, "approved");
}

#[shared_testing::test]
async fn a_proposal_that_is_over_can_only_be_updated_or_discarded() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let scene = scene(&ada).await;
    stage.clock.advance(Duration::from_secs(901));
    let adas = stage.browser(&stage.caller("ada"));
    let page = scene.page(&adas).await;
    assert_eq!(offered(&page), ["discard", "rebase"]);
    assert!(page.body().contains("was not applied in time") && page.body().contains("Expired"), "{page}");
    scene.decide(&adas, &page, "rebase", &[]).await.status(303);
    assert_eq!(offered(&scene.page(&adas).await), ["apply", "request-review", "discard"]);
}

#[shared_testing::test]
async fn what_is_left_after_a_purge_can_only_be_rejected_or_discarded() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let scene = scene(&ada).await;
    scene.step(&ada, "request-review", json!({})).await;
    for verb in ["trash", "purge"] {
        samples::command(&ada, &scene.files[1], verb, json!({})).await.await.status(200);
    }
    let bobs = stage.browser(&bob);
    let page = scene.page(&bobs).await;
    assert_eq!(offered(&page), ["reject"]);
    assert!(page.body().contains("A file of the proposal is gone"), "{page}");
    assert_eq!(offered(&scene.page(&stage.browser(&ada)).await), ["discard"]);
    scene.decide(&bobs, &page, "reject", &[("reason", "One is missing.")]).await.status(303);
    assert_eq!(scene.state(&ada).await, "rejected");
    let page = scene.page(&bobs).await;
    assert!(page.body().contains("One is missing.") && offered(&page).is_empty(), "{page}");
}

#[shared_testing::test]
async fn who_may_not_decide_sees_no_forms() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let scene = scene(&ada).await;
    let reader = stage.browser(&stage.caller("eve").scope("cloud.read"));
    let page = scene.page(&reader).await;
    assert!(offered(&page).is_empty() && page.body().contains("You may read this proposal"), "{page}");
    // The form for signing out has the token of the session.
    let csrf = html::hidden(&page.body(), "/sign-out", "csrf");
    let seen = scene.proposal["proposal_sha256"].text();
    for action in ACTIONS {
        let fields = [
            ("action", action),
            ("proposal_sha256", seen),
            ("reason", "r"),
            ("csrf", csrf.as_str()),
            ("key", "page-x"),
        ];
        reader.post(&scene.path, &fields).await.status(403);
    }
    let no_csrf = [("action", "apply"), ("proposal_sha256", seen), ("key", "page-x")];
    stage.browser(&ada).post(&scene.path, &no_csrf).await.status(403);
    assert_eq!(scene.state(&ada).await, "proposed");
    scene.step(&ada, "request-review", json!({})).await;
    let page = scene.page(&stage.browser(&stage.caller("carol").scope("cloud.propose"))).await;
    assert!(offered(&page).is_empty() && page.body().contains("waits for somebody who may approve"), "{page}");
    let adas = stage.browser(&ada);
    let page = scene.page(&adas).await;
    scene.decide(&adas, &page, "purge", &[]).await.status(400);
}

#[shared_testing::test]
async fn hostile_texts_are_shown_as_texts_and_what_was_typed_is_not_lost() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let bobs = stage.browser(&bob);
    let scene = scene_called(&ada, HOSTILE, HOSTILE).await;
    scene.step(&ada, "request-review", json!({"note": HOSTILE})).await;
    let pages = [scene.page(&bobs).await, scene.page(&bobs).await];
    // In the title, the heading, the reason and the note.
    assert_eq!(pages[0].body().matches("&lt;script&gt;alert(1)").count(), 4, "{}", pages[0]);
    let long = format!("<b>{}", "w".repeat(1_001));
    let refused = scene.decide(&bobs, &pages[0], "reject", &[("reason", &long)]).await.status(422).body();
    html::assert_harmless(&refused);
    assert!(refused.contains(">\n&lt;b&gt;www") && !refused.contains("readonly"), "its form is there: {refused}");
    scene.step(&ada, "discard", json!({})).await;
    let late = scene.decide(&bobs, &pages[1], "reject", &[("reason", HOSTILE)]).await.status(409).body();
    html::assert_harmless(&late);
    assert!(late.contains("readonly") && late.contains("Discarded"), "{late}");
    assert!(late.contains("Its state has changed meanwhile: ") && !late.contains("The proposal must be"), "{late}");
}

#[shared_testing::test]
async fn long_plans_are_cut_and_lead_to_their_own_pages() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let insert = |index: usize| {
        let segments = json!([{"text": format!("<{index}>{}", "y".repeat(4_000))}]);
        json!({"op": "insert_block", "block": {"type": "paragraph", "segments": segments}})
    };
    let operations: Value = (0..30).map(insert).collect();
    let mut plans = Vec::new();
    for name in ["One", "Two", "Three", "Four", "Five", "Six"] {
        let file = samples::id(&samples::create(&ada, name).await);
        let plan = samples::propose(&ada, &file, operations.clone()).await.await.status(200)["plan"].clone();
        plans.push(json!({"file_id": file, "plan_id": plan["id"]}));
    }
    let body = json!({"title": "Long", "plans": plans});
    let proposal = ada.post("/v1/proposals").fresh_key().json(body).await.status(200)["proposal"].clone();
    let page = stage.browser(&ada).get(format!("/w/proposals/{}", proposal["id"].text())).await.status(200).body();
    html::assert_harmless(&page);
    // Each takes the most that one plan may take, and after four of them the page is full.
    assert_eq!(page.matches("of 30 changes are shown.").count(), 4, "{page}");
    assert_eq!(page.matches("The changes do not fit on this page.").count(), 2, "{page}");
    assert!(page.contains("&lt;0&gt;yyy") && !page.contains("&lt;29&gt;yyy"), "{page}");
    assert!(page.len() < 300_000, "{} bytes", page.len());
    assert!(page.contains("Some changes or warnings are only on the pages of their plans."), "{page}");
    let links = html::links(&page);
    for plan in &plans {
        let path = format!("/f/{}/plans/{}", plan["file_id"].text(), plan["plan_id"].text());
        assert!(links.contains(&path), "{path} in {page}");
    }
}

#[shared_testing::test]
async fn proposals_of_others_do_not_exist() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let scene = scene(&ada).await;
    let stranger = stage.browser(&stage.caller("eve").workspace(2));
    let said = async |path: &str| {
        let page = stranger.get(path).await.status(404).body();
        html::assert_harmless(&page);
        let main = page.split_once("<main").expect("content").1;
        main.split_once("<p class=\"note\">").expect("the id of the request").0.to_owned()
    };
    let foreign = said(&scene.path).await;
    let unknown = said(&format!("/w/proposals/prop_{}", "0".repeat(32))).await;
    assert_eq!(foreign, unknown);
    assert!(!foreign.contains("New prices"), "{foreign}");
    stranger.get("/w/proposals/nonsense").await.status(404);
    let session = stranger.get("/session").await.status(200);
    let csrf = html::hidden(&session.body(), "/sign-out", "csrf");
    let fields = [
        ("action", "discard"),
        ("proposal_sha256", scene.proposal["proposal_sha256"].text()),
        ("csrf", csrf.as_str()),
        ("key", "page-x"),
    ];
    stranger.post(&scene.path, &fields).await.status(404);
    assert_eq!(scene.state(&ada).await, "proposed");
    stage.anyone().get(&scene.path).await.status(303);
}
