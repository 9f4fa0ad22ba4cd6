//! Tiles and entry bundles, compared with a tree that is computed from all bodies.

use serde_json::{Value, json};
use shared_testing::{Response, Stage};
use trust_log::{
    canonical,
    merkle::{Frontier, leaf_hash},
    tlog::bundle,
};
use trust_svc::log::{Leaf, append, lock_head};

use crate::{
    log_reader::{LOG, LogReader},
    test_signer::{TestSigner, in_parallel, listed},
};

async fn tile(stage: &Stage, path: &str) -> Response {
    stage.anyone().get(format!("{LOG}/tile/{path}")).await
}

#[shared_testing::test]
async fn tiles_and_bundles_are_those_of_the_bodies() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    let events: Vec<_> = (0..12).map(|number| listed(number, stage.now())).collect();
    let mut bodies = vec![Vec::new(); 12];
    for (event, response) in events.iter().zip(in_parallel(&signer, events.clone()).await) {
        let index = response.status(200)["data"]["log"]["index"].as_u64().expect("an index");
        let body: Value = signer.sign(event);
        bodies[index as usize - 1] = canonical::value_text(&body).into_bytes();
    }
    let bytes = tile(&stage, "entries/000.p/13").await.status(200).bytes().to_vec();
    let entries = bundle::decode(&bytes, 13).expect("a bundle");
    assert_eq!(entries[1..], bodies);
    let hashes: Vec<_> = entries.iter().map(|entry| leaf_hash(entry)).collect();
    let response = tile(&stage, "0/000.p/13").await.status(200);
    assert_eq!(response.header("content-type"), "application/octet-stream");
    assert_eq!(response.header("cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(response.bytes(), hashes.iter().flat_map(|hash| *hash.as_bytes()).collect::<Vec<_>>());
    let mut frontier = Frontier::default();
    hashes.into_iter().for_each(|hash| frontier.push(hash).expect("room"));
    assert_eq!(LogReader::of(&stage).await.checkpoint().await.root(), frontier.root());
}

#[shared_testing::test]
async fn a_full_tile_is_summed_up_in_the_level_above() {
    let stage = Stage::of(trust_svc::service()).await;
    let leaves: Vec<_> = (0..600).map(|number| json!({ "number": number }).to_string()).collect();
    for batch in leaves.chunks(250) {
        let batch: Vec<_> = batch.iter().map(|text| Leaf::new(text.clone()).expect("short")).collect();
        let appended = stage.context.write(move |conn| {
            let head = lock_head(conn)?;
            Ok(append(conn, &head, &batch.iter().collect::<Vec<_>>())?.len())
        });
        appended.await.expect("appended");
    }
    let hashes: Vec<_> = leaves.iter().map(|leaf| leaf_hash(leaf.as_bytes())).collect();
    let root = |hashes: &[trust_log::merkle::Hash]| {
        let mut frontier = Frontier::default();
        hashes.iter().for_each(|hash| frontier.push(*hash).expect("room"));
        *frontier.root().as_bytes()
    };
    let above = tile(&stage, "1/000.p/2").await.status(200).bytes().to_vec();
    assert_eq!(above, [root(&hashes[..256]), root(&hashes[256..512])].concat());
    let full = tile(&stage, "0/001").await.status(200).bytes().to_vec();
    assert_eq!(full, hashes[256..512].iter().flat_map(|hash| *hash.as_bytes()).collect::<Vec<_>>());
    assert_eq!(tile(&stage, "0/002.p/88").await.status(200).bytes().len(), 88 * 32);
    for missing in ["0/002", "0/002.p/89", "0/003.p/1", "1/000.p/3", "2/000.p/1", "entries/002", "63/000.p/1"] {
        let response = tile(&stage, missing).await.refused(404, "not_found");
        assert!(!response.header("cache-control").contains("immutable"), "{missing}");
    }
}

#[shared_testing::test]
async fn a_path_of_no_tile_is_not_found() {
    let stage = Stage::of(trust_svc::service()).await;
    for path in ["", "0", "0/", "0/0", "0/000/", "64/000", "entries", "x/000", "0/..%2f..%2fkey", "0/000.p/0", "0//000"]
    {
        tile(&stage, path).await.refused(404, "not_found");
    }
}
