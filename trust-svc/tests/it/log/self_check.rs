//! The check at the start and the repeated check find and name each changed byte in the database.

use std::sync::Arc;

use diesel::connection::SimpleConnection as _;
use ed25519_dalek::SigningKey;
use serde_json::json;
use shared_model::Timestamp;
use shared_runtime::Conn;
use shared_testing::Stage;
use trust_svc::{
    events::Sequencer,
    log::{Leaf, append, lock_head},
    self_check::{self, SelfChecks},
    signers::{Signer, SignerRecord, registry},
    startup,
};

use crate::{
    log_reader::LOG,
    test_signer::{TestSigner, in_parallel, listed},
};

/// Runs statements that the triggers refuse.
pub async fn damage(stage: &Stage, table: &'static str, statement: &str) {
    let statement = statement.to_owned();
    let done = stage.context.write(move |conn| {
        match conn {
            Conn::Postgres(conn) => conn.batch_execute(&format!(
                "ALTER TABLE {table} DISABLE TRIGGER ALL; {statement}; ALTER TABLE {table} ENABLE TRIGGER ALL"
            ))?,
            Conn::Sqlite(conn) => conn.batch_execute(&format!(
                "DROP TRIGGER IF EXISTS {table}_are_never_changed; DROP TRIGGER IF EXISTS {table}_are_never_deleted; \
                 {statement}"
            ))?,
        }
        Ok(())
    });
    done.await.expect("changed");
}

/// The reason why a service does not start on this log.
async fn refused(stage: &Stage) -> String {
    startup::prepare(stage.context.clone()).await.err().map_or_else(|| "it starts".to_owned(), |why| why.to_string())
}

async fn published(stage: &Stage) {
    let signer = TestSigner::registered(stage, "press-1").await;
    for response in in_parallel(&signer, (0..6).map(|number| listed(number, stage.now())).collect()).await {
        response.status(200);
    }
}

/// A log with more than one tile of entries: changes of a signer, because they need no signature.
pub async fn long(stage: &Stage, entries: usize) {
    let key = SigningKey::from_bytes(&[5; 32]).verifying_key().try_into().expect("a strong key");
    let signer = Signer::new("long".parse().expect("a key id"), key, Timestamp::from_seconds(1));
    let record = SignerRecord::from(signer.clone());
    // The first time, this is the first entry.
    let is_new = stage.context.write(move |conn| Ok(registry::add(conn, &signer)?)).await.expect("added");
    let leaves: Vec<_> = (usize::from(is_new)..entries)
        .map(|number| json!({ "schema": registry::SCHEMA, "signer": record, "number": number }).to_string())
        .map(|text| Leaf::new(text).expect("short"))
        .collect();
    let appended = stage.context.write(move |conn| {
        let head = lock_head(conn)?;
        Ok(append(conn, &head, &leaves.iter().collect::<Vec<_>>())?.len())
    });
    appended.await.expect("appended");
}

#[shared_testing::test]
async fn a_service_starts_on_an_intact_log_and_reports_it() {
    let stage = Stage::of(trust_svc::service()).await;
    published(&stage).await;
    assert_eq!(refused(&stage).await, "it starts");
    let audit = stage.anyone().get(format!("{LOG}/audit")).await.status(200);
    assert_eq!((&audit["data"]["result"], &audit["data"]["to_size"]), (&json!("intact"), &json!(0)), "as of its start");
    let checked = self_check::run(&stage.context, |_| ()).await.expect("intact");
    assert_eq!(checked.size, 7);
    assert!(stage.metrics().await.contains("log_damaged{surface=\"trust\"} 0"));
}

#[shared_testing::test]
async fn ranges_and_tiles_of_a_longer_log_add_up() {
    let stage = Stage::of(trust_svc::service()).await;
    let mut size = 0;
    for more in [255, 1, 1, 2048, 1791, 700] {
        long(&stage, more).await;
        size += more as u64;
        assert_eq!(self_check::run(&stage.context, |_| ()).await.expect("intact").size, size);
    }
    damage(&stage, "subtree_roots", "UPDATE subtree_roots SET hash = (SELECT leaf_hash FROM log_entries WHERE log_index = 7) WHERE level = 1 AND node_index = 9").await;
    let why = refused(&stage).await;
    assert!(why.contains("damaged at tile/1/000, hash 9: the subtree root must be "), "{why}");
    damage(&stage, "subtree_roots", "DELETE FROM subtree_roots WHERE node_index = 4").await;
    let why = refused(&stage).await;
    assert!(why.contains("damaged at tile/1/000, hash 4: the subtree root must be "), "{why}");
}

macro_rules! damaged {
    ($($name:ident: $table:literal, $statement:literal, $place:literal;)+) => {$(
        #[shared_testing::test]
        async fn $name() {
            let stage = Stage::of(trust_svc::service()).await;
            published(&stage).await;
            damage(&stage, $table, $statement).await;
            let why = refused(&stage).await;
            assert!(why.contains($place), "{why}");
        }
    )+};
}

damaged! {
    an_altered_leaf_is_found: "log_entries",
        "UPDATE log_entries SET leaf = (SELECT leaf FROM log_entries WHERE log_index = 4) WHERE log_index = 3",
        "damaged at entry 3: the leaf_hash must be ";
    an_altered_leaf_hash_is_found: "log_entries",
        "UPDATE log_entries SET leaf_hash = (SELECT leaf_hash FROM log_entries WHERE log_index = 4) WHERE log_index = 3",
        "damaged at entry 3: the leaf_hash must be ";
    a_leaf_altered_with_its_hash_is_found: "log_entries",
        "UPDATE log_entries SET leaf = (SELECT leaf FROM log_entries WHERE log_index = 0), \
         leaf_hash = (SELECT leaf_hash FROM log_entries WHERE log_index = 0) WHERE log_index = 3",
        "damaged at entry 3: ";
    an_altered_root_is_found: "log_entries",
        "UPDATE log_head SET root = (SELECT leaf_hash FROM log_entries WHERE log_index = 0)",
        "damaged at the head of the log: the root must be ";
    an_altered_frontier_is_found: "log_entries",
        "UPDATE log_head SET frontier = (SELECT leaf_hash FROM log_entries WHERE log_index = 0)",
        "damaged at the head of the log: the frontier must follow";
    a_log_that_was_cut_short_is_found: "log_entries",
        "UPDATE log_head SET size = 5",
        "damaged at entry 5: the log has 5 entries, but this entry is beyond them";
    a_log_that_claims_more_is_found: "log_entries",
        "UPDATE log_head SET size = 8",
        "damaged at entry 7: the entry is missing";
    an_altered_revision_is_found: "events",
        "UPDATE events SET revision = 7 WHERE log_index = 2",
        "damaged at entry 2: the revision of its event must be 1, and is 7";
    an_altered_state_is_found: "events",
        "UPDATE events SET state = 'suspended' WHERE log_index = 2",
        "damaged at entry 2: the state of its event must be listed, and is suspended";
    an_altered_id_is_found: "events",
        "UPDATE events SET event_id = 'evt_ffffffffffffffffffffffffffffffff' WHERE log_index = 2",
        "damaged at entry 2: the event_id of its event must be evt_";
    an_altered_market_is_found: "events",
        "UPDATE events SET market_id = 'mkt_ffffffffffffffffffffffffffffffff' WHERE log_index = 2",
        "damaged at entry 2: the market_id of its event must be mkt_";
    an_altered_size_of_a_receipt_is_found: "events",
        "UPDATE events SET tree_size = 1000 WHERE log_index = 2",
        "damaged at entry 2: the tree_size of its event must be above 2 and at most 7, and is 1000";
    a_lost_row_is_found: "events",
        "DELETE FROM events WHERE log_index = 2",
        "damaged at entry 2: the event of the entry has no row";
    an_altered_end_of_a_signer_is_found: "signers",
        "UPDATE signers SET retires_at = 4102444800000000",
        "damaged at signer press-1: the retires_at must be null, and is \"2100-01-01T00:00:00.000000Z\"";
    an_altered_policy_of_a_signer_is_found: "signers",
        "UPDATE signers SET origins = '[\"https://other.example\"]'",
        "damaged at signer press-1: the origins must be [], and is [\"https://other.example\"]";
    an_invented_signer_is_found: "signers",
        "INSERT INTO signers SELECT 'press-2', public_key, kinds, market_prefixes, origins, allow_absent_origin, \
         active_from, retires_at, revoked_at, created_at FROM signers",
        "damaged at signer press-2: no entry has added it";
}

#[shared_testing::test]
async fn a_revocation_that_was_taken_back_is_found() {
    let stage = Stage::of(trust_svc::service()).await;
    published(&stage).await;
    let now = stage.now();
    let key_id = "press-1".parse().expect("a key id");
    let revoked = stage.context.write(move |conn| Ok(registry::revoke(conn, &key_id, now)?)).await;
    assert!(revoked.expect("the database is there"));
    assert_eq!(refused(&stage).await, "it starts");
    damage(&stage, "signers", "UPDATE signers SET revoked_at = NULL").await;
    let why = refused(&stage).await;
    let expected = format!("damaged at signer press-1: the revoked_at must be \"{now}\", and is null");
    assert!(why.contains(&expected), "{why}");
}

#[shared_testing::test]
async fn a_lost_signer_is_found() {
    let stage = Stage::of(trust_svc::service()).await;
    TestSigner::registered(&stage, "press-1").await;
    damage(&stage, "signers", "DELETE FROM signers").await;
    let why = refused(&stage).await;
    assert!(why.contains("damaged at signer press-1: its row is missing"), "{why}");
}

#[shared_testing::test]
async fn signers_that_are_added_during_a_check_are_no_damage() {
    let stage = Stage::of(trust_svc::service()).await;
    let context = stage.context.clone();
    let checks = actix_web::rt::spawn(async move {
        for _ in 0..20 {
            self_check::run(&context, |_| ()).await.expect("intact");
        }
    });
    for number in 0..20 {
        TestSigner::registered(&stage, &format!("press-{number}")).await;
    }
    checks.await.expect("every check ends");
}

#[shared_testing::test]
async fn a_service_that_runs_takes_no_more_events_once_it_finds_damage() {
    let stage = Stage::of(trust_svc::service()).await;
    stage.expects_failures();
    published(&stage).await;
    let sequencer = Arc::new(Sequencer::start(stage.context.clone()));
    let checks = SelfChecks::at_start(&stage.context, Arc::clone(&sequencer)).await.expect("intact");
    damage(&stage, "events", "DELETE FROM events WHERE log_index = 2").await;
    checks.again(&stage.context).await;
    let audit = json!(checks.last());
    assert_eq!((&audit["result"], &audit["to_size"]), (&json!("damaged"), &json!(7)));
    assert!(audit["damage"].as_str().is_some_and(|damage| damage.contains("entry 2")), "{audit}");
    assert!(sequencer.require_running().is_err());
    assert!(stage.metrics().await.contains("log_damaged{surface=\"trust\"} 1"));
}
