//! Pages for people: the log, and an event with its proof.

use diesel::RunQueryDsl as _;
use serde_json::json;
use shared_runtime::Conn;
use shared_testing::{Stage, html};

use crate::{
    log::self_check::damage,
    test_signer::{TestSigner, but, hash, listed, next},
};

const LOG: &str = "/wp-json/service-trust/v1/log";

#[shared_testing::test]
async fn the_log_page_shows_the_state_and_links_to_the_newest_events() {
    let stage = Stage::of(trust_svc::service()).await;
    let anyone = stage.anyone();
    let empty = anyone.get("/").await.status(200).body();
    assert!(
        empty.contains("No events have been published yet.") && empty.contains("<strong>Intact.</strong>"),
        "{empty}"
    );

    let signer = TestSigner::registered(&stage, "press-1").await;
    let first = listed(1, stage.now());
    signer.publish(&first).await.status(200);
    let second = next(&first, "market.updated", stage.now());
    signer.publish(&second).await.status(200);
    let response = anyone.get("/").await.status(200);
    assert_eq!(response.header("cache-control"), "public, max-age=300");
    assert!(response.header("content-security-policy").starts_with("default-src 'none'"));
    let page = response.body();
    html::assert_harmless(&page);
    for path in [format!("{LOG}/checkpoint"), format!("{LOG}/key")] {
        let text = anyone.get(path).await.status(200).body();
        assert!(html::unescaped(&page).contains(text.trim_end()), "{text} in {page}");
    }
    assert!(page.contains("<bdi>Rain tomorrow</bdi>") && page.contains('…'), "a title and a short hash: {page}");
    let events: Vec<_> = html::links(&page).into_iter().filter(|link| link.starts_with("/event/")).collect();
    assert_eq!(events, [&second, &first].map(|event| format!("/event/{}", hash(event))));
    for event in events {
        anyone.get(event).await.status(200);
    }
}

#[shared_testing::test]
async fn an_event_is_shown_with_its_proof_which_the_server_checks() {
    let stage = Stage::of(trust_svc::service()).await;
    let anyone = stage.anyone();
    let signer = TestSigner::registered(&stage, "press-1").await;
    let events: Vec<_> = (1..=5).map(|number| listed(number, stage.now())).collect();
    for event in &events {
        signer.publish(event).await.status(200);
    }
    for event in &events {
        let page = anyone.get(format!("/event/{}", hash(event))).await.status(200).body();
        html::assert_harmless(&page);
        assert!(
            page.contains("<strong>Verified.</strong>")
                && page.contains("<strong>Signed.</strong>")
                && page.contains("press-1"),
            "{page}"
        );
        let read = anyone.get(format!("/wp-json/service-trust/v1/events/{}", hash(event))).await.status(200);
        let log = &read["data"]["log"];
        let hashes =
            [&log["root_hash"], &log["leaf_hash"]].into_iter().chain(log["inclusion_path"].as_array().expect("a path"));
        for hash in hashes.filter_map(|hash| hash.as_str()) {
            assert!(page.contains(&format!("<code>{hash}</code>")), "{hash} in {page}");
        }
        assert!(page.contains("| trust-svc verify - --log-key"), "{page}");
    }
    for unknown in
        [format!("/event/sha256:{}", "0".repeat(64)), "/event/sha256:x".to_owned(), "/event/%3Cscript%3E".to_owned()]
    {
        let page = anyone.get(unknown).await.status(404).body();
        html::assert_harmless(&page);
    }
}

#[shared_testing::test]
async fn the_content_of_an_event_stays_text() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let hostile = "</pre></main><script>alert(1)</script><svg onload=alert(1)>\u{202e}\" onclick=\"x";
    let data = json!({"title": hostile, hostile: "javascript:alert(1)", "long": "w".repeat(10_000)});
    let event = but(&but(&listed(1, stage.now()), "data", data), "venue", hostile);
    signer.publish(&event).await.status(200);
    let page = stage.anyone().get(format!("/event/{}", hash(&event))).await.status(200).body();
    html::assert_harmless(&page);
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{page}");
    // What turns text round is shown as an escape, and the page says so.
    assert!(page.contains("Check carefully.") && page.contains("\\u{202e}") && !page.contains('\u{202e}'), "{page}");
    let home = stage.anyone().get("/").await.status(200).body();
    html::assert_harmless(&home);
    assert!(home.contains("&lt;script&gt;") && !home.contains('\u{202e}'), "{home}");
}

/// The proof is checked for each request, so the page notices a damaged log.
#[shared_testing::test]
async fn an_invalid_proof_is_reported() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let event = listed(1, stage.now());
    signer.publish(&event).await.status(200);
    let forge = |conn: &mut Conn| {
        let sqlite = [
            "DROP TRIGGER log_entries_are_never_changed",
            "UPDATE log_entries SET leaf = CAST(replace(CAST(leaf AS TEXT), 'Rain', 'Snow') AS BLOB) WHERE log_index = (SELECT log_index FROM events)",
        ];
        let postgres = [
            "ALTER TABLE log_entries DISABLE TRIGGER USER",
            "UPDATE log_entries SET leaf = convert_to(replace(convert_from(leaf, 'UTF8'), 'Rain', 'Snow'), 'UTF8') WHERE log_index = (SELECT log_index FROM events)",
        ];
        match conn {
            Conn::Sqlite(conn) => sqlite.iter().try_for_each(|sql| diesel::sql_query(*sql).execute(conn).map(drop))?,
            Conn::Postgres(conn) => {
                postgres.iter().try_for_each(|sql| diesel::sql_query(*sql).execute(conn).map(drop))?
            }
        }
        Ok(())
    };
    stage.context.write(forge).await.expect("the log is forged");
    let response = stage.anyone().get(format!("/event/{}", hash(&event))).await.status(200);
    assert_eq!(response.header("cache-control"), "private, no-store");
    let page = response.body();
    assert!(page.contains("Not verified") && page.contains("The signature is not valid"), "{page}");
    assert!(!page.contains("Verified.<") && !page.contains("Signed.<"), "{page}");
}

#[shared_testing::test]
async fn an_entry_that_cannot_be_read_is_reported() {
    let stage = Stage::of(trust_svc::service()).await;
    stage.expects_failures();
    let signer = TestSigner::registered(&stage, "press-1").await;
    let event = listed(1, stage.now());
    signer.publish(&event).await.status(200);
    damage(&stage, "log_entries", "UPDATE log_entries SET leaf = leaf_hash WHERE log_index = 1").await;
    let response = stage.anyone().get(format!("/event/{}", hash(&event))).await.status(200);
    assert_eq!(response.header("cache-control"), "private, no-store");
    let page = response.body();
    html::assert_harmless(&page);
    assert!(page.contains("Not verified") && page.contains("the entry 1 of the log is damaged"), "{page}");
    assert!(page.contains("press-1") && !page.contains("Verified.<"), "{page}");
    stage.anyone().get(format!("/wp-json/service-trust/v1/events/{}", hash(&event))).await.status(500);
}

#[shared_testing::test]
async fn events_are_found_by_hash_by_the_beginning_of_it_and_by_ids() {
    let stage = Stage::of(trust_svc::service()).await;
    let anyone = stage.anyone();
    let signer = TestSigner::registered(&stage, "press-1").await;
    let first = listed(1, stage.now());
    let second = next(&first, "market.updated", stage.now());
    for event in [&first, &second, &listed(2, stage.now())] {
        signer.publish(event).await.status(200);
    }
    let place = format!("/event/{}", hash(&first));
    let digits = hash(&first)["sha256:".len()..].to_owned();
    let id = first["event_id"].as_str().expect("an id").to_owned();
    let shortened = format!("sha256%3A{}%E2%80%A6", &digits[..12]);
    for sought in [hash(&first).replace(':', "%3A"), digits.to_uppercase(), shortened, id] {
        let found = anyone.get(format!("/search?q={sought}")).await.status(303);
        assert_eq!(found.header("location"), place, "{sought}");
    }
    let market = first["market_id"].as_str().expect("an id");
    let page = anyone.get(format!("/search?q={market}")).await.status(200).body();
    html::assert_harmless(&page);
    let events: Vec<_> = html::links(&page).into_iter().filter(|link| link.starts_with("/event/")).collect();
    assert_eq!(events, [&second, &first].map(|event| format!("/event/{}", hash(event))));
    for (sought, words) in
        [("ffffffffffff", "does not have this event"), ("%22%3E%3Cscript%3E", "neither a hash"), ("", "Find an event")]
    {
        let page = anyone.get(format!("/search?q={sought}")).await.status(200).body();
        html::assert_harmless(&page);
        assert!(page.contains(words), "{words} in {page}");
    }
}
