//! The change feed: each change once, in order.

use std::time::Duration;

use cloud_svc::{
    FileId, WorkspaceId,
    base::limits::CHANGE_CURSOR_SECONDS,
    news::feed::sweep,
    service,
    workspace::{
        self,
        changes::{self, Change, ChangeType},
    },
};
use serde_json::{Value, json};
use shared_testing::{Caller, ServiceProcess, Stage, Text, servers, together};

use crate::samples;

const PROGRAM: &str = env!("CARGO_BIN_EXE_cloud-svc");
const ADA: &str = r#"{"type":"user","id":"user-7","display_name":"Ada"}"#;

async fn page(caller: &Caller, query: &str) -> Value {
    caller.get(format!("/v1/changes{query}")).await.status(200).json().clone()
}

pub async fn cursor(caller: &Caller) -> String {
    caller.get("/v1/changes/cursor").await.status(200)["cursor"].text().to_owned()
}

fn sequences(page: &Value) -> Vec<i64> {
    page["items"].as_array().expect("items").iter().map(|item| item["sequence"].as_i64().expect("a number")).collect()
}

/// Reads from the beginning up to the change with this number, a few at a time; returns all numbers.
async fn followed(caller: &Caller, last: i64) -> Vec<i64> {
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    while seen.last().is_none_or(|seen| *seen < last) {
        let page = page(caller, &format!("?limit=7&wait_seconds=5{cursor}")).await;
        seen.extend(sequences(&page));
        cursor = format!("&cursor={}", page["next_cursor"].text());
    }
    seen
}

#[shared_testing::test]
async fn each_kind_of_change_is_listed_with_the_current_file() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let from = cursor(&ada).await;
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let plan = samples::plan(&ada, &id, "two").await;
    samples::apply(&ada, &plan).await.await.status(200);
    let comment = samples::comment(&ada, &id, "Is that so?").await;
    samples::command(&ada, &id, "rename", json!({"name": "Renamed"})).await.await.status(200);
    samples::command(&ada, &id, "trash", json!({})).await.await.status(200);

    let page = page(&ada, &format!("?cursor={from}")).await;
    let items = page["items"].as_array().expect("items");
    let types: Vec<_> = items.iter().map(|item| item["type"].text()).collect();
    assert_eq!(types, ["file.created", "file.updated", "comment.created", "file.renamed", "file.trashed"]);
    assert_eq!(sequences(&page), [1, 2, 3, 4, 5]);
    let record = samples::record(&ada, &id).await["file"].clone();
    assert!(
        items.iter().all(|item| item["file"] == record && item["file_id"] == json!(id) && item["removed"] == false)
    );
    assert_eq!((&items[1]["plan_id"], &items[1]["version_id"]), (&plan["id"], &record["current_version_id"]));
    assert_eq!(items[2]["comment_id"], comment["id"]);
    assert_eq!(items[0]["actor"]["type"], "user");
    assert!(!items[0].as_object().expect("an item").contains_key("plan_id"));
    assert_eq!((&page["has_more"], &page["content_is_untrusted"]), (&json!(false), &json!(true)));

    samples::command(&ada, &id, "purge", json!({})).await.await.status(200);
    let page = self::page(&ada, "").await;
    assert_eq!(page["items"].as_array().expect("items").len(), 6);
    for item in page["items"].as_array().expect("items") {
        assert_eq!((&item["file"], &item["removed"], &item["file_id"]), (&Value::Null, &json!(true), &json!(id)));
    }
}

#[shared_testing::test]
async fn a_review_that_is_asked_for_and_decided_is_listed() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let from = cursor(&ada).await;
    let mut plans = Vec::new();
    for (text, verdict, body) in [("two", "approve", json!({})), ("three", "reject", json!({"reason": "No."}))] {
        let plan = samples::plan(&ada, &id, text).await;
        samples::step(&ada, &plan, "request-review", json!({})).await.status(200);
        samples::step(&bob, &plan, verdict, body).await.status(200);
        plans.push(plan["id"].clone());
    }
    let page = page(&ada, &format!("?cursor={from}&types=plan.review_requested,plan.approved,plan.rejected")).await;
    let items = page["items"].as_array().expect("items");
    let seen: Vec<_> = items.iter().map(|item| (item["type"].text(), item["plan_id"].clone())).collect();
    let [approved, rejected] = plans.try_into().expect("two plans");
    let expected = [
        ("plan.review_requested", approved.clone()),
        ("plan.approved", approved),
        ("plan.review_requested", rejected.clone()),
        ("plan.rejected", rejected),
    ];
    assert_eq!(seen, expected);
    let actors: Vec<_> = items.iter().map(|item| item["actor"]["id"].clone()).collect();
    assert_eq!((&actors[0], &actors[1]), (&actors[2], &actors[3]));
    assert_ne!(actors[0], actors[1], "the author asks, and the reviewer decides");
    assert!(items.iter().all(|item| item["file"]["id"] == json!(id)), "{page}");
}

#[shared_testing::test]
async fn changes_of_other_types_still_move_the_cursor() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    for number in 0..30 {
        samples::folder(&ada, &format!("Folder {number}"), None).await;
    }
    let id = samples::id(&samples::create(&ada, "Plan").await);
    samples::command(&ada, &id, "rename", json!({"name": "Renamed"})).await.await.status(200);
    samples::folder(&ada, "Last", None).await;

    let first = page(&ada, "?types=file.renamed,file.moved&limit=1").await;
    assert_eq!(sequences(&first), [32]);
    assert_eq!(first["has_more"], false, "what follows is of another type");
    let next = page(&ada, &format!("?types=file.moved&cursor={}", first["next_cursor"].text())).await;
    assert!(sequences(&next).is_empty());
    // The same cursor serves a reader that asks for other types from there on.
    assert!(sequences(&page(&ada, &format!("?cursor={}", next["next_cursor"].text())).await).is_empty());

    let created = page(&ada, "?types=file.created&limit=20").await;
    assert_eq!((sequences(&created).len(), &created["has_more"]), (20, &json!(true)));
    let rest = page(&ada, &format!("?types=file.created&limit=20&cursor={}", created["next_cursor"].text())).await;
    assert_eq!((sequences(&rest).len(), &rest["has_more"]), (12, &json!(false)));
}

#[shared_testing::test]
async fn a_commit_wakes_waiting_readers() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob").workspace(2));
    let (from, elsewhere) = (cursor(&ada).await, cursor(&bob).await);
    let waiting = ada.get(format!("/v1/changes?cursor={from}&wait_seconds=25"));
    let filtered = ada.get(format!("/v1/changes?cursor={from}&wait_seconds=1&types=file.moved"));
    let of_another = bob.get(format!("/v1/changes?cursor={elsewhere}&wait_seconds=1"));
    let write = async {
        tokio::task::yield_now().await;
        samples::create(&ada, "Plan").await
    };
    let (woken, idle, (of_another, _)) = futures_util::future::join3(
        async { waiting.await.status(200) },
        async { filtered.await.status(200) },
        futures_util::future::join(async { of_another.await.status(200) }, write),
    )
    .await;
    assert_eq!(sequences(woken.json()), [1]);
    assert!(sequences(idle.json()).is_empty() && sequences(of_another.json()).is_empty());
    let after = page(&ada, &format!("?cursor={}", idle["next_cursor"].text())).await;
    assert!(sequences(&after).is_empty(), "the idle reader has passed what it did not want");
}

#[shared_testing::test]
async fn sixteen_writers_are_followed_without_a_gap() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let writers = async {
        for round in 0..6 {
            let requests = (0..16).map(|writer| {
                let name = format!("Folder {round} {writer}");
                ada.post("/v1/folders").fresh_key().json(json!({"name": name}))
            });
            for response in together(requests).await {
                response.status(200);
            }
        }
    };
    let (seen, ()) = futures_util::future::join(followed(&ada, 96), writers).await;
    assert_eq!(seen, (1..=96).collect::<Vec<_>>());
}

#[shared_testing::test]
async fn a_cursor_works_only_in_its_workspace() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob").workspace(2));
    samples::create(&ada, "Plan").await;
    let of_ada = cursor(&ada).await;
    bob.get(format!("/v1/changes?cursor={of_ada}")).await.refused(400, "invalid_cursor");
    ada.get("/v1/changes?cursor=abc").await.refused(400, "invalid_cursor");
    for query in
        ["types=file.lost", "types=", "types=file.updated,,", "wait_seconds=26", "wait_seconds=-1", "limit=101"]
    {
        ada.get(format!("/v1/changes?{query}")).await.refused(422, "invalid_field");
    }
    ada.get("/v1/changes?since=1").await.refused(400, "invalid_request");
}

async fn kept(stage: &Stage) -> i64 {
    samples::number(stage, "SELECT COUNT(*) AS number FROM changes").await
}

/// The number of changes that a sweep deletes.
pub async fn swept(stage: &Stage) -> i64 {
    let before = kept(stage).await;
    sweep::CHANGES.run(&stage.context.db, stage.now()).await.expect("a sweep");
    before - kept(stage).await
}

/// What a batch of this size returns.
async fn batch(stage: &Stage, limit: i64) -> usize {
    let now = stage.now();
    let batch = stage.context.db.write(move |conn| Ok((sweep::CHANGES.delete_batch)(conn, now, limit)?));
    batch.await.expect("a batch")
}

#[shared_testing::test]
async fn a_cursor_expires_with_the_changes_after_it() {
    let stage = Stage::of(service()).await;
    let later = |seconds| stage.clock.advance(Duration::from_secs(seconds));
    let ada = || stage.caller("ada");
    let expired = async |cursor: &str| {
        let refused = ada().get(format!("/v1/changes?cursor={cursor}")).await.refused(410, "change_cursor_expired");
        assert_eq!(refused["error"]["next_action"]["type"], "refresh");
        assert!(refused["error"]["next_action"]["href"].text().ends_with("/v1/changes/cursor"));
    };
    samples::create(&ada(), "One").await;
    let old = cursor(&ada()).await;
    later(CHANGE_CURSOR_SECONDS - 3600);
    samples::create(&ada(), "Two").await;
    // The cursor is younger than the first of the two changes.
    let young = page(&ada(), "?limit=1&types=file.moved").await["next_cursor"].text().to_owned();
    assert_eq!(swept(&stage).await, 0);
    assert_eq!(sequences(&page(&ada(), &format!("?cursor={old}")).await), [2]);

    later(3601);
    expired(&old).await;
    assert_eq!(swept(&stage).await, 1);
    assert_eq!(sequences(&page(&ada(), "").await), [2]);
    assert!(sequences(&page(&ada(), &format!("?cursor={young}")).await).is_empty());

    let before_three = cursor(&ada()).await;
    samples::create(&ada(), "Three").await;
    later(CHANGE_CURSOR_SECONDS - 1);
    let from_three = page(&ada(), "?limit=1").await;
    assert_eq!(sequences(&from_three), [2], "a little older than a cursor lives, and not swept yet");
    let from_three = from_three["next_cursor"].text().to_owned();
    later(3600);
    expired(&before_three).await;
    assert_eq!(swept(&stage).await, 2);
    // The cursor is young, but the changes after it are deleted: the answer must not be "no changes".
    expired(&from_three).await;
    assert!(sequences(&page(&ada(), "").await).is_empty(), "the beginning is now");
    let now = cursor(&ada()).await;
    samples::create(&ada(), "Four").await;
    assert_eq!(sequences(&page(&ada(), &format!("?cursor={now}")).await), [4]);
}

/// Logs a change of `ws_1` for each of these ages in seconds: so long before now it was admitted.
async fn log(stage: &Stage, ages: impl IntoIterator<Item = u64>) {
    let (owner, now, ages) = (WorkspaceId::from_number(1), stage.now(), Vec::from_iter(ages));
    let logged = stage.context.db.write_in(owner.lane(), move |conn| {
        for age in &ages {
            let sequence = workspace::store::take_number(conn, owner)?;
            let at = now.minus(Duration::from_secs(*age));
            let change = Change::of_file(ChangeType::FileMoved, FileId::from_number(999_999), ADA, at);
            changes::insert(owner, sequence, &change);
        }
        Ok(())
    });
    logged.await.expect("committed");
}

#[shared_testing::test]
async fn a_number_is_not_deleted_before_the_ones_below_it() {
    let stage = Stage::of(service()).await;
    samples::create(&stage.caller("bob").workspace(2), "Elsewhere").await;
    stage.clock.advance(Duration::from_secs(60));
    samples::create(&stage.caller("ada"), "One").await;
    // Admitted a minute before the first, but later to take its number.
    log(&stage, [60]).await;

    stage.clock.advance(Duration::from_secs(CHANGE_CURSOR_SECONDS - 30));
    assert_eq!(swept(&stage).await, 1, "of the other workspace");
    assert_eq!(sequences(&page(&stage.caller("ada"), "").await), [1, 2]);
    stage.clock.advance(Duration::from_secs(31));
    assert_eq!(swept(&stage).await, 2);
}

#[shared_testing::test]
async fn each_batch_of_the_sweep_deletes_the_lowest_numbers() {
    let stage = Stage::of(service()).await;
    // Makes the workspace.
    cursor(&stage.caller("ada")).await;
    log(&stage, 0..10).await;
    stage.clock.advance(Duration::from_secs(CHANGE_CURSOR_SECONDS + 1));
    assert_eq!(batch(&stage, 4).await, 4);
    assert_eq!(sequences(&page(&stage.caller("ada"), "").await), [5, 6, 7, 8, 9, 10]);
    assert_eq!(swept(&stage).await, 6);
}

#[shared_testing::test]
async fn a_change_of_a_fast_clock_stops_no_sweep() {
    let stage = Stage::of(service()).await;
    cursor(&stage.caller("ada")).await;
    log(&stage, [0; 10]).await;
    // Ten days ahead.
    samples::sql(&stage, "UPDATE changes SET at = at + 864000000000 WHERE sequence = 1").await;
    stage.clock.advance(Duration::from_secs(1));
    samples::create(&stage.caller("bob").workspace(2), "Elsewhere").await;
    stage.clock.advance(Duration::from_secs(CHANGE_CURSOR_SECONDS + 3_601));
    assert_eq!(batch(&stage, 4).await, 4);
    assert_eq!(sequences(&page(&stage.caller("ada"), "").await), [5, 6, 7, 8, 9, 10]);
    assert_eq!(swept(&stage).await, 7);
}

#[shared_testing::test]
async fn changes_of_a_slow_clock_delete_no_young_ones_and_stop_no_other_workspace() {
    let stage = Stage::of(service()).await;
    for name in ["One", "Two", "Three"] {
        samples::create(&stage.caller("bob").workspace(2), name).await;
    }
    stage.clock.advance(Duration::from_secs(CHANGE_CURSOR_SECONDS + 3_601));
    cursor(&stage.caller("ada")).await;
    log(&stage, [0; 6]).await;
    samples::sql(&stage, "UPDATE changes SET at = 0 WHERE workspace_id = 1 AND sequence > 3").await;
    // Three that stay, and one of the other workspace: the sweep goes on.
    let before = kept(&stage).await;
    assert_eq!((batch(&stage, 4).await, kept(&stage).await), (4, before - 1));
    assert_eq!(swept(&stage).await, 2);
    assert_eq!(sequences(&page(&stage.caller("ada"), "").await), [1, 2, 3, 4, 5, 6]);
}

/// PostgreSQL only: a SQLite file is served by one process.
#[shared_testing::test]
#[ignore = "needs PostgreSQL"]
async fn changes_of_two_processes_are_followed_without_a_gap() {
    let one = ServiceProcess::on(PROGRAM, service(), Some(servers::needed()), &[]).await;
    let other = one.beside(&[]).await;
    let writer = async |number: usize| {
        let process = if number.is_multiple_of(2) { &one } else { &other };
        let caller = process.caller(&format!("writer-{number}"));
        for round in 0..6 {
            samples::folder(&caller, &format!("Folder {number} {round}"), None).await;
        }
    };
    let (here, there) = (one.caller("ada"), other.caller("ada"));
    let writers = futures_util::future::join_all((0..16).map(writer));
    let followed = futures_util::future::join3(followed(&here, 96), followed(&there, 96), writers);
    let (seen, seen_there, _) = followed.await;
    assert_eq!(seen, (1..=96).collect::<Vec<_>>());
    assert_eq!(seen_there, seen);

    // A reader at one process is woken by a write of the other.
    let from = cursor(&here).await;
    let waiting = here.get(format!("/v1/changes?cursor={from}&wait_seconds=25"));
    let (reported, _) =
        futures_util::future::join(async { waiting.await.status(200) }, samples::create(&there, "Plan")).await;
    assert_eq!(sequences(reported.json()), [97]);
}

#[shared_testing::test]
async fn readers_do_not_skip_an_open_transaction() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    samples::create(&ada, "Before").await;
    let from = cursor(&ada).await;
    let owner = WorkspaceId::from_number(1);
    let (began, has_begun) = std::sync::mpsc::channel();
    let (end, ends) = std::sync::mpsc::channel();
    let ends = std::sync::Mutex::new(ends);
    let at = stage.now();
    let held = stage.context.db.write_in(owner.lane(), move |conn| {
        let sequence = workspace::store::take_number(conn, owner)?;
        let change = Change::of_file(ChangeType::FileMoved, FileId::from_number(999_999), ADA, at);
        changes::insert(owner, sequence, &change);
        began.send(()).expect("the test waits");
        // Until the transaction may end, or the test ends.
        let _ = ends.lock().expect("one transaction").recv();
        Ok(())
    });
    let (read, seen) = tokio::sync::oneshot::channel();
    let reading = async {
        tokio::task::spawn_blocking(move || has_begun.recv()).await.expect("a thread").expect("it has begun");
        let later = together([ada.post("/v1/folders").fresh_key().json(json!({"name": "Later"}))]);
        let look = async {
            let seen = page(&ada, &format!("?cursor={from}")).await;
            read.send(sequences(&seen)).expect("the test waits");
            end.send(()).expect("it is held open");
        };
        let (later, ()) = futures_util::future::join(later, look).await;
        later.into_iter().for_each(|answer| drop(answer.status(200)));
    };
    let (held, ()) = futures_util::future::join(held, reading).await;
    held.expect("committed");
    assert!(seen.await.expect("a look").is_empty());
    let after = page(&ada, &format!("?cursor={from}")).await;
    assert_eq!(sequences(&after), [2, 3]);
    assert_eq!((&after["items"][0]["type"], &after["items"][0]["removed"]), (&json!("file.moved"), &json!(true)));
}

#[shared_testing::test]
async fn waiting_readers_do_not_delay_a_stop() {
    let mut cloud = ServiceProcess::of(PROGRAM, service(), &[]).await;
    let ada = cloud.caller("ada");
    let from = cursor(&ada).await;
    let waiting = ada.get(format!("/v1/changes?cursor={from}&wait_seconds=25"));
    let stopped = async {
        // The stop does not wait for a request that was not read yet.
        let is_waiting = |metrics: String| {
            let mut lines = metrics.lines();
            lines.any(|line| line.starts_with("http_requests_in_flight{") && line.ends_with(" 1"))
        };
        while !is_waiting(cloud.metrics().await) {
            tokio::task::yield_now().await;
        }
        cloud.signal("TERM");
    };
    let (answer, ()) = futures_util::future::join(async { waiting.await.status(200) }, stopped).await;
    assert!(sequences(answer.json()).is_empty());
    assert!(cloud.ended().await.success());
}
