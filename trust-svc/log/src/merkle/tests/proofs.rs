//! What proofs refuse, and why.

use proptest::prelude::*;

use super::stored::{Stored, concatenated, leaves};
use crate::merkle::{
    frontier::{Frontier, FrontierError},
    hash::{EMPTY_ROOT, Hash},
    prove::{self, HashRange, ProveError},
    size::{MAX_PROOF, MAX_SIZE, TooLarge},
    verify::{self, ProofError},
};

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
    let path = path.expect("a proof");
    assert_eq!(path.len(), MAX_PROOF);
    let verified = verify::inclusion(0, MAX_SIZE, EMPTY_ROOT, &path, EMPTY_ROOT);
    assert!(matches!(verified, Err(ProofError::OtherRoot { size: MAX_SIZE, .. })), "{verified:?}");
    let longer = verify::inclusion(0, MAX_SIZE, EMPTY_ROOT, &vec![EMPTY_ROOT; 1_000_000], EMPTY_ROOT);
    assert_eq!(longer, Err(ProofError::TooLong { hashes: 1_000_000 }));
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
fn an_error_names_the_rule_and_the_values_that_break_it() {
    type Prove = ProveError<TooLarge>;
    let (too_large, range) = (TooLarge { size: 8, more: 9 }, HashRange { level: 1, start: 2, count: 3 });
    let (stated, proven) = (Hash::from_bytes([1; 32]), EMPTY_ROOT);
    let errors: [(&dyn std::error::Error, &[&str]); 15] = [
        (&too_large, &["at most 9223372036854775807", "has 8", "9 come"]),
        (&FrontierError::TooLarge(too_large), &["has 8", "9 come"]),
        (&FrontierError::Length { size: 6, bytes: 63 }, &["6 leaves", "64 bytes, has 63"]),
        (&FrontierError::Unaligned { size: 3, height: 8 }, &["2^8", "not at 3"]),
        (&Prove::TooLarge(too_large), &["has 8", "9 come"]),
        (&Prove::NoLeaf { index: 4, size: 3 }, &["below", "3, and is 4"]),
        (&Prove::NotLarger { first: 4, second: 3 }, &["at most the second, 3, and is 4"]),
        (&Prove::Read(too_large), &["cannot be read", "has 8"]),
        (&Prove::Missing { range, got: 2 }, &["level 1", "3 hashes from 2 on, has 2"]),
        (&Prove::Unanswered { asked: 2, got: 1 }, &["2 ranges", "1 returned"]),
        (&ProofError::TooLarge { size: u64::MAX }, &["at most 9223372036854775807", "has 18446744073709551615"]),
        (&ProofError::NotLarger { first: 4, second: 3 }, &["at most the second, 3, and is 4"]),
        (&ProofError::TooLong { hashes: 64 }, &["too long", "64"]),
        (&ProofError::TooShort { hashes: 1 }, &["too few", "1"]),
        (&ProofError::OtherRoot { size: 6, stated, proven }, &["6 leaves", &stated.to_string(), &proven.to_string()]),
    ];
    for (error, parts) in errors {
        let text = error.to_string();
        assert!(parts.iter().all(|part| text.contains(part)), "{text}: {parts:?}");
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
        first in any::<u64>(), second in any::<u64>(), shift in 0u32..64,
        proof in proptest::collection::vec(any::<[u8; 32]>(), 0..70)
    ) {
        let proof: Vec<_> = proof.into_iter().map(Hash::from_bytes).collect();
        let smaller = first >> 40 >> (shift / 2);
        for (first, second) in [(first, second), (first >> shift, second >> shift), (smaller, second >> shift)] {
            let included = verify::inclusion(first, second, EMPTY_ROOT, &proof, EMPTY_ROOT);
            prop_assert_eq!(included.is_ok(), proof.is_empty() && (first, second) == (0, 1));
            let consistent = verify::consistency(first, second, &proof, EMPTY_ROOT, EMPTY_ROOT);
            let is_trivial = proof.is_empty() && second <= MAX_SIZE && (first == 0 || first == second);
            prop_assert_eq!(consistent.is_ok(), is_trivial);
        }
    }
}
