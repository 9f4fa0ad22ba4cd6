//! Roots and proofs equal those of ct-merkle and the test vectors of certificate transparency.

use ct_merkle::{ConsistencyProof, InclusionProof, RootHash, mem_backed_tree::MemoryBackedTree};
use sha2::Sha256;

use super::stored::{Pyramid, Stored, concatenated, entry};
use crate::merkle::{
    frontier::Frontier,
    hash::{EMPTY_ROOT, Hash, leaf_hash},
    nodes::{self, Node},
    verify,
};

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
