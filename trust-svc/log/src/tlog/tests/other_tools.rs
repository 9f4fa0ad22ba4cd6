//! Tiles, notes and checkpoints, read by Cloudflare's `tlog_tiles` and `signed_note`.

use signed_note::{Note as OtherNote, Signer as _, StandardSigner, StandardVerifier, VerifierList};
use tlog_tiles::{
    Checkpoint as OtherCheckpoint, Error, Hash as OtherHash, Tile as OtherTile, TileHashReader, TileReader,
};

use super::fixture::{NOW, cosigned, entry, log, signed, witness};
use crate::{
    merkle::{Frontier, Hash, append, leaf_hash, prove},
    tlog::{
        checkpoint::SignedCheckpoint,
        key::VerifierKey,
        note::Note,
        tile::{Content, Tile},
    },
};

/// The rows of a log's hashes, filled by batches.
struct Rows(Vec<Vec<Hash>>);

impl Rows {
    /// Appends entries in batches of many sizes; returns the root.
    fn of(size: u64) -> (Self, Hash) {
        let mut rows = vec![Vec::new(); 3];
        let mut frontier = Frontier::default();
        let batches = [1, 5, 250, 256, 700, 3].into_iter().cycle();
        for batch in batches {
            let leaves: Vec<_> = (frontier.size()..size).take(batch).map(|index| leaf_hash(&entry(index))).collect();
            let appended = append(&frontier, &leaves).expect("room");
            rows[0].extend(leaves);
            for root in appended.subtree_roots() {
                let row = &mut rows[usize::from(root.level)];
                assert_eq!(root.index, row.len() as u64, "rows have no gaps");
                row.push(root.hash);
            }
            frontier = appended.frontier().clone();
            if frontier.size() == size {
                return (Self(rows), frontier.root());
            }
        }
        unreachable!("batches go on forever")
    }

    fn read(&self, range: prove::HashRange) -> Vec<Hash> {
        self.0[usize::from(range.level)][range.start as usize..][..range.count as usize].to_vec()
    }
}

impl TileReader for Rows {
    fn height(&self) -> u8 {
        8
    }

    fn read_tiles(&self, tiles: &[OtherTile]) -> Result<Vec<Vec<u8>>, Error> {
        let bytes = |tile: &OtherTile| {
            // The paths of that tool also have the height of tiles, which C2SP fixes.
            let tile: Tile = tile.path().replacen("tile/8/", "tile/", 1).parse().expect("a path of C2SP");
            assert!(matches!(tile.content(), Content::Hashes(_)));
            self.read(tile.range()).iter().flat_map(|hash| *hash.as_bytes()).collect()
        };
        Ok(tiles.iter().map(bytes).collect())
    }

    fn save_tiles(&self, _: &[OtherTile], _: &[Vec<u8>]) {}
}

fn theirs(hash: Hash) -> OtherHash {
    OtherHash(*hash.as_bytes())
}

fn bytes(hashes: &[OtherHash]) -> Vec<[u8; 32]> {
    hashes.iter().map(|hash| hash.0).collect()
}

#[test]
fn another_tool_proves_from_these_tiles_what_this_one_proves() {
    let size = 66_000;
    let (rows, root) = Rows::of(size);
    let reader = TileHashReader::new(size, theirs(root), &rows);
    assert_eq!(tlog_tiles::tree_hash(size, &reader).expect("tiles that make the root").0, *root.as_bytes());
    for index in (0..size).step_by(4_999).chain([255, 256, 65_535, 65_536, size - 1]) {
        let expected = tlog_tiles::prove_record(size, index, &reader).expect("a proof");
        let read = |ranges: &[prove::HashRange]| Ok::<_, Error>(ranges.iter().map(|range| rows.read(*range)).collect());
        let path: Vec<_> =
            prove::inclusion(index, size, read).expect("a proof").iter().map(|hash| *hash.as_bytes()).collect();
        assert_eq!(bytes(&expected), path, "{index}");
        tlog_tiles::check_record(&expected, size, theirs(root), index, tlog_tiles::record_hash(&entry(index)))
            .expect("included");
        let expected = tlog_tiles::prove_tree(size, index + 1, &reader).expect("a proof");
        let proof: Vec<_> =
            prove::consistency(index + 1, size, read).expect("a proof").iter().map(|hash| *hash.as_bytes()).collect();
        assert_eq!(bytes(&expected), proof, "{index}");
    }
    let (mut altered, _) = Rows::of(size);
    altered.0[0][70] = root;
    let reader = TileHashReader::new(size, theirs(root), &altered);
    // This version does not compare each tile with the root, but its proof is invalid then.
    let hash = tlog_tiles::record_hash(&entry(3));
    let proof = tlog_tiles::prove_record(size, 3, &reader);
    assert!(proof.and_then(|proof| tlog_tiles::check_record(&proof, size, theirs(root), 3, hash)).is_err());
}

#[test]
fn the_paths_of_tiles_are_another_tools() {
    let expected = OtherTile::new_tiles(8, 0, 70_000);
    let mut paths: Vec<_> = expected.iter().map(|tile| tile.path().replacen("tile/8/", "tile/", 1)).collect();
    let mut ours: Vec<_> = Tile::all(70_000).map(|tile| tile.to_string()).collect();
    paths.sort();
    ours.sort();
    assert_eq!(ours, paths);
}

#[test]
fn another_tool_reads_and_verifies_a_checkpoint() {
    let (_, root) = Rows::of(1_000);
    let text = cosigned(signed(1_000, root), &[witness(1)]).to_string();
    let note = OtherNote::from_bytes(text.as_bytes()).expect("a note");
    let key = StandardVerifier::new(&log().verifier_key().to_string()).expect("a key");
    let (verified, unknown) = note.verify(&VerifierList::new(vec![Box::new(key)])).expect("signed by the log");
    assert_eq!((verified.len(), unknown.len()), (1, 1));
    let checkpoint = OtherCheckpoint::from_bytes(note.text()).expect("a checkpoint");
    assert_eq!((checkpoint.origin(), checkpoint.size()), ("trust.example/log", 1_000));
    assert_eq!((checkpoint.hash().0, checkpoint.extension()), (*root.as_bytes(), ""));
    assert_eq!(note.to_bytes(), text.into_bytes());
}

#[test]
fn a_checkpoint_of_another_tool_is_opened() {
    // The signer in the documentation of Go's package note.
    let secret = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz";
    let signer = StandardSigner::new(secret).expect("a key");
    let root = leaf_hash(b"an entry");
    let text = OtherCheckpoint::new("PeterNeumann", 1, theirs(root), "more\n").expect("a checkpoint").to_bytes();
    let mut note = OtherNote::new(&text, &[]).expect("a note");
    note.add_sigs(&[&signer]).expect("signed");
    let read = SignedCheckpoint::parse(&note.to_bytes()).expect("a checkpoint");
    assert_eq!((read.checkpoint().size(), read.checkpoint().root()), (1, root));
    assert_eq!(read.checkpoint().extensions(), ["more"]);
    let key: VerifierKey = super::keys::PETER.parse().expect("a key");
    assert_eq!(signer.key_id(), key.id());
    assert_eq!(read.note().open(&[key]).expect("Peter's").len(), 1);
    // The line of a witness comes after that of the log.
    let cosigned = read.clone().with([witness(1).cosign(read.note().text(), NOW)]).expect("a note");
    assert_eq!(Note::parse(cosigned.to_string().as_bytes()).as_ref(), Ok(cosigned.note()));
}
