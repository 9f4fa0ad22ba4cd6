//! Trees and proofs beside another implementation (ct-merkle), and beside what a batch says of itself.

use ct_merkle::{ConsistencyProof, InclusionProof, RootHash, mem_backed_tree::MemoryBackedTree};
use proptest::prelude::*;
use sha2::Sha256;

use super::{
    append::{SubtreeRoot, append},
    frontier::{Frontier, FrontierError},
    hash::{EMPTY_ROOT, Hash, leaf_hash, node_hash},
    nodes::{self, Element, Node},
    prove::{self, HashRange, ProveError},
    size::{MAX_PROOF, MAX_SIZE},
    verify::{self, ProofError},
};

/// The entry of a leaf.
fn entry(index: u64) -> Vec<u8> {
    format!("entry {index}").into_bytes()
}

fn leaves(range: std::ops::Range<u64>) -> Vec<Hash> {
    range.map(|index| leaf_hash(&entry(index))).collect()
}

/// The rows that a log of so many leaves stores, computed tile by tile.
struct Stored(Vec<Vec<Hash>>);

impl Stored {
    fn of(size: u64) -> Self {
        let mut rows = vec![leaves(0..size)];
        while let Some(full) = rows.last().map(|row| row.as_chunks::<256>().0).filter(|full| !full.is_empty()) {
            let row = full.iter().map(|tile| tile_root(tile)).collect();
            rows.push(row);
        }
        Self(rows)
    }

    /// The root of a tree of the first so many leaves, whose storage is asked for nothing beyond them.
    fn root(&self, size: u64) -> Hash {
        prove::frontier(size, |ranges| self.within(size, ranges)).expect("a frontier").root()
    }

    fn inclusion(&self, index: u64, size: u64) -> Vec<Hash> {
        prove::inclusion(index, size, |ranges| self.within(size, ranges)).expect("a proof")
    }

    fn consistency(&self, first: u64, second: u64) -> Vec<Hash> {
        prove::consistency(first, second, |ranges| self.within(second, ranges)).expect("a proof")
    }

    fn within(&self, size: u64, ranges: &[HashRange]) -> Result<Vec<Vec<Hash>>, String> {
        assert!((1..=16).contains(&ranges.len()), "{ranges:?}");
        let row = |&HashRange { level, start, count }: &HashRange| {
            assert!(
                (1..=256).contains(&count) && start / 256 == (start + count - 1) / 256,
                "one tile: {start} {count}"
            );
            assert!(start + count <= size >> (8 * level), "beyond the tree of {size}: {level} {start} {count}");
            Ok(self.0[usize::from(level)][start as usize..(start + count) as usize].to_vec())
        };
        ranges.iter().map(row).collect()
    }
}

/// By the definition: the two halves of 256.
fn tile_root(tile: &[Hash]) -> Hash {
    match tile {
        [one] => *one,
        more => {
            let (left, right) = more.split_at(more.len() / 2);
            node_hash(&tile_root(left), &tile_root(right))
        }
    }
}

fn concatenated(hashes: &[Hash]) -> Vec<u8> {
    hashes.iter().flat_map(|hash| *hash.as_bytes()).collect()
}

/// A tree of another implementation.
fn other_tree(size: u64) -> MemoryBackedTree<Sha256, Vec<u8>> {
    let mut tree = MemoryBackedTree::new();
    (0..size).for_each(|index| tree.push(entry(index)));
    tree
}

fn other_root(size: u64, root: Hash) -> RootHash<Sha256> {
    RootHash::new((*root.as_bytes()).into(), size)
}

#[test]
fn the_roots_of_certificate_transparency_s_test_vectors() {
    let inputs = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
    let roots = [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ];
    let mut frontier = Frontier::default();
    assert_eq!(frontier.root(), EMPTY_ROOT);
    for (input, root) in inputs.iter().zip(roots) {
        frontier.push(leaf_hash(&hex::decode(input).expect("hex"))).expect("room");
        assert_eq!(format!("{:x}", frontier.root()), root);
    }
}

/// The hashes of all complete subtrees, by height: so that all pairs are soon tried, while [`prove`] hashes tiles.
struct Pyramid(Vec<Vec<Hash>>);

impl Pyramid {
    fn of(size: u64) -> Self {
        let mut heights = vec![leaves(0..size)];
        while let Some([first, second, rest @ ..]) = heights.last().map(Vec::as_slice) {
            let pairs = [&[*first, *second], rest].concat();
            heights.push(pairs.as_chunks::<2>().0.iter().map(|[left, right]| node_hash(left, right)).collect());
        }
        Self(heights)
    }

    fn proof(&self, elements: &[Element]) -> Vec<Hash> {
        let hash = |node: &Node| self.0[node.height as usize][node.index as usize];
        let element = |nodes: &Element| nodes.iter().rev().map(hash).reduce(|right, left| node_hash(&left, &right));
        elements.iter().map(|nodes| element(nodes).expect("an element has nodes")).collect()
    }

    fn root(&self, size: u64) -> Hash {
        self.proof(&[nodes::edge(size, 64)])[0]
    }
}

#[test]
fn inclusion_of_all_pairs_up_to_300_leaves_is_that_of_another_implementation() {
    let (pyramid, stored) = (Pyramid::of(300), Stored::of(300));
    let mut theirs = MemoryBackedTree::<Sha256, Vec<u8>>::new();
    for size in 1..=300 {
        theirs.push(entry(size - 1));
        let root = pyramid.root(size);
        assert_eq!(theirs.root().as_bytes().as_slice(), root.as_bytes());
        for index in 0..size {
            let path = pyramid.proof(&nodes::path(Node { height: 0, index }, size));
            assert_eq!(theirs.prove_inclusion(index as usize).as_bytes(), concatenated(&path), "{index} of {size}");
            assert_eq!(verify::inclusion(index, size, pyramid.0[0][index as usize], &path, root), Ok(()));
            if size < 40 || [128, 255, 256, 257, 299].contains(&size) {
                assert_eq!(stored.inclusion(index, size), path, "{index} of {size}");
            }
        }
    }
}

#[test]
fn consistency_of_all_pairs_up_to_300_leaves_is_that_of_another_implementation() {
    let (pyramid, stored) = (Pyramid::of(300), Stored::of(300));
    let mut theirs = MemoryBackedTree::<Sha256, Vec<u8>>::new();
    let mut roots = vec![EMPTY_ROOT];
    for size in 1..=300 {
        theirs.push(entry(size - 1));
        let root = pyramid.root(size);
        roots.push(root);
        for first in 1..size {
            let proof = pyramid.proof(&nodes::consistency(first, size));
            let expected = theirs.prove_consistency((size - first) as usize);
            assert_eq!(expected.as_bytes(), concatenated(&proof), "{first} to {size}");
            assert_eq!(verify::consistency(first, size, &proof, roots[first as usize], root), Ok(()));
            if size < 40 || [128, 255, 256, 257, 299].contains(&size) {
                assert_eq!(stored.consistency(first, size), proof, "{first} to {size}");
            }
        }
    }
}

#[test]
fn proofs_across_tiles_are_those_of_another_implementation() {
    let size = 66_000 + 131;
    let stored = Stored::of(size);
    let theirs = other_tree(size);
    let root = stored.root(size);
    assert_eq!(theirs.root().as_bytes().as_slice(), root.as_bytes());
    let places =
        [0, 1, 255, 256, 257, 32_767, 32_768, 65_279, 65_535, 65_536, 65_792, 66_047, 66_048, 66_100, size - 1];
    for index in places.into_iter().chain((0..size).step_by(997)) {
        let path = stored.inclusion(index, size);
        assert_eq!(theirs.prove_inclusion(index as usize).as_bytes(), concatenated(&path), "{index}");
        assert_eq!(verify::inclusion(index, size, leaf_hash(&entry(index)), &path, root), Ok(()));
        let first = index + 1;
        let proof = stored.consistency(first, size);
        assert_eq!(theirs.prove_consistency((size - first) as usize).as_bytes(), concatenated(&proof), "{first}");
        assert_eq!(verify::consistency(first, size, &proof, stored.root(first), root), Ok(()));
    }
}

#[test]
fn the_largest_tree_has_proofs() {
    let mut asked = Vec::new();
    let answer = |ranges: &[HashRange]| {
        asked = ranges.to_vec();
        Ok::<_, String>(ranges.iter().map(|range| leaves(0..range.count)).collect())
    };
    let path = prove::inclusion(MAX_SIZE - 1, MAX_SIZE, answer).expect("a proof");
    assert_eq!(path.len(), 62);
    assert!(asked.len() <= 16 && asked.iter().all(|range| range.level < 8), "{asked:?}");
    let path = prove::inclusion(0, MAX_SIZE, |ranges| {
        Ok::<_, String>(ranges.iter().map(|range| leaves(0..range.count)).collect())
    });
    assert_eq!(path.expect("a proof").len(), MAX_PROOF);
    for (first, hashes) in [(1, 63), (MAX_SIZE - 1, 63), (1 << 62, 1)] {
        let proof = prove::consistency(first, MAX_SIZE, |ranges| {
            Ok::<_, String>(ranges.iter().map(|range| leaves(0..range.count)).collect())
        });
        assert_eq!(proof.expect("a proof").len(), hashes, "{first}");
    }
}

#[test]
fn no_proof_goes_beyond_the_tree() {
    let unread = |_: &[HashRange]| -> Result<Vec<Vec<Hash>>, String> { panic!("nothing is read") };
    assert_eq!(prove::inclusion(3, 3, unread), Err(ProveError::NoLeaf { index: 3, size: 3 }));
    assert_eq!(prove::inclusion(0, 0, unread), Err(ProveError::NoLeaf { index: 0, size: 0 }));
    assert_eq!(prove::inclusion(0, 1, unread), Ok(Vec::new()));
    assert_eq!(prove::consistency(4, 3, unread), Err(ProveError::NotLarger { first: 4, second: 3 }));
    assert_eq!(prove::consistency(0, 3, unread), Ok(Vec::new()));
    assert_eq!(prove::consistency(3, 3, unread), Ok(Vec::new()));
    assert_eq!(prove::frontier(0, unread), Ok(Frontier::default()));
    for size in [MAX_SIZE + 1, u64::MAX] {
        assert!(matches!(prove::inclusion(0, size, unread), Err(ProveError::TooLarge(_))));
        assert!(matches!(prove::consistency(1, size, unread), Err(ProveError::TooLarge(_))));
        assert!(matches!(prove::frontier(size, unread), Err(ProveError::TooLarge(_))));
    }
}

#[test]
fn a_storage_that_lacks_hashes_is_noticed() {
    let short = |ranges: &[HashRange]| {
        Ok::<_, String>(ranges.iter().map(|range| leaves(0..range.count.saturating_sub(1))).collect())
    };
    let range = HashRange { level: 0, start: 1, count: 3 };
    assert_eq!(prove::inclusion(0, 4, short), Err(ProveError::Missing { range, got: 2 }));
    let silent = |_: &[HashRange]| Ok::<_, String>(Vec::new());
    assert_eq!(prove::consistency(1, 4, silent), Err(ProveError::Unanswered { asked: 1, got: 0 }));
    let broken = |_: &[HashRange]| Err("the disk is gone");
    assert_eq!(prove::frontier(4, broken), Err(ProveError::Read("the disk is gone")));
}

#[test]
fn a_proof_says_why_it_proves_nothing() {
    let stored = Stored::of(6);
    let (root, leaf, path) = (stored.root(6), stored.0[0][4], stored.inclusion(4, 6));
    let check = |index, size, path: &[Hash]| verify::inclusion(index, size, leaf, path, root);
    assert_eq!(check(4, 6, &path), Ok(()));
    assert_eq!(check(4, 6, &path[..1]), Err(ProofError::TooShort { hashes: 1 }));
    assert_eq!(check(4, 6, &[path.as_slice(), &path[..1]].concat()), Err(ProofError::TooLong { hashes: 3 }));
    assert_eq!(check(4, 6, &vec![root; 64]), Err(ProofError::TooLong { hashes: 64 }));
    assert_eq!(check(6, 6, &path), Err(ProofError::NoLeaf { index: 6, size: 6 }));
    assert_eq!(check(0, 0, &[]), Err(ProofError::NoLeaf { index: 0, size: 0 }));
    assert_eq!(check(0, u64::MAX, &[]), Err(ProofError::TooLarge { size: u64::MAX }));
    assert!(matches!(check(5, 6, &path), Err(ProofError::OtherRoot { .. })));

    let (first, proof) = (stored.root(3), stored.consistency(3, 6));
    let check = |first_size, size, proof: &[Hash]| verify::consistency(first_size, size, proof, first, root);
    assert_eq!(check(3, 6, &proof), Ok(()));
    assert_eq!(check(3, 6, &[]), Err(ProofError::TooShort { hashes: 0 }));
    assert_eq!(check(4, 6, &[]), Err(ProofError::TooShort { hashes: 0 }));
    assert_eq!(check(3, 3, &proof), Err(ProofError::TooLong { hashes: proof.len() }));
    assert_eq!(check(0, 6, &proof), Err(ProofError::TooLong { hashes: proof.len() }));
    assert_eq!(check(7, 6, &proof), Err(ProofError::NotLarger { first: 7, second: 6 }));
    assert_eq!(check(0, 6, &[]), Err(ProofError::OtherRoot { size: 0, stated: first, proven: EMPTY_ROOT }));
    assert_eq!(check(3, 3, &[]), Err(ProofError::OtherRoot { size: 3, stated: first, proven: root }));
    assert_eq!(verify::consistency(0, 6, &[], EMPTY_ROOT, root), Ok(()));
}

#[test]
fn subtrees_hashed_apart_make_the_same_tree() {
    let all = leaves(0..1_300);
    let mut frontier = Frontier::default();
    for part in all.chunks(256) {
        match part.len() {
            256 => frontier.push_subtree(8, tile_root(part)).expect("aligned"),
            _ => part.iter().for_each(|leaf| frontier.push(*leaf).expect("room")),
        }
    }
    assert_eq!(frontier, *append(&Frontier::default(), &all).expect("room").frontier());
    let unaligned = FrontierError::Unaligned { size: 1_300, height: 8 };
    assert_eq!(frontier.push_subtree(8, EMPTY_ROOT), Err(unaligned));
    assert_eq!(frontier.push_subtree(64, EMPTY_ROOT), Err(FrontierError::Unaligned { size: 1_300, height: 64 }));
}

#[test]
fn a_frontier_has_as_many_hashes_as_its_size_has_bits() {
    let frontier = Frontier::from_bytes(6, &[7; 64]).expect("two roots");
    assert_eq!((frontier.size(), frontier.roots().len()), (6, 2));
    for (size, bytes) in [(6, 63), (6, 65), (6, 32), (6, 96), (0, 32), (1, 0)] {
        assert_eq!(Frontier::from_bytes(size, &vec![7; bytes]), Err(FrontierError::Length { size, bytes }));
    }
    let mut full = Frontier::from_bytes(MAX_SIZE, &[7; 63 * 32]).expect("the largest tree");
    assert!(matches!(full.push(EMPTY_ROOT), Err(FrontierError::TooLarge(_))));
    assert!(append(&full, &[EMPTY_ROOT]).is_err());
    assert!(Frontier::from_bytes(u64::MAX, &[7; 64 * 32]).is_err());
    assert!(Frontier::default().push_subtree(63, EMPTY_ROOT).is_err());
}

/// The roots of stored subtrees that one tree has and a smaller one lacks.
fn completed(stored: &Stored, old_size: u64, size: u64) -> Vec<SubtreeRoot> {
    let row = |level: u8| {
        let shift = 8 * u32::from(level);
        let row = stored.0.get(usize::from(level)).into_iter();
        row.flat_map(move |row| (old_size >> shift..size >> shift).map(move |index| (index, row[index as usize])))
            .map(move |(index, hash)| SubtreeRoot { level, index, hash })
    };
    (1..4).flat_map(row).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_batch_is_what_its_leaves_are_one_by_one(old_size in 0u64..1_200, batch in 0u64..700) {
        let (size, stored) = (old_size + batch, Stored::of(old_size + batch));
        let mut one_by_one = Frontier::default();
        leaves(0..old_size).into_iter().try_for_each(|leaf| one_by_one.push(leaf)).expect("room");
        let appended = append(&one_by_one, &leaves(old_size..size)).expect("room");
        leaves(old_size..size).into_iter().try_for_each(|leaf| one_by_one.push(leaf)).expect("room");

        prop_assert_eq!(appended.frontier(), &one_by_one);
        prop_assert_eq!(appended.root(), one_by_one.root());
        prop_assert_eq!(appended.root(), stored.root(size));
        prop_assert_eq!(Frontier::from_bytes(size, &one_by_one.to_bytes()), Ok(one_by_one));
        for (index, path) in (old_size..).zip(appended.inclusion_paths()) {
            prop_assert_eq!(verify::inclusion(index, size, stored.0[0][index as usize], &path, appended.root()), Ok(()));
            if index % 50 == 0 {
                prop_assert_eq!(path, stored.inclusion(index, size));
            }
        }
        prop_assert_eq!(appended.inclusion_paths().count() as u64, batch);
        prop_assert_eq!(appended.subtree_roots(), completed(&stored, old_size, size));
    }

}

proptest! {
    #[test]
    fn an_altered_inclusion_proof_proves_nothing(
        size in 1u64..600, at in any::<prop::sample::Index>(), byte in any::<prop::sample::Index>(), bit in 0u8..8
    ) {
        let (stored, index) = (Stored::of(size), at.index(size as usize) as u64);
        let (leaf, root, path) = (stored.0[0][index as usize], stored.root(size), stored.inclusion(index, size));
        prop_assert_eq!(verify::inclusion(index, size, leaf, &path, root), Ok(()));
        prop_assert!(verify::inclusion(index + 1, size, leaf, &path, root).is_err());
        let mut bytes = [leaf.as_bytes().as_slice(), root.as_bytes(), &concatenated(&path)].concat();
        let byte = byte.index(bytes.len());
        bytes[byte] ^= 1 << bit;
        let hashes: Vec<_> = bytes.as_chunks::<32>().0.iter().copied().map(Hash::from_bytes).collect();
        prop_assert!(verify::inclusion(index, size, hashes[0], &hashes[2..], hashes[1]).is_err());
    }

    #[test]
    fn an_altered_consistency_proof_proves_nothing(
        second in 2u64..600, at in any::<prop::sample::Index>(), byte in any::<prop::sample::Index>(), bit in 0u8..8
    ) {
        let (stored, first) = (Stored::of(second), 1 + at.index(second as usize - 1) as u64);
        let (old, new, proof) = (stored.root(first), stored.root(second), stored.consistency(first, second));
        prop_assert_eq!(verify::consistency(first, second, &proof, old, new), Ok(()));
        let mut bytes = [old.as_bytes().as_slice(), new.as_bytes(), &concatenated(&proof)].concat();
        let byte = byte.index(bytes.len());
        bytes[byte] ^= 1 << bit;
        let hashes: Vec<_> = bytes.as_chunks::<32>().0.iter().copied().map(Hash::from_bytes).collect();
        prop_assert!(verify::consistency(first, second, &hashes[2..], hashes[0], hashes[1]).is_err());
    }

    #[test]
    fn arbitrary_proofs_never_panic(
        first in any::<u64>(), second in any::<u64>(), shift in 0u32..64, proof in proptest::collection::vec(any::<[u8; 32]>(), 0..70)
    ) {
        let proof: Vec<_> = proof.into_iter().map(Hash::from_bytes).collect();
        for (first, second) in [(first, second), (first >> shift, second >> shift), (first >> 40 >> (shift / 2), second >> shift)] {
            let included = verify::inclusion(first, second, EMPTY_ROOT, &proof, EMPTY_ROOT);
            prop_assert_eq!(included.is_ok(), proof.is_empty() && (first, second) == (0, 1));
            let consistent = verify::consistency(first, second, &proof, EMPTY_ROOT, EMPTY_ROOT);
            prop_assert_eq!(consistent.is_ok(), proof.is_empty() && second <= MAX_SIZE && (first == 0 || first == second));
        }
    }
}

#[test]
fn another_implementation_accepts_these_proofs() {
    let (size, stored) = (300, Stored::of(300));
    let root = other_root(size, stored.root(size));
    for index in 0..size {
        let path = InclusionProof::<Sha256>::from_bytes(concatenated(&stored.inclusion(index, size)));
        root.verify_inclusion(&entry(index), index, &path).expect("included");
        assert!(root.verify_inclusion(&entry(index + 1), index, &path).is_err());
    }
    for first in 1..size {
        let proof = concatenated(&stored.consistency(first, size));
        let proof = ConsistencyProof::<Sha256>::try_from_bytes(proof).expect("whole hashes");
        root.verify_consistency(&other_root(first, stored.root(first)), &proof).expect("consistent");
    }
}
