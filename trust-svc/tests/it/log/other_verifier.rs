//! The log of a running service, verified by Cloudflare's `tlog_tiles` and `signed_note`, which know nothing of ours.

use std::collections::HashMap;

use serde_json::Value;
use shared_testing::{Stage, Text as _};
use signed_note::{Note, StandardVerifier, VerifierList};
use tlog_tiles::{Checkpoint, Error, Hash, Tile, TileHashReader, TileReader, check_record, check_tree};

use crate::{
    log_reader::LOG,
    test_signer::{TestSigner, in_parallel, listed},
};

/// The tiles of hashes, as they were fetched.
struct Fetched(HashMap<String, Vec<u8>>);

impl TileReader for Fetched {
    fn height(&self) -> u8 {
        8
    }

    fn read_tiles(&self, tiles: &[Tile]) -> Result<Vec<Vec<u8>>, Error> {
        Ok(tiles.iter().map(|tile| self.0[&tile.path()].clone()).collect())
    }

    fn save_tiles(&self, _: &[Tile], _: &[Vec<u8>]) {}
}

async fn text(stage: &Stage, path: &str) -> String {
    stage.anyone().get(format!("{LOG}/{path}")).await.status(200).body()
}

/// The checkpoint, once the log's own signature holds.
async fn checkpoint(stage: &Stage) -> Checkpoint {
    let key = StandardVerifier::new(text(stage, "key").await.trim_end()).expect("a key");
    let note = Note::from_bytes(text(stage, "checkpoint").await.as_bytes()).expect("a note");
    let (verified, unknown) = note.verify(&VerifierList::new(vec![Box::new(key)])).expect("signed by the log");
    assert_eq!((verified.len(), unknown.len()), (1, 0));
    Checkpoint::from_bytes(note.text()).expect("a checkpoint")
}

/// What a service's proof says: a hash, and the hashes of its path.
async fn proof(stage: &Stage, query: &str, hash: &str) -> (Hash, Vec<Hash>) {
    let data = stage.anyone().get(format!("{LOG}/proof/{query}")).await.status(200)["data"].clone();
    let read = |value: &Value| Hash::parse_hash(value.text()).expect("a hash");
    (read(&data[hash]), data["hashes"].as_array().expect("a path").iter().map(read).collect())
}

#[shared_testing::test]
async fn another_tool_verifies_checkpoint_tiles_and_proofs() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::registered(&stage, "press-1").await;
    in_parallel(&signer, (0..5).map(|number| listed(number, stage.now())).collect()).await;
    let earlier = checkpoint(&stage).await;
    in_parallel(&signer, (5..12).map(|number| listed(number, stage.now())).collect()).await;
    let head = checkpoint(&stage).await;
    // One entry registers the signer.
    assert_eq!((earlier.size(), head.size()), (6, 13));

    let mut tiles = HashMap::new();
    for tile in Tile::new_tiles(8, 0, head.size()) {
        // That tool's paths have the height of tiles, which C2SP fixes.
        let path = tile.path().replacen("tile/8/", "tile/", 1);
        let bytes = stage.anyone().get(format!("{LOG}/{path}")).await.status(200).bytes().to_vec();
        tiles.insert(tile.path(), bytes);
    }
    let tiles = Fetched(tiles);
    let reader = TileHashReader::new(head.size(), *head.hash(), &tiles);
    assert_eq!(tlog_tiles::tree_hash(head.size(), &reader).expect("whole tiles").0, head.hash().0);

    for index in 0..head.size() {
        let query = format!("inclusion?index={index}&tree_size={}", head.size());
        let (leaf, path) = proof(&stage, &query, "leaf_hash").await;
        check_record(&path, head.size(), *head.hash(), index, leaf).expect("the entry is in the log");
        let from_tiles = tlog_tiles::prove_record(head.size(), index, &reader).expect("a proof");
        assert!(from_tiles.iter().zip(&path).all(|(one, other)| one.0 == other.0) && from_tiles.len() == path.len());
    }
    let query = format!("consistency?first={}&second={}", earlier.size(), head.size());
    let (first_root, path) = proof(&stage, &query, "first_root_hash").await;
    assert_eq!(first_root.0, earlier.hash().0);
    check_tree(&path, head.size(), *head.hash(), earlier.size(), *earlier.hash()).expect("nothing was rewritten");
    assert!(check_tree(&path, head.size(), *head.hash(), earlier.size() - 1, *earlier.hash()).is_err());
}
