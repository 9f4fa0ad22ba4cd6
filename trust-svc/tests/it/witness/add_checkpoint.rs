//! All cases of C2SP tlog-witness.

use std::time::Duration;

use shared_testing::Stage;
use trust_log::{
    merkle::{EMPTY_ROOT, Hash},
    tlog::{Checkpoint, NoteSigner, witness::AddCheckpoint},
};

use super::{cosigned, has_size, refused, send, watching, watching_with};
use crate::test_log::TestLog;

#[shared_testing::test]
async fn a_log_that_grows_is_cosigned_each_time() {
    let log = TestLog::new("log.example/a").with(700, "entry");
    let stage = watching(&log).await;
    for (old, size) in [(0, 1), (1, 2), (2, 256), (256, 257), (257, 300), (300, 700)] {
        stage.clock.advance(Duration::from_secs(1));
        let at = cosigned(send(&stage.anyone(), log.request(old, size)).await, &log.checkpoint(size));
        assert_eq!(i64::try_from(at), Ok(stage.now().seconds()), "{size}");
    }
    assert_eq!(stage.count("witnessed_checkpoints"), 1);
}

#[shared_testing::test]
async fn the_same_checkpoint_again_is_cosigned_again() {
    let log = TestLog::new("log.example/a").with(5, "entry");
    let stage = watching(&log).await;
    cosigned(send(&stage.anyone(), log.request(0, 5)).await, &log.checkpoint(5));
    cosigned(send(&stage.anyone(), log.request(5, 5)).await, &log.checkpoint(5));
    let proof = AddCheckpoint { consistency: vec![EMPTY_ROOT], ..log.request(5, 5) };
    refused(send(&stage.anyone(), proof).await, 422, "proof");
}

#[shared_testing::test]
async fn another_old_size_is_409_with_the_known_size() {
    let log = TestLog::new("log.example/a").with(9, "entry");
    let stage = watching(&log).await;
    has_size(send(&stage.anyone(), log.request(3, 5)).await, 0);
    cosigned(send(&stage.anyone(), log.request(0, 5)).await, &log.checkpoint(5));
    for (old, size) in [(0, 9), (4, 9), (6, 9), (9, 9), (0, 5), (0, 0)] {
        has_size(send(&stage.anyone(), log.request(old, size)).await, 5);
    }
    // An older checkpoint does not roll back what the witness has stored.
    has_size(send(&stage.anyone(), log.request(3, 4)).await, 5);
    cosigned(send(&stage.anyone(), log.request(5, 9)).await, &log.checkpoint(9));
}

#[shared_testing::test]
async fn an_empty_log_has_one_root() {
    let log = TestLog::new("log.example/a").with(1, "entry");
    let stage = watching(&log).await;
    let other = AddCheckpoint { checkpoint: log.sign(0, Hash::from_bytes([1; 32])), ..log.request(0, 0) };
    refused(send(&stage.anyone(), other).await, 409, "root");
    cosigned(send(&stage.anyone(), log.request(0, 0)).await, &log.checkpoint(0));
    cosigned(send(&stage.anyone(), log.request(0, 0)).await, &log.checkpoint(0));
    cosigned(send(&stage.anyone(), log.request(0, 1)).await, &log.checkpoint(1));
}

#[shared_testing::test]
async fn an_invalid_proof_is_422_and_nothing_is_stored() {
    let (log, fork) = (TestLog::new("log.example/a").with(9, "entry"), TestLog::new("log.example/a").with(9, "other"));
    let stage = watching(&log).await;
    let surplus = AddCheckpoint { consistency: vec![EMPTY_ROOT], ..log.request(0, 5) };
    refused(send(&stage.anyone(), surplus).await, 422, "proof");
    assert_eq!(stage.count("witnessed_checkpoints"), 0);
    cosigned(send(&stage.anyone(), log.request(0, 5)).await, &log.checkpoint(5));
    let good = log.request(5, 9);
    for consistency in [vec![], good.consistency[1..].to_vec(), [good.consistency.clone(), vec![EMPTY_ROOT]].concat()] {
        refused(send(&stage.anyone(), AddCheckpoint { consistency, ..good.clone() }).await, 422, "proof");
    }
    refused(send(&stage.anyone(), fork.request(5, 9)).await, 422, "root");
    has_size(send(&stage.anyone(), log.request(0, 9)).await, 5);
}

#[shared_testing::test]
async fn only_a_known_log_with_its_own_signature_is_cosigned() {
    let (log, stranger) =
        (TestLog::new("log.example/a").with(5, "entry"), TestLog::new("log.example/b").with(5, "entry"));
    let stage = watching(&log).await;
    refused(send(&stage.anyone(), stranger.request(0, 5)).await, 404, "origin");

    // Signed by a stranger, under the stranger's name and under the log's.
    let checkpoint = Checkpoint::new(log.key().name(), 5, log.root(5));
    for name in [stranger.key().name(), log.key().name()] {
        let thief = NoteSigner::new(name.clone(), ed25519_dalek::SigningKey::from_bytes(&[3; 32]));
        let forged =
            AddCheckpoint { checkpoint: checkpoint.clone().sign(&thief).expect("a note"), ..log.request(0, 5) };
        refused(send(&stage.anyone(), forged).await, 403, "signed");
    }
    // The log's signature, over another text.
    let altered = log.request(0, 5).to_string().replace("log.example/a\n5\n", "log.example/a\n4\n");
    refused(send(&stage.anyone(), altered).await, 403, "signature");
    // Signatures of strangers next to the log's are ignored.
    let line = stranger.checkpoint(5).note().signatures()[0].clone();
    let both = AddCheckpoint { checkpoint: log.checkpoint(5).with([line]).expect("a note"), ..log.request(0, 5) };
    cosigned(send(&stage.anyone(), both).await, &log.checkpoint(5));
}

#[shared_testing::test]
async fn each_log_has_its_own_state() {
    let (a, b) = (TestLog::new("log.example/a").with(5, "entry"), TestLog::new("log.example/b").with(9, "entry"));
    let stage = watching_with(&[a.key(), b.key()]).await;
    cosigned(send(&stage.anyone(), a.request(0, 5)).await, &a.checkpoint(5));
    has_size(send(&stage.anyone(), b.request(5, 9)).await, 0);
    cosigned(send(&stage.anyone(), b.request(0, 9)).await, &b.checkpoint(9));
    assert_eq!(stage.count("witnessed_checkpoints"), 2);
}

#[shared_testing::test]
async fn a_new_log_under_the_name_of_an_old_one_is_a_fork_of_it() {
    let old = TestLog::new("log.example/a").with(5, "entry");
    let new = TestLog::with_another_key("log.example/a").with(9, "other");
    assert_ne!(old.key(), new.key());
    let stage = watching_with(&[old.key(), new.key()]).await;
    cosigned(send(&stage.anyone(), old.request(0, 5)).await, &old.checkpoint(5));
    has_size(send(&stage.anyone(), new.request(0, 9)).await, 5);
    refused(send(&stage.anyone(), new.request(5, 9)).await, 422, "root");
}

#[shared_testing::test]
async fn a_malformed_request_is_400() {
    let log = TestLog::new("log.example/a").with(9, "entry");
    let stage = watching(&log).await;
    let good = log.request(0, 5).to_string();
    let too_many = vec![EMPTY_ROOT; 64];
    for (body, words) in [
        (String::new(), "empty line"),
        (good.replace("old 0", "old 00"), "old size"),
        (good.replace("old 0", "new 0"), "old <size>"),
        (good.replace("old 0", "old -1"), "old size"),
        (good.replace("old 0\n", "old 0\nnot a hash\n"), "hash"),
        (good.replace('\n', "\r\n"), "empty line"),
        (good.trim_end().to_owned(), "newline"),
        (AddCheckpoint { old_size: 6, ..log.request(0, 5) }.to_string(), "at most"),
        (AddCheckpoint { consistency: too_many, ..log.request(0, 5) }.to_string(), "63"),
    ] {
        refused(send(&stage.anyone(), body).await, 400, words);
    }
    let bytes = [good.as_bytes(), &[0xff]].concat();
    refused(stage.anyone().post("/add-checkpoint").body("text/plain", bytes).await, 400, "UTF-8");
    refused(send(&stage.anyone(), "x".repeat(trust_log::tlog::witness::MAX_BYTES + 1)).await, 413, "bytes");
    // The media type of the request is not checked.
    cosigned(stage.anyone().post("/add-checkpoint").body("application/json", good).await, &log.checkpoint(5));
}

#[shared_testing::test]
async fn a_witness_serves_its_description_and_counts_what_it_refuses() {
    let log = TestLog::new("log.example/a").with(5, "entry");
    let stage: Stage = watching(&log).await;
    let document = stage.anyone().get("/openapi.json").await.status(200);
    let add = &document["paths"]["/add-checkpoint"]["post"];
    assert!(add["requestBody"]["content"]["text/plain"].is_object(), "{add}");
    assert!(add["responses"]["422"]["content"]["text/plain"].is_object(), "{add}");
    refused(send(&stage.anyone(), "").await, 400, "empty line");
    let metrics = stage.metrics().await;
    assert!(metrics.contains(r#"code="invalid_request""#), "{metrics}");
}
