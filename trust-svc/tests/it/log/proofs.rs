//! Proofs that are made on demand.

use serde_json::Value;
use shared_testing::{Stage, Text as _};
use trust_log::merkle::{Hash, verify};

use crate::{
    log_reader::{LOG, LogReader},
    test_signer::{TestSigner, in_parallel, listed},
};

fn hash(value: &Value) -> Hash {
    value.text().parse().expect("a hash")
}

fn hashes(value: &Value) -> Vec<Hash> {
    value.as_array().expect("hashes").iter().map(hash).collect()
}

#[shared_testing::test]
async fn inclusion_and_consistency_are_proven_for_every_size() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    in_parallel(&signer, (0..8).map(|number| listed(number, stage.now())).collect()).await;
    let head = LogReader::of(&stage).await.checkpoint().await;
    let anyone = stage.anyone();
    for size in 1..=head.size() {
        let path = format!("{LOG}/proof/consistency?first={size}&second={}", head.size());
        let proof = anyone.get(path).await.status(200)["data"].clone();
        let root = hash(&proof["first_root_hash"]);
        verify::consistency(size, head.size(), &hashes(&proof["hashes"]), root, head.root()).expect("consistent");
        for index in 0..size {
            let path = format!("{LOG}/proof/inclusion?index={index}&tree_size={size}");
            let proof = anyone.get(path).await.status(200)["data"].clone();
            let leaf = hash(&proof["leaf_hash"]);
            verify::inclusion(index, size, leaf, &hashes(&proof["hashes"]), root).expect("included");
        }
    }
}

#[shared_testing::test]
async fn an_impossible_proof_is_refused_with_its_bound() {
    let stage = Stage::of(trust_svc::service()).await;
    let anyone = stage.anyone();
    for (query, at, rule) in [
        ("inclusion?index=0&tree_size=1", "tree_size", "must be at most the size of the log, 0"),
        ("inclusion?index=1&tree_size=1", "index", "must be less than the tree_size, 1"),
        ("inclusion?index=-1&tree_size=1", "index", "must be a whole number from 0 to 9223372036854775807"),
        ("consistency?first=1&second=0", "first", "must be at most the second, 0"),
        ("consistency?first=0&second=7", "second", "must be at most the size of the log, 0"),
    ] {
        let response = anyone.get(format!("{LOG}/proof/{query}")).await.refused(422, "invalid_field");
        let problem = &response["error"]["next_action"]["problems"][0];
        assert_eq!((problem["at"].text(), problem["rule"].text()), (at, rule), "{query}");
    }
    anyone.get(format!("{LOG}/proof/inclusion?index=0")).await.refused(400, "invalid_request");
    let empty = anyone.get(format!("{LOG}/proof/consistency?first=0&second=0")).await.status(200);
    assert_eq!(empty["data"]["hashes"], serde_json::json!([]));
}
