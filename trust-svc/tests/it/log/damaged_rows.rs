//! Rows whose bits a disk has flipped while the service runs: no answer is another than before.

use diesel::prelude::*;
use serde_json::Value;
use shared_testing::{Stage, Text as _};
use trust_svc::{
    events::store,
    tables::{log_entries, subtree_roots},
};

use super::self_check::{damage, long};
use crate::{
    log_reader::LOG,
    test_signer::{TestSigner, hash, listed},
};

/// A value of the log in the database.
#[derive(Clone, Copy, Debug)]
enum Place {
    Entry(i64),
    LeafHash(i64),
    /// Of level 1.
    Root(i64),
}

impl Place {
    async fn read(self, stage: &Stage) -> Vec<u8> {
        let found = stage.context.read(move |conn| {
            Ok(match self {
                Self::Entry(index) => log_entries::table.find(index).select(log_entries::leaf).first(conn)?,
                Self::LeafHash(index) => log_entries::table.find(index).select(log_entries::leaf_hash).first(conn)?,
                Self::Root(index) => subtree_roots::table.find((1, index)).select(subtree_roots::hash).first(conn)?,
            })
        });
        found.await.expect("a row")
    }

    async fn write(self, stage: &Stage, bytes: &[u8]) {
        let digits = hex::encode(bytes);
        let value = if is_postgres(stage) { format!("'\\x{digits}'") } else { format!("X'{digits}'") };
        let (table, set) = match self {
            Self::Entry(index) => ("log_entries", format!("leaf = {value} WHERE log_index = {index}")),
            Self::LeafHash(index) => ("log_entries", format!("leaf_hash = {value} WHERE log_index = {index}")),
            Self::Root(index) => ("subtree_roots", format!("hash = {value} WHERE node_index = {index} AND level = 1")),
        };
        damage(stage, table, &format!("UPDATE {table} SET {set}")).await;
    }
}

fn is_postgres(stage: &Stage) -> bool {
    stage.context.settings.database_url.starts_with("postgres")
}

/// Body and status of each path.
async fn answers(stage: &Stage, paths: &[String]) -> Vec<(u16, Vec<u8>)> {
    let mut found = Vec::new();
    for path in paths {
        let answer = stage.anyone().get(path.as_str()).await;
        let mut body = answer.bytes().to_vec();
        if let Ok(mut json) = serde_json::from_slice::<Value>(&body) {
            json["meta"] = Value::Null;
            body = json.to_string().into_bytes();
        }
        found.push((answer.status, body));
    }
    found
}

#[shared_testing::test]
async fn what_a_disk_has_changed_is_neither_served_nor_signed() {
    let stage = Stage::of(trust_svc::service()).await;
    stage.expects_failures();
    // Two full tiles and a part of a third; the events in the first and in the last.
    let signer = TestSigner::registered(&stage, "press-1").await;
    let first = signer.publish(&listed(1, stage.now())).await.status(200);
    long(&stage, 600).await;
    let last = signer.publish(&listed(2, stage.now())).await.status(200);
    let event = |published: &Value| format!("/wp-json/service-trust/v1/events/{}", published["event_hash"].text());
    let log = |what: &str| format!("{LOG}/{what}");
    let paths = [
        event(&first["data"]),
        event(&last["data"]),
        log("tile/0/000"),
        log("tile/0/001"),
        log("tile/0/002.p/90"),
        log("tile/0/002.p/8"),
        log("tile/1/000.p/2"),
        log("tile/entries/000"),
        log("tile/entries/002.p/91"),
        log("proof/inclusion?index=1&tree_size=603"),
        log("proof/inclusion?index=300&tree_size=515"),
        log("proof/inclusion?index=600&tree_size=602"),
        log("proof/consistency?first=257&second=600"),
        log("proof/consistency?first=515&second=603"),
    ];
    let intact = answers(&stage, &paths).await;
    assert!(
        intact.iter().all(|(status, _)| *status == 200),
        "{:?}",
        intact.iter().map(|one| one.0).collect::<Vec<_>>()
    );

    for place in [
        Place::Entry(1),
        Place::Entry(602),
        Place::LeafHash(1),
        Place::LeafHash(300),
        Place::LeafHash(514),
        Place::LeafHash(600),
        Place::LeafHash(602),
        Place::Root(0),
        Place::Root(1),
    ] {
        let bytes = place.read(&stage).await;
        let mut damaged = bytes.clone();
        let middle = damaged.len() / 2;
        damaged[middle] ^= 4;
        place.write(&stage, &damaged).await;
        let mut refused = 0;
        for ((path, before), after) in paths.iter().zip(&intact).zip(answers(&stage, &paths).await) {
            assert!(after == *before || after.0 == 500, "{place:?} is damaged: {path} answers {}", after.0);
            refused += usize::from(after.0 == 500);
        }
        assert!(refused > 0, "{place:?} is in none of the answers");
        place.write(&stage, &bytes).await;
    }
    assert!(answers(&stage, &paths).await == intact, "repaired");
}

#[shared_testing::test]
async fn a_lost_entry_is_damage_and_not_an_event_that_nobody_published() {
    let stage = Stage::of(trust_svc::service()).await;
    stage.expects_failures();
    let signer = TestSigner::registered(&stage, "press-1").await;
    let event = listed(1, stage.now());
    signer.publish(&event).await.status(200);
    let lose = "DELETE FROM log_entries WHERE log_index = 1";
    // SQLite checks a foreign key in every transaction, so the table of events loses it.
    let without_key = "CREATE TABLE copy AS SELECT * FROM events; DROP TABLE events; ALTER TABLE copy RENAME TO events";
    let lose = if is_postgres(&stage) { lose.to_owned() } else { format!("{without_key}; {lose}") };
    damage(&stage, "log_entries", &lose).await;

    let hash = hash(&event);
    let lost = [
        format!("/wp-json/service-trust/v1/events/{hash}"),
        format!("/event/{hash}"),
        format!("{LOG}/proof/inclusion?index=1&tree_size=2"),
    ];
    for path in lost {
        stage.anyone().get(path).await.status(500);
    }
    signer.publish(&event).await.status(500);
    let event_hash = hash.parse().expect("a hash");
    let found = stage.context.read(move |conn| Ok(store::find(conn, &event_hash)?.is_some())).await;
    assert_eq!(found.expect_err("lost").to_string(), "the entry 1 of the log is missing");
}
