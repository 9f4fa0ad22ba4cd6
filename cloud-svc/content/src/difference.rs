//! The edits that make one list of another.

use std::{
    hash::Hash,
    time::{Duration, Instant},
};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

/// The edits in order, each with its place in both lists. After the time `within` the rest is one coarse edit, which is
/// still correct.
// `similar` moves an edit past equal items without the place of its empty side. Text would be inserted in a wrong place.
pub fn edits<T: Eq + Hash + Ord>(algorithm: Algorithm, old: &[T], new: &[T], within: Option<Duration>) -> Vec<DiffOp> {
    #[expect(clippy::disallowed_methods, reason = "a bound on work, not a time that anybody sees")]
    let deadline = within.map(|within| Instant::now() + within);
    let (mut old_index, mut new_index) = (0, 0);
    let placed = |op: DiffOp| {
        let (old_len, new_len) = (op.old_range().len(), op.new_range().len());
        let placed = match op {
            DiffOp::Equal { len, .. } => DiffOp::Equal { old_index, new_index, len },
            DiffOp::Delete { .. } => DiffOp::Delete { old_index, old_len, new_index },
            DiffOp::Insert { .. } => DiffOp::Insert { old_index, new_index, new_len },
            DiffOp::Replace { .. } => DiffOp::Replace { old_index, old_len, new_index, new_len },
        };
        (old_index, new_index) = (old_index + old_len, new_index + new_len);
        placed
    };
    capture_diff_slices_deadline(algorithm, old, new, deadline).into_iter().map(placed).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use similar::DiffTag;

    use super::*;

    proptest! {
        #[test]
        fn edits_follow_one_another_in_both_lists(
            old in prop::collection::vec(0..3_u8, 0..20),
            new in prop::collection::vec(0..3_u8, 0..20),
        ) {
            for algorithm in [Algorithm::Myers, Algorithm::Patience] {
                let (mut old_at, mut new_at) = (0, 0);
                for edit in edits(algorithm, &old, &new, None) {
                    let (tag, from, to) = edit.as_tag_tuple();
                    prop_assert_eq!((from.start, to.start), (old_at, new_at));
                    prop_assert!(tag != DiffTag::Equal || old[from.clone()] == new[to.clone()]);
                    (old_at, new_at) = (from.end, to.end);
                }
                prop_assert_eq!((old_at, new_at), (old.len(), new.len()));
            }
        }
    }
}
