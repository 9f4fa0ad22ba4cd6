//! What the script of the pages asks: an upload in parts, and whether a page is up to date.

use cloud_svc::service;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use shared_testing::{FormFile, Stage, Text as _, html};

use crate::samples;

const PATH: &str = "/w/uploads";
const CHUNK: usize = 1_048_576;

#[shared_testing::test]
async fn a_file_is_uploaded_in_parts_and_goes_on_after_an_interruption() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let folder = samples::folder(&ada, "Fair", None).await;
    let page = browser.get(format!("/w/new?kind=upload&in={folder}")).await.status(200);
    let csrf = html::hidden(&page.body(), "/w/upload", "csrf");
    let bytes: Vec<u8> = (0..5 * CHUNK + 9).map(|index| (index % 251) as u8).collect();
    let (size, sha256) = (bytes.len().to_string(), hex::encode(Sha256::digest(&bytes)));
    let fields = [
        ("csrf", csrf.as_str()),
        ("key", "page-upload"),
        ("in", &folder),
        ("name", "Film.bin"),
        ("mime", ""),
        ("size", &size),
        ("sha256", &sha256),
    ];
    // Begun again with its key, it is the same upload.
    let begun = browser.post(PATH, &fields).await.status(200);
    assert_eq!(browser.post(PATH, &fields).await.status(200).json(), begun.json());
    let upload = format!("{PATH}/{}", begun["upload"].text());
    let next = async || browser.get(upload.clone()).await.status(200).json()["next"].clone();
    assert_eq!(next().await, 0);
    let send = |index: usize, count: usize| {
        let end = bytes.len().min((index + count) * CHUNK);
        let file = FormFile { field: "part", name: "part", media_type: "", bytes: &bytes[index * CHUNK..end] };
        browser.post_file(upload.clone(), &[("csrf", &csrf), ("index", &index.to_string())], file)
    };
    assert_eq!(*send(0, 4).await.status(200).json(), json!({"next": 4}));
    assert_eq!(next().await, 4);
    // A part whose answer was lost counts once.
    assert_eq!(*send(0, 4).await.status(200).json(), json!({"next": 4}));
    send(5, 1).await.status(409);
    let done = format!("{upload}/complete");
    browser.post(done.clone(), &[("csrf", &csrf), ("key", "page-upload")]).await.status(409);
    assert_eq!(*send(4, 2).await.status(200).json(), json!({"next": 6}));
    let href = browser.post(done.clone(), &[("csrf", &csrf), ("key", "page-done")]).await.status(303);
    let again = browser.post(done, &[("csrf", &csrf), ("key", "page-done")]).await.status(303);
    assert_eq!(href.header("location"), again.header("location"));
    let file = samples::record(&ada, href.header("location").trim_start_matches("/f/")).await;
    assert_eq!((&file["file"]["name"], &file["file"]["parent_id"]), (&json!("Film.bin"), &json!(folder)));
    // Without the token of the session nothing begins, and nobody else sees it.
    browser.post(PATH, &fields[1..]).await.status(403);
    stage.browser(&stage.caller("carol")).get(upload).await.status(404);
}

#[shared_testing::test]
async fn a_page_learns_that_it_is_out_of_date_and_who_changed_the_file() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let browser = stage.browser(&ada);
    let file = samples::id(&samples::document_of(&ada, &["one"]).await);
    let plan = samples::plan(&ada, &file, "two").await;
    let plan_path = format!("/f/{file}/plans/{}", plan["id"].text());
    let watched = async |path: &str| {
        let page = browser.get(path).await.status(200).body();
        html::assert_harmless(&page);
        let (_, rest) = page.split_once("data-watch=\"").expect("a page that is watched");
        html::unescaped(rest.split_once('"').expect("its end").0)
    };
    let (of_file, of_plan) = (watched(&format!("/f/{file}")).await, watched(&plan_path).await);
    let ask = async |path: &str| browser.get(path).await.status(200).json().clone();
    assert_eq!((ask(&of_file).await, ask(&of_plan).await), (json!({"is_current": true}), json!({"is_current": true})));
    samples::step(&ada, &plan, "request-review", json!({})).await.status(200);
    assert_eq!(ask(&of_plan).await, json!({"is_current": false, "by": null}));
    samples::command(&bob, &file, "rename", json!({"name": "New"})).await.await.status(200);
    assert_eq!(ask(&of_file).await, json!({"is_current": false, "by": "bob"}));
    browser.get(format!("/f/{file}/state")).await.status(400);
    stage.browser(&stage.caller("eve").workspace(2)).get(of_file).await.status(404);
}
