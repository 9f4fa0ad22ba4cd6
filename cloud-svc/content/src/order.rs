//! Finds what has moved in a list.

use std::{collections::HashMap, hash::Hash};

/// The fewest things whose removal leaves the rest in the same order in both lists. Each list has a thing once.
pub fn moved<T: Copy + Eq + Hash>(before: &[T], later: &[T]) -> Vec<T> {
    let old_places: HashMap<T, usize> = before.iter().enumerate().map(|(place, thing)| (*thing, place)).collect();
    let common: Vec<(T, usize)> = later.iter().filter_map(|thing| Some((*thing, *old_places.get(thing)?))).collect();
    // Comparing places alone would count everything after a moved part as moved.
    let stays = longest_increasing(&common.iter().map(|(_, place)| *place).collect::<Vec<_>>());
    let mut stays = stays.into_iter().peekable();
    let mut is_moved = |index: usize| stays.next_if_eq(&index).is_none();
    common.iter().enumerate().filter(|(index, _)| is_moved(*index)).map(|(_, (thing, _))| *thing).collect()
}

/// The indices of a longest increasing subsequence (patience sorting).
fn longest_increasing(values: &[usize]) -> Vec<usize> {
    let mut tails: Vec<usize> = Vec::new();
    let mut previous = vec![None; values.len()];
    for (index, value) in values.iter().enumerate() {
        let length = tails.partition_point(|tail| values[*tail] < *value);
        previous[index] = length.checked_sub(1).map(|shorter| tails[shorter]);
        if length == tails.len() {
            tails.push(index);
        } else {
            tails[length] = index;
        }
    }
    let mut sequence = Vec::new();
    let mut at = tails.last().copied();
    while let Some(index) = at {
        sequence.push(index);
        at = previous[index];
    }
    sequence.reverse();
    sequence
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::moved;

    #[test]
    fn one_that_jumps_over_others_is_the_one_that_moved() {
        assert_eq!(moved(&[1, 2, 3, 4], &[1, 3, 4, 2]), [2]);
        assert_eq!(moved(&[1, 2, 3, 4], &[4, 1, 2, 3]), [4]);
        assert_eq!(moved(&[1, 2, 3], &[9, 1, 8, 3]), [0; 0]);
        assert_eq!(moved::<u8>(&[], &[]), [0; 0]);
    }

    proptest! {
        #[test]
        fn what_did_not_move_is_in_one_order(seed in proptest::collection::vec(0usize..8, 0..8)) {
            let before: Vec<usize> = (0..8).collect();
            let mut later = before.clone();
            for place in seed {
                let thing = later.remove(place);
                later.push(thing);
            }
            let moved = moved(&before, &later);
            let rest: Vec<_> = later.iter().filter(|thing| !moved.contains(thing)).copied().collect();
            prop_assert!(rest.is_sorted());
        }
    }
}
