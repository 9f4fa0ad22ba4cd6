//! A catalogue that is followed. One replica polls it, all serve it, and only a good answer replaces it.

use std::{sync::mpsc, time::Duration};

use diesel::{RunQueryDsl as _, connection::SimpleConnection as _, dsl::sql, sql_types::BigInt};
use locker_svc::{
    catalogue::{
        self, FRESHNESS_LIMIT, FetchErrorKind, POLL_INTERVAL, PollResult, Upstream,
        follow::{follow as follow_url, unfollow},
        store,
    },
    service,
};
use serde_json::{Value, json};
use shared_model::Error;
use shared_runtime::{Conn, jobs::Workers};
use shared_testing::{Stage, servers};

use crate::{
    command_line::{command, locker, output_text},
    commands::printed_whole,
    samples,
    upstream_server::{Script, UpstreamServer},
};

const PATH: &str = "/api/v1/catalogue";

/// An answer with these headers and this body.
fn say(head: &str, body: &str) -> Script {
    Script::Say(format!("HTTP/1.1 {head}\r\ncontent-length: {}\r\n\r\n{body}", body.len()))
}

fn json_of(catalogue: &Value) -> Script {
    say("200 OK\r\ncontent-type: application/json\r\netag: \"v1\"", &catalogue.to_string())
}

/// The sample at another price.
fn priced(pence: u32) -> Value {
    let mut catalogue = samples::catalogue();
    catalogue["monthly_pence"] = json!(pence);
    catalogue
}

async fn follow(stage: &Stage, server: &UpstreamServer) {
    let (url, now) = (server.url(), stage.now());
    stage.context.write(move |conn| Ok(follow_url(conn, &url, now)?)).await.expect("the database answers");
}

/// Asks once, as the job does.
async fn ask(stage: &Stage) -> Upstream {
    let result = PollResult::fetch(&stage.context, Duration::from_secs(1)).await.expect("the database answers");
    let result = result.expect("something is followed");
    stage.context.write(move |conn| Ok(result.store(conn)?)).await.expect("the database answers");
    followed(stage).await.expect("something is followed")
}

async fn followed(stage: &Stage) -> Option<Upstream> {
    stage.context.read(|conn| Ok(store::find_upstream(conn)?)).await.expect("the database answers")
}

async fn stage() -> Stage {
    // Nobody asks but the test.
    Stage::of(service()).settings(|settings| settings.role = shared_runtime::context::settings::Role::Api).await
}

#[shared_testing::test]
async fn one_locker_follows_another() {
    let (original, follower) = (stage().await, stage().await);
    samples::import(&original, &[samples::catalogue_line(&priced(100))]).await.expect("a good line");
    let url = format!("{}{PATH}", original.base_url());
    let status = printed_whole(&locker(&follower, &["catalogue", "follow", &url]));
    assert_eq!((&status["is_served"], &status["upstream"]["trouble"]), (&json!(true), &Value::Null));
    let (theirs, ours) = (original.anyone().get(PATH).await, follower.anyone().get(PATH).await.status(200));
    assert_eq!((&ours["data"], ours.header("etag")), (&theirs["data"], theirs.header("etag")));
    samples::import(&original, &[samples::catalogue_line(&priced(200))]).await.expect("a good line");
    ask(&follower).await;
    assert_eq!(follower.anyone().get(PATH).await["data"]["monthly_pence"], 200);
}

/// Returns once a session waits for the table of the upstream.
async fn is_waited_for(stage: &Stage) {
    // Databases that were copied from one template have tables of the same number.
    const WAITING: &str = "(SELECT count(*) FROM pg_locks WHERE NOT granted \
        AND relation = 'catalogue_upstream'::regclass \
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))";
    let count = |conn: &mut Conn| -> Result<i64, Error> {
        let Conn::Postgres(conn) = conn else { panic!("it is PostgreSQL") };
        Ok(diesel::select(sql::<BigInt>(WAITING)).get_result(conn)?)
    };
    while stage.context.read(count).await.expect("the database answers") == 0 {
        tokio::task::yield_now().await;
    }
}

/// With its two queries in the other order, a read would take the old price for confirmed.
#[shared_testing::test]
#[ignore = "needs PostgreSQL"]
async fn a_price_that_is_replaced_during_a_read_is_not_served_with_the_confirmation_of_the_next() {
    servers::needed();
    let (stage, server) = (stage().await, UpstreamServer::start(json_of(&priced(100))).await);
    follow(&stage, &server).await;
    ask(&stage).await;
    stage.clock.advance(FRESHNESS_LIMIT + Duration::from_secs(1));
    stage.anyone().get(PATH).await.refused(503, "catalogue_unavailable");
    server.will(json_of(&priced(200)));
    let polled = PollResult::fetch(&stage.context, Duration::from_secs(1)).await.expect("the database answers");
    let polled = polled.expect("something is followed");

    let (lock, is_locked) = mpsc::channel();
    let (release, is_released) = mpsc::channel::<()>();
    let storing = stage.context.write(move |conn| {
        let Conn::Postgres(postgres) = &mut *conn else { panic!("it is PostgreSQL") };
        postgres.batch_execute("LOCK TABLE catalogue_upstream IN ACCESS EXCLUSIVE MODE")?;
        lock.send(()).expect("the test waits");
        is_released.recv().expect("the test releases it");
        Ok(polled.store(conn)?)
    });
    let reading = async {
        tokio::task::spawn_blocking(move || is_locked.recv()).await.expect("a thread").expect("a lock");
        let mut read = stage.anyone().get(PATH).into_future();
        tokio::select! {
            biased;
            answer = &mut read => panic!("it was to wait for the upstream: {answer}"),
            () = is_waited_for(&stage) => {}
        }
        release.send(()).expect("the poll waits");
        read.await
    };
    let (stored, read) = tokio::join!(storing, reading);
    stored.expect("the database answers");
    assert_eq!(read.status(200)["data"]["monthly_pence"], 200);
}

#[shared_testing::test]
async fn an_unchanged_catalogue_is_not_transferred_again() {
    let (stage, server) = (stage().await, UpstreamServer::start(json_of(&priced(100))).await);
    follow(&stage, &server).await;
    ask(&stage).await;
    server.will(say("304 Not Modified", ""));
    stage.clock.advance(Duration::from_secs(20));
    let upstream = ask(&stage).await;
    assert_eq!((upstream.checked_at, upstream.trouble), (Some(stage.now()), None));
    let heads = server.heads();
    assert!(!heads[0].contains("if-none-match"), "{heads:?}");
    assert!(heads[1].contains("if-none-match: \"v1\""), "{heads:?}");
    assert!(!stage.anyone().get(PATH).await.has_header("age"), "the locker is where this comes from");
    assert_eq!(stage.count("catalogue_snapshots"), 1);
}

#[shared_testing::test]
async fn a_hostile_upstream_never_replaces_the_last_good_catalogue() {
    let dated = |date: &str, catalogue: &Value| {
        let head = format!("200 OK\r\ncontent-type: application/json\r\nlast-modified: {date}");
        say(&head, &catalogue.to_string())
    };
    let json = "content-type: application/json\r\n";
    let (stage, server) = (stage().await, UpstreamServer::start(Script::Silence).await);
    server.will(dated("Sat, 21 Nov 2026 12:00:00 GMT", &priced(100)));
    follow(&stage, &server).await;
    assert_eq!(ask(&stage).await.trouble, None);
    let good = stage.anyone().get(PATH).await.status(200);
    let mut contradictory = priced(1);
    contradictory["state"] = json!("sold_out");
    for (trouble, script) in [
        (FetchErrorKind::TimedOut, Script::Silence),
        (
            FetchErrorKind::Garbled,
            Script::Say(String::new() + "HTTP/1.1 200 OK\r\n" + json + "content-length: 9\r\n\r\n{"),
        ),
        (FetchErrorKind::Garbled, Script::Say("\u{1}\u{2}\u{3}".to_owned())),
        (FetchErrorKind::Garbled, Script::Say(String::new())),
        (FetchErrorKind::Redirected, say(&format!("302 Found\r\nlocation: {}", server.url()), "")),
        (FetchErrorKind::WrongStatus, say("304 Not Modified", "")),
        (FetchErrorKind::WrongStatus, say("404 Not Found", "{}")),
        (FetchErrorKind::WrongStatus, say("500 Internal Server Error", "")),
        (FetchErrorKind::WrongMediaType, say("200 OK", &priced(1).to_string())),
        (FetchErrorKind::WrongMediaType, say("200 OK\r\ncontent-type: text/html", &priced(1).to_string())),
        (
            FetchErrorKind::TooLarge,
            Script::Endless(format!("HTTP/1.1 200 OK\r\n{json}content-length: 1073741824\r\n\r\n")),
        ),
        (FetchErrorKind::TooLarge, Script::Endless(format!("HTTP/1.1 200 OK\r\n{json}\r\n"))),
        (FetchErrorKind::Invalid, say("200 OK\r\ncontent-type: application/json", "not json")),
        (FetchErrorKind::Invalid, say("200 OK\r\ncontent-type: application/json", "")),
        (FetchErrorKind::Invalid, json_of(&json!({}))),
        (FetchErrorKind::Invalid, json_of(&json!({"data": [], "meta": {}}))),
        (FetchErrorKind::Invalid, json_of(&contradictory)),
        (FetchErrorKind::Older, dated("Sat, 21 Nov 2026 11:59:59 GMT", &priced(1))),
    ] {
        server.will(script);
        let asked = ask(&stage).await;
        assert_eq!(asked.trouble, Some(trouble), "{:?}", asked.detail);
        assert!(asked.detail.is_some_and(|detail| detail.chars().count() <= 500));
        assert_eq!(stage.anyone().get(PATH).await["data"], good["data"], "{trouble}");
        stage.clock.advance(Duration::from_secs(10));
    }
    let output = locker(&stage, &["catalogue", "status"]);
    assert_eq!(printed_whole(&output)["upstream"]["trouble"], "older");
    server.will(dated("Sat, 21 Nov 2026 11:59:59 GMT", &priced(100)));
    assert_eq!(ask(&stage).await.trouble, None, "the same catalogue is no older one");
    drop(server);
    assert_eq!(ask(&stage).await.trouble, Some(FetchErrorKind::Unreachable));
    assert_eq!(stage.count("catalogue_snapshots"), 1);
}

#[shared_testing::test]
async fn a_last_modified_in_the_future_does_not_block_later_catalogues() {
    let dated = |date: &str, catalogue: &Value| {
        let head = format!("200 OK\r\ncontent-type: application/json\r\nlast-modified: {date}");
        say(&head, &catalogue.to_string())
    };
    let http = |at: shared_model::Timestamp| {
        let since = Duration::from_secs(at.seconds().unsigned_abs());
        httpdate::fmt_http_date(std::time::SystemTime::UNIX_EPOCH + since)
    };
    let (stage, server) = (stage().await, UpstreamServer::start(Script::Silence).await);
    server.will(dated("Fri, 31 Dec 9999 23:59:59 GMT", &priced(100)));
    follow(&stage, &server).await;
    let first = ask(&stage).await;
    assert_eq!((first.trouble, first.modified_at), (None, Some(stage.now())));
    server.will(dated(&http(stage.now().minus(Duration::from_secs(60))), &priced(1)));
    assert_eq!(ask(&stage).await.trouble, Some(FetchErrorKind::Older));
    stage.clock.advance(Duration::from_secs(60));
    server.will(dated(&http(stage.now()), &priced(200)));
    assert_eq!(ask(&stage).await.trouble, None);
    assert_eq!(stage.anyone().get(PATH).await["data"]["monthly_pence"], 200);
}

#[shared_testing::test]
async fn following_again_does_not_make_a_stale_catalogue_fresh() {
    let (stage, server) = (stage().await, UpstreamServer::start(json_of(&priced(100))).await);
    follow(&stage, &server).await;
    ask(&stage).await;
    server.will(say("500 Internal Server Error", ""));
    stage.clock.advance(FRESHNESS_LIMIT - Duration::from_secs(1));
    follow(&stage, &server).await;
    stage.anyone().get(PATH).await.status(200);
    stage.clock.advance(Duration::from_secs(2));
    stage.anyone().get(PATH).await.refused(503, "catalogue_unavailable");
    let mut command = command(&stage, &["catalogue", "follow", &server.url()]);
    // On another thread: the server answers on this one.
    let ended = tokio::task::spawn_blocking(move || command.output()).await.expect("it does not panic");
    let output = ended.expect("the command runs");
    assert_eq!(output.status.code(), Some(1));
    let said = output_text(&output);
    assert!(said.contains("still followed, but returned no catalogue: wrong_status: "), "{said}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("wrong_status"), "the status is printed too");
    stage.anyone().get(PATH).await.refused(503, "catalogue_unavailable");
    server.will(json_of(&priced(200)));
    follow(&stage, &server).await;
    stage.anyone().get(PATH).await.refused(503, "catalogue_unavailable");
    ask(&stage).await;
    assert_eq!(stage.anyone().get(PATH).await.status(200)["data"]["monthly_pence"], 200);
}

#[shared_testing::test]
async fn a_url_without_a_catalogue_is_not_followed() {
    let (stage, server) = (stage().await, UpstreamServer::start(json_of(&priced(100))).await);
    let refused = |stage: &Stage| {
        let output = locker(stage, &["catalogue", "follow", "http://127.0.0.1:1/"]);
        assert_eq!(output.status.code(), Some(1));
        let said = output_text(&output);
        assert!(said.contains("nothing was changed: the URL returned no catalogue: unreachable: "), "{said}");
    };
    refused(&stage);
    assert_eq!((followed(&stage).await, stage.count("jobs")), (None, 0));
    follow(&stage, &server).await;
    let before = ask(&stage).await;
    refused(&stage);
    assert_eq!(followed(&stage).await, Some(before));
    stage.anyone().get(PATH).await.status(200);
}

#[shared_testing::test]
async fn following_again_asks_at_once_after_a_clock_was_ahead() {
    let (stage, server) = (Stage::of(service()).await, UpstreamServer::start(json_of(&priced(100))).await);
    let ahead = Duration::from_secs(1200);
    stage.clock.advance(ahead);
    for is_set_back in [false, true] {
        if is_set_back {
            stage.clock.set_back(ahead);
        }
        follow(&stage, &server).await;
        let now = stage.now();
        while followed(&stage).await.and_then(|upstream| upstream.checked_at) != Some(now) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

#[shared_testing::test]
async fn after_five_minutes_without_a_good_answer_nothing_is_served() {
    let (stage, server) = (stage().await, UpstreamServer::start(json_of(&priced(100))).await);
    follow(&stage, &server).await;
    ask(&stage).await;
    let etag = stage.anyone().get(PATH).await.header("etag").to_owned();
    server.will(Script::Say(String::new()));
    stage.clock.advance(FRESHNESS_LIMIT);
    assert_eq!(ask(&stage).await.trouble, Some(FetchErrorKind::Garbled));
    stage.anyone().get(PATH).await.status(200);
    stage.clock.advance(Duration::from_micros(1));
    let refused = stage.anyone().get(PATH).header("if-none-match", &etag).await;
    assert_eq!(refused.refused(503, "catalogue_unavailable").header("retry-after"), "30");
    server.will(json_of(&priced(100)));
    ask(&stage).await;
    assert_eq!(stage.anyone().get(PATH).await.status(200).header("etag"), etag);
}

#[shared_testing::test]
async fn an_imported_catalogue_never_goes_stale_unless_another_is_followed() {
    let (stage, server) = (stage().await, UpstreamServer::start(Script::Say(String::new())).await);
    let line = samples::catalogue_line(&priced(100));
    samples::import(&stage, std::slice::from_ref(&line)).await.expect("a good line");
    stage.clock.advance(FRESHNESS_LIMIT * 100);
    stage.anyone().get(PATH).await.status(200);
    follow(&stage, &server).await;
    stage.clock.advance(FRESHNESS_LIMIT);
    stage.anyone().get(PATH).await.status(200);
    stage.clock.advance(Duration::from_secs(1));
    stage.anyone().get(PATH).await.refused(503, "catalogue_unavailable");
    assert!(samples::import(&stage, std::slice::from_ref(&line)).await.is_ok(), "no change is no contradiction");
    let bad = samples::import(&stage, &[samples::catalogue_line(&priced(200))]).await.expect_err("one is followed");
    assert!(bad[0].1.starts_with("/catalogue cannot be imported while that of http://127.0.0.1:"), "{bad:?}");
    let status = printed_whole(&locker(&stage, &["catalogue", "unfollow"]));
    assert_eq!((&status["is_served"], &status["upstream"]), (&json!(true), &Value::Null));
    assert_eq!(stage.anyone().get(PATH).await.status(200)["data"]["monthly_pence"], 100);
    let again = locker(&stage, &["catalogue", "unfollow"]);
    assert!(output_text(&again).contains("Nothing is followed."), "{}", output_text(&again));
}

#[shared_testing::test]
async fn an_upstream_url_contains_no_secret() {
    let stage = stage().await;
    for url in ["ftp://a", "https://user:secret@a", "https://a#b", "nonsense", "file:///etc/passwd"] {
        assert_eq!(locker(&stage, &["catalogue", "follow", url]).status.code(), Some(2), "{url}");
    }
    assert_eq!(followed(&stage).await, None);
}

#[shared_testing::test]
async fn the_answer_of_an_upstream_that_is_no_longer_followed_is_dropped() {
    let (stage, server) = (stage().await, UpstreamServer::start(json_of(&priced(100))).await);
    follow(&stage, &server).await;
    let result = PollResult::fetch(&stage.context, Duration::from_secs(1)).await.expect("the database answers");
    let result = result.expect("something is followed");
    stage.clock.advance(Duration::from_secs(1));
    follow(&stage, &server).await;
    stage.context.write(move |conn| Ok(result.store(conn)?)).await.expect("the database answers");
    assert_eq!(followed(&stage).await.and_then(|upstream| upstream.checked_at), None);
    assert_eq!(stage.count("catalogue_snapshots"), 0);
}

#[shared_testing::test]
async fn several_workers_ask_once_in_half_a_minute_until_nothing_is_followed() {
    let (stage, server) = (Stage::of(service()).await, UpstreamServer::start(json_of(&priced(100))).await);
    let second = Workers::start(stage.context.clone(), vec![catalogue::job()]);
    follow(&stage, &server).await;
    for asked in 1..=3 {
        let now = stage.now();
        while followed(&stage).await.and_then(|upstream| upstream.checked_at) != Some(now) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert_eq!(server.heads().len(), asked);
        stage.clock.advance(POLL_INTERVAL);
    }
    stage.context.write(|conn| Ok(unfollow(conn)?)).await.expect("the database answers");
    while stage.count("jobs") > 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    second.stop().await;
}
