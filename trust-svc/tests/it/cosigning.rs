//! A log with witnesses that cosign its checkpoints.

use std::{cell::RefCell, rc::Rc, time::Duration};

use ed25519_dalek::SigningKey;
use shared_model::Error;
use shared_runtime::state::outbound::Target;
use shared_testing::{Stage, free_address};
use trust_log::{
    merkle::Hash,
    tlog::{Cosigner, Policy, SignedCheckpoint, verify_checkpoint},
};
use trust_svc::{
    cosigning::{
        self, RemoteWitness, WitnessedLog, Witnesses,
        request::{CosignError, CosignatureClient},
        store, submit,
    },
    witness::{self, Witness},
};

use crate::test_log::TestLog;

/// A log in memory that grows.
#[derive(Clone)]
struct GrowingLog(Rc<RefCell<TestLog>>);

impl GrowingLog {
    fn new(size: usize) -> Self {
        Self(Rc::new(RefCell::new(TestLog::new("log.example/a").with(size, "entry"))))
    }

    fn grow(&self, size: usize) {
        self.0.borrow_mut().grow(size, "entry");
    }
}

impl WitnessedLog for GrowingLog {
    async fn latest(&self) -> Result<SignedCheckpoint, Error> {
        let log = self.0.borrow();
        Ok(log.checkpoint(log.entries.len()))
    }

    async fn consistency(&self, first: u64, second: u64) -> Result<Vec<Hash>, Error> {
        Ok(self.0.borrow().consistency(first, second))
    }
}

pub fn cosigner(number: u8) -> Cosigner {
    let name = format!("witness.example/w{number}").parse().expect("a name");
    Cosigner::new(name, SigningKey::from_bytes(&[100 + number; 32]))
}

/// A running witness of the log, and its client.
async fn witness(number: u8, log: &GrowingLog) -> (Stage, RemoteWitness) {
    let keys = vec![log.0.borrow().key().clone()];
    let stage = Stage::of(witness::service(Witness::new(cosigner(number), keys).expect("a witness"))).await;
    let asked = asked(number, stage.base_url());
    (stage, asked)
}

pub fn asked(number: u8, url: &str) -> RemoteWitness {
    RemoteWitness { key: cosigner(number).verifier_key().clone(), target: Target::parse(url).expect("a URL") }
}

/// The log's side: its database, and permission to call witnesses on this machine.
async fn stage() -> Stage {
    let loopback = "127.0.0.0/8".parse().expect("a network");
    Stage::of(trust_svc::service()).settings(|settings| settings.outbound_allow = vec![loopback]).await
}

async fn newest(stage: &Stage, witnesses: &Witnesses) -> Option<SignedCheckpoint> {
    let witnesses = witnesses.clone();
    stage.context.read(move |conn| Ok(store::newest_cosigned(conn, &witnesses)?)).await.expect("the database answers")
}

/// Checks that the checkpoint has this size and these cosignatures.
fn is_cosigned(checkpoint: Option<SignedCheckpoint>, log: &GrowingLog, size: usize, by: &[u8]) {
    let checkpoint = checkpoint.expect("a cosigned checkpoint");
    let log = log.0.borrow();
    assert_eq!(checkpoint.checkpoint(), log.checkpoint(size).checkpoint());
    let keys = by.iter().map(|number| cosigner(*number).verifier_key().clone()).collect();
    let policy = Policy::new(log.key().clone(), keys, by.len()).expect("a policy");
    verify_checkpoint(&checkpoint, &policy).expect("cosigned");
    assert_eq!(checkpoint.note().signatures().len(), 1 + by.len());
}

#[shared_testing::test]
async fn the_task_gets_cosignatures_of_both_witnesses_as_the_log_grows() {
    let (log, stage) = (GrowingLog::new(300), stage().await);
    let (_one, first) = witness(1, &log).await;
    let (_two, second) = witness(2, &log).await;
    let witnesses = Witnesses { all: vec![first, second], needed: 2 };
    let task = cosigning::run(stage.context.clone(), witnesses.clone(), log.clone());
    let watch = async {
        for size in [300, 700] {
            log.grow(size);
            let checkpoint = loop {
                let checkpoint = newest(&stage, &witnesses).await;
                if checkpoint.as_ref().is_some_and(|checkpoint| checkpoint.checkpoint().size() == size as u64) {
                    break checkpoint;
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            };
            is_cosigned(checkpoint, &log, size, &[1, 2]);
        }
    };
    tokio::select! {
        () = task => panic!("the task never ends"),
        () = watch => {}
    }
    let metrics = stage.metrics().await;
    assert!(metrics.contains("witness_cosigned_size"), "{metrics}");
    assert_eq!((stage.count("submitted_checkpoints"), stage.count("cosignatures")), (2, 4));
}

#[shared_testing::test]
async fn a_dead_witness_delays_nothing_that_does_not_need_it() {
    let (log, stage) = (GrowingLog::new(5), stage().await);
    let (_one, alive) = witness(1, &log).await;
    let dead = asked(2, &format!("http://{}", free_address()));
    let context = &stage.context;
    let one_of = Witnesses { all: vec![alive.clone(), dead.clone()], needed: 1 };
    let both = Witnesses { needed: 2, ..one_of.clone() };
    let mut alive = CosignatureClient::new(context.clone(), alive, log.clone()).await.expect("a client");
    let mut dead = CosignatureClient::new(context.clone(), dead, log.clone()).await.expect("a client");

    let current = submit::current(context, &both, &log).await.expect("submitted").expect("a checkpoint");
    alive.cosign(&current).await.expect("cosigned");
    assert!(matches!(dead.cosign(&current).await, Err(CosignError::Outbound(_))));
    is_cosigned(newest(&stage, &one_of).await, &log, 5, &[1]);
    assert_eq!(newest(&stage, &both).await, None, "two are needed");

    // If one is enough, the next is submitted at once. If two are needed, after their time is over.
    log.grow(9);
    let size = |current: Option<SignedCheckpoint>| current.expect("a checkpoint").checkpoint().size();
    assert_eq!(size(submit::current(context, &both, &log).await.expect("submitted")), 5);
    stage.clock.advance(submit::GIVE_UP_AFTER);
    assert_eq!(size(submit::current(context, &both, &log).await.expect("submitted")), 9);
    let current = submit::current(context, &one_of, &log).await.expect("submitted").expect("a checkpoint");
    alive.cosign(&current).await.expect("cosigned");
    log.grow(12);
    assert_eq!(size(submit::current(context, &one_of, &log).await.expect("submitted")), 12);
    is_cosigned(newest(&stage, &one_of).await, &log, 9, &[1]);
}

#[shared_testing::test]
async fn the_newest_checkpoint_with_enough_cosignatures_is_served_whoever_else_cosigned() {
    let (log, stage) = (GrowingLog::new(6), stage().await);
    // Who cosigned the checkpoint of each size. The fourth witness is no longer in the settings.
    let cosigned: [&[u8]; 6] = [&[1, 2, 3], &[1, 2], &[3, 4], &[1, 3], &[2, 4], &[1, 4]];
    for (by, size) in cosigned.into_iter().zip(1..) {
        let (checkpoint, now) = (log.0.borrow().checkpoint(size), stage.now());
        let text = checkpoint.note().text();
        let lines: Vec<_> = by.iter().map(|number| cosigner(*number).cosign(text, 1_800_000_000)).collect();
        let insert = move |conn: &mut _| {
            store::submit(conn, &checkpoint, now)?;
            Ok(lines.iter().try_for_each(|line| store::add(conn, size as u64, line, now))?)
        };
        stage.context.write(insert).await.expect("rows");
    }
    let all: Vec<_> = (1..=3).map(|number| asked(number, "https://witness.example/")).collect();
    let expected: [(usize, usize, &[u8]); 3] = [(1, 6, &[1]), (2, 4, &[1, 3]), (3, 1, &[1, 2, 3])];
    for (needed, size, by) in expected {
        is_cosigned(newest(&stage, &Witnesses { all: all.clone(), needed }).await, &log, size, by);
    }
    let all = vec![asked(5, "https://witness.example/"), all[0].clone()];
    assert_eq!(newest(&stage, &Witnesses { all, needed: 2 }).await, None, "the fifth has cosigned nothing");
}

#[shared_testing::test]
async fn a_log_learns_the_size_that_a_witness_knows_from_409() {
    let (log, stage) = (GrowingLog::new(5), stage().await);
    let (own, asked) = witness(1, &log).await;
    let body = log.0.borrow().request(0, 3).to_string();
    own.anyone().post("/add-checkpoint").body("text/plain", body).await.status(200);
    let witnesses = Witnesses { all: vec![asked.clone()], needed: 1 };
    let mut client = CosignatureClient::new(stage.context.clone(), asked, log.clone()).await.expect("a client");
    let current = submit::current(&stage.context, &witnesses, &log).await.expect("submitted").expect("a checkpoint");
    client.cosign(&current).await.expect("cosigned");
    assert_eq!(client.cosigned_size(), 5);
    is_cosigned(newest(&stage, &witnesses).await, &log, 5, &[1]);
}

#[shared_testing::test]
async fn two_processes_of_a_log_submit_one_checkpoint_and_store_one_cosignature() {
    let (log, stage) = (GrowingLog::new(5), stage().await);
    let (_one, asked) = witness(1, &log).await;
    let witnesses = Witnesses { all: vec![asked.clone()], needed: 1 };
    let submit = || submit::current(&stage.context, &witnesses, &log);
    let (first, second) = futures_util::join!(submit(), submit());
    let (first, second) = (first.expect("submitted").expect("a checkpoint"), second.expect("submitted"));
    assert_eq!(Some(&first), second.as_ref());
    let client = || CosignatureClient::new(stage.context.clone(), asked.clone(), log.clone());
    let (mut one, mut other) = (client().await.expect("a client"), client().await.expect("a client"));
    let (one, other) = futures_util::join!(one.cosign(&first), other.cosign(&first));
    one.expect("cosigned");
    other.expect("cosigned");
    assert_eq!((stage.count("submitted_checkpoints"), stage.count("cosignatures")), (1, 1));
}

#[shared_testing::test]
async fn an_answer_of_a_witness_counts_only_with_its_signature() {
    let (log, stage) = (GrowingLog::new(5), stage().await);
    let (own, _) = witness(1, &log).await;
    let other = asked(2, own.base_url());
    let mut client = CosignatureClient::new(stage.context.clone(), other, log.clone()).await.expect("a client");
    let checkpoint = log.0.borrow().checkpoint(5);
    assert!(matches!(client.cosign(&checkpoint).await, Err(CosignError::Unsigned(_))));
    assert_eq!(stage.count("cosignatures"), 0);

    // The witness has seen a larger tree than the log has.
    let larger = GrowingLog::new(9);
    let body = larger.0.borrow().request(5, 9).to_string();
    own.anyone().post("/add-checkpoint").body("text/plain", body).await.status(200);
    let mut client =
        CosignatureClient::new(stage.context.clone(), asked(1, own.base_url()), log.clone()).await.expect("a client");
    assert!(matches!(client.cosign(&checkpoint).await, Err(CosignError::Ahead { cosigned: 9, size: 5 })));
    assert_eq!(client.cosigned_size(), 0, "nobody has signed that size");
}

#[shared_testing::test]
async fn cosignatures_are_neither_changed_nor_deleted() {
    let (log, stage) = (GrowingLog::new(5), stage().await);
    let (_one, asked) = witness(1, &log).await;
    let witnesses = Witnesses { all: vec![asked.clone()], needed: 1 };
    let current = submit::current(&stage.context, &witnesses, &log).await.expect("submitted").expect("a checkpoint");
    let mut client = CosignatureClient::new(stage.context.clone(), asked, log.clone()).await.expect("a client");
    client.cosign(&current).await.expect("cosigned");
    for table in ["cosignatures", "submitted_checkpoints"] {
        for statement in [format!("UPDATE {table} SET at = at"), format!("DELETE FROM {table}")] {
            let change = statement.clone();
            let run = move |conn: &mut _| Ok(diesel::RunQueryDsl::execute(diesel::sql_query(change.as_str()), conn)?);
            assert!(stage.context.write(run).await.is_err(), "{statement}");
        }
    }
}
