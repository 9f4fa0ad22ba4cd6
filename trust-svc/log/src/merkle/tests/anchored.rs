//! Proofs that are checked before anybody gets them.

use proptest::prelude::*;

use super::stored::Stored;
use crate::merkle::{
    anchored::{Consistency, Inclusion, Whole},
    hash::Hash,
    prove::{HashRange, ProveError},
};

type Read<'r> = &'r dyn Fn(&[HashRange]) -> Result<Vec<Vec<Hash>>, String>;

/// The hashes of a proof, and the roots that it is about.
type Answer = Result<(Vec<Hash>, Vec<Hash>), ProveError<String>>;

/// All three for one pair of sizes.
fn all(whole: Whole, (index, first, second): (u64, u64, u64), leaf: Hash, read: Read<'_>) -> [Answer; 3] {
    [
        whole.root_at(first, read).map(|root| (Vec::new(), vec![root])),
        whole.inclusion((index, leaf), second, read).map(|Inclusion { path, root }| (path, vec![root])),
        whole.consistency(first, second, read).map(|proof| {
            let Consistency { hashes, first_root, second_root } = proof;
            (hashes, vec![first_root, second_root])
        }),
    ]
}

fn read_from(stored: &Stored, ranges: &[HashRange]) -> Vec<Vec<Hash>> {
    let row = |&HashRange { level, start, count }: &HashRange| {
        stored.0[usize::from(level)][start as usize..(start + count) as usize].to_vec()
    };
    assert!(ranges.len() <= 32, "{ranges:?}");
    ranges.iter().map(row).collect()
}

fn flipped(hash: Hash, bit: usize) -> Hash {
    let mut bytes = *hash.as_bytes();
    bytes[bit / 8] ^= 1 << (bit % 8);
    Hash::from_bytes(bytes)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_damaged_hash_gives_another_answer(
        size in prop_oneof![20 => 1_u64..700, 2 => Just(256), 2 => Just(512), 1 => 65_000_u64..66_500],
        sizes in any::<[u64; 3]>(),
        at in any::<[usize; 2]>(),
        bit in 0_usize..256,
    ) {
        let stored = Stored::of(size);
        let whole = Whole { size, root: stored.root(size) };
        let second = 1 + sizes[0] % size;
        let (first, index) = (sizes[1] % (second + 1), sizes[2] % second);
        let leaf = stored.0[0][index as usize];
        let intact = |ranges: &[HashRange]| Ok(read_from(&stored, ranges));
        let expected = all(whole, (index, first, second), leaf, &intact);
        prop_assert_eq!(&expected[0], &Ok((Vec::new(), vec![stored.root(first)])));
        prop_assert_eq!(&expected[1], &Ok((stored.inclusion(index, second), vec![stored.root(second)])));
        let roots = vec![stored.root(first), stored.root(second)];
        prop_assert_eq!(&expected[2], &Ok((stored.consistency(first, second), roots)));

        let damaged = |ranges: &[HashRange]| {
            let mut rows = read_from(&stored, ranges);
            let row = at[0] % rows.len().max(1);
            if let Some(row) = rows.get_mut(row) {
                let place = at[1] % row.len();
                row[place] = flipped(row[place], bit);
            }
            Ok(rows)
        };
        for (found, expected) in all(whole, (index, first, second), leaf, &damaged).into_iter().zip(expected) {
            prop_assert!(found == expected || found == Err(ProveError::Damaged), "{:?}", found);
        }
        let other = flipped(leaf, bit);
        prop_assert_eq!(whole.inclusion((index, other), second, intact), Err(ProveError::Damaged));
        let wrong = Whole { root: flipped(whole.root, bit), ..whole };
        prop_assert_eq!(wrong.inclusion((index, leaf), second, intact), Err(ProveError::Damaged));
    }
}

#[test]
fn nothing_is_proven_beyond_the_whole() {
    let stored = Stored::of(5);
    let whole = Whole { size: 5, root: stored.root(5) };
    let read = |ranges: &[HashRange]| Ok::<_, String>(read_from(&stored, ranges));
    assert_eq!(whole.root_at(6, read), Err(ProveError::NotLarger { first: 6, second: 5 }));
    assert_eq!(whole.inclusion((2, stored.0[0][2]), 2, read), Err(ProveError::NoLeaf { index: 2, size: 2 }));
    assert_eq!(whole.consistency(3, 2, read), Err(ProveError::NotLarger { first: 3, second: 2 }));
}
