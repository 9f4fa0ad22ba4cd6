//! The machine's clock was wrong, and jumps: back by two hours, and forward by half a day.

use std::time::Duration;

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Request, Stage, Text as _};

use crate::samples;

const HOUR: Duration = Duration::from_secs(3_600);

fn create(who: &Caller, key: &str) -> Request {
    who.post("/v1/notes").key(key).json(json!({"name": key}))
}

/// The names of the changes after the cursor, in order, and the next cursor.
async fn news(who: &Caller, cursor: &str) -> (Vec<String>, String) {
    let page = who.get(format!("/v1/changes?cursor={cursor}")).await.status(200);
    let name = |item: &Value| item["file"]["name"].text().to_owned();
    (page["items"].as_array().expect("items").iter().map(name).collect(), page["next_cursor"].text().to_owned())
}

#[shared_testing::test]
async fn a_clock_that_jumps_loses_and_doubles_nothing() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let cursor = ada.get("/v1/changes/cursor").await.status(200)["cursor"].text().to_owned();
    let first = create(&ada, "first").await.status(200);
    let file = samples::id(&samples::document_of(&ada, &["one"]).await);
    let plan = samples::plan(&ada, &file, "two").await;

    stage.clock.set_back(2 * HOUR);
    let replayed = create(&ada, "first").await.status(200);
    assert_eq!(replayed["file"], first["file"], "a repeated command is still known");
    create(&ada, "second").await.status(200);
    samples::apply(&ada, &plan).await.await.status(200);
    let (names, cursor) = news(&ada, &cursor).await;
    // Changes are in the order in which they happened, whatever the clock said.
    assert_eq!(names, ["first", "Plan", "second", "Plan"]);

    stage.clock.advance(14 * HOUR);
    let later = stage.caller("ada");
    assert_eq!(create(&later, "first").await.status(200)["file"], first["file"], "for a day from when it was sent");
    create(&later, "third").await.status(200);
    assert_eq!(news(&later, &cursor).await.0, ["third"], "each change once");
    let listed = later.get("/v1/files").await.status(200);
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(4), "{listed}");
    let text = later.get(format!("/v1/documents/{file}")).await.status(200).body();
    assert!(text.contains("one") && text.contains("two"), "{text}");
}
