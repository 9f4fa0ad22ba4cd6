//! A batch at once, leaf by leaf, and subtree by subtree give the same tree.

use proptest::prelude::*;

use super::stored::{Stored, leaves, tile_root};
use crate::merkle::{
    append::{SubtreeRoot, append},
    frontier::{Frontier, FrontierError},
    hash::EMPTY_ROOT,
    size::MAX_SIZE,
    verify,
};

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

/// The roots of stored subtrees that the larger tree has and the smaller one has not.
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
            let leaf = stored.0[0][index as usize];
            prop_assert_eq!(verify::inclusion(index, size, leaf, &path, appended.root()), Ok(()));
            if index % 50 == 0 {
                prop_assert_eq!(path, stored.inclusion(index, size));
            }
        }
        prop_assert_eq!(appended.inclusion_paths().count() as u64, batch);
        prop_assert_eq!(appended.subtree_roots(), completed(&stored, old_size, size));
    }

}
