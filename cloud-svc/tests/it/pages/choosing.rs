//! Files that are chosen in a list, and the way to the lists.

use cloud_svc::service;
use serde_json::json;
use shared_testing::{Browser, Caller, Response, Stage, Text as _, html};

use crate::samples;

const PATH: &str = "/w/chosen";

/// The value of the file in the list.
async fn value(caller: &Caller, file: &str) -> String {
    format!("{file} {}", samples::etag(caller, file).await)
}

async fn send(browser: &Browser, page: &Response, fields: &[(&str, &str)]) -> Response {
    html::assert_harmless(&page.body());
    browser.submit(page, PATH, fields).await
}

#[shared_testing::test]
async fn chosen_files_are_trashed_in_one_go_and_each_that_stays_says_why() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let mut files = Vec::new();
    for name in ["One", "Two <b>", "Three"] {
        files.push(samples::id(&samples::create(&ada, name).await));
    }
    let page = browser.get("/w").await.status(200);
    let values = [value(&ada, &files[0]).await, value(&ada, &files[1]).await];
    assert!(page.body().contains(&format!("value=\"{}\"", values[0].replace('"', "&quot;"))), "{page}");
    // One of them changes meanwhile.
    samples::command(&ada, &files[1], "rename", json!({"name": "Two <i>"})).await.await.status(200);
    let fields = [("action", "trash"), ("back", "/w"), ("file-0", values[0].as_str()), ("file-2", &values[1])];
    for _ in 0..2 {
        let report = send(&browser, &page, &fields).await.status(200);
        html::assert_harmless(&report.body());
        for part in ["Some files were not changed", "Changed: 1 file", "Two &lt;i&gt;", "has changed"] {
            assert!(report.body().contains(part), "{part} in {report}");
        }
    }
    let states = [&files[0], &files[1], &files[2]].map(|file| samples::record(&ada, file));
    let mut found = Vec::new();
    for state in states {
        found.push(state.await["file"]["state"].text().to_owned());
    }
    assert_eq!(found, ["trashed", "active", "active"]);
    let page = browser.get("/w").await.status(200);
    let value = value(&ada, &files[2]).await;
    let done = send(&browser, &page, &[("action", "trash"), ("back", "//evil.example"), ("file-0", &value)]).await;
    assert_eq!(done.status(303).header("location"), "/w");
    assert!(
        send(&browser, &page, &[("action", "trash"), ("back", "/w")]).await.status(200).body().contains("Choose files")
    );
}

#[shared_testing::test]
async fn chosen_files_are_moved_to_a_folder() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let folder = samples::folder(&ada, "Fair", None).await;
    let file = samples::id(&samples::create(&ada, "Minutes").await);
    let page = browser.get("/w").await.status(200);
    assert!(page.body().contains("Choose Minutes") && page.body().contains("<bdi>ada</bdi>"), "{page}");
    let value = value(&ada, &file).await;
    let choose = send(&browser, &page, &[("action", "move"), ("back", "/w"), ("file-1", &value)]).await.status(200);
    assert!(choose.body().contains(&format!("<option value=\"{folder}\">Fair</option>")), "{choose}");
    let fields = [("action", "move-here"), ("back", "/w"), ("in", folder.as_str()), ("file-0", &value)];
    for _ in 0..2 {
        send(&browser, &choose, &fields).await.status(303);
    }
    assert_eq!(samples::record(&ada, &file).await["file"]["parent_id"], folder);
    let reader = stage.browser(&stage.caller("eve").scope("cloud.read"));
    let page = reader.get("/w").await.status(200);
    assert!(!page.body().contains("type=\"checkbox\""), "{page}");
    let csrf = html::hidden(&page.body(), "/sign-out", "csrf");
    reader.post(PATH, &[&fields[..], &[("csrf", &csrf), ("key", "page-x")]].concat()).await.status(403);
}

#[shared_testing::test]
async fn a_list_that_fits_on_one_page_can_be_sorted() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    samples::folder(&ada, "Zoo", None).await;
    for name in ["beta", "Alpha", "gamma"] {
        samples::create(&ada, name).await;
    }
    let order = async |sort: &str| {
        let page = browser.get(format!("/w?sort={sort}")).await.status(200).body();
        let list = page[page.find("<table").expect("a list")..].to_owned();
        let mut names = ["Alpha", "beta", "gamma", "Zoo"];
        names.sort_by_key(|name| list.find(&format!("<bdi>{name}</bdi>")).expect("a row"));
        names
    };
    assert_eq!(order("").await, ["gamma", "Alpha", "beta", "Zoo"]);
    assert_eq!(order("name").await, ["Zoo", "Alpha", "beta", "gamma"]);
    assert!(html::links(&browser.get("/w").await.body()).contains(&"/w?sort=size".to_owned()));
    // Of equal ones the newest stays first.
    assert_eq!(order("by").await, ["Zoo", "gamma", "Alpha", "beta"]);
    assert_eq!(order("nonsense").await, order("").await);
}

#[shared_testing::test]
async fn a_browser_is_led_from_the_root_and_told_of_unknown_pages_and_programs_get_json() {
    let stage = Stage::of(service()).await;
    let browser = |path: &str| stage.anyone().get(path).header("accept", "text/html,*/*;q=0.8");
    assert_eq!(browser("/").await.status(303).header("location"), "/w");
    for path in ["/nonsense", "/f", "/v1/nonsense", "/w/%3Cscript%3E"] {
        let page = browser(path).await.status(404);
        html::assert_harmless(&page.body());
        assert!(html::links(&page.body()).contains(&"/".to_owned()), "{page}");
    }
    stage.anyone().get("/").await.refused(404, "not_found");
    stage.anyone().get("/nonsense").await.refused(404, "not_found");
    // An operation stays an operation.
    browser("/v1/service").await.status(200);
}
