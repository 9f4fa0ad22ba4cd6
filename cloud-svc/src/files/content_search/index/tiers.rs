//! Which segments to merge: few segments make a search fast, and few merges make writing cheap.

use std::ops::Range;

/// Segments with as many entries are not merged again.
pub const LARGEST: i64 = 65_536;
const TOGETHER: usize = 4;

/// The neighbors to merge next, as a range of these numbers of entries, the newest first.
// Only where the rest together have at least as many entries as the largest one. So each merge at least doubles the
// segment that an entry is in, and an entry is merged few times.
pub fn to_merge(entries: &[i64]) -> Option<Range<usize>> {
    (0..entries.len()).find_map(|start| {
        let (mut sum, mut most, mut found) = (0, 0, None);
        for (at, count) in entries.iter().enumerate().skip(start).take_while(|(_, count)| **count < LARGEST) {
            (sum, most) = (sum + count, most.max(*count));
            if sum > 2 * LARGEST {
                break;
            }
            if at + 1 - start >= TOGETHER && most <= sum - most {
                found = Some(start..at + 1);
            }
        }
        found
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn neighbors_of_a_size_are_merged() {
        assert_eq!(to_merge(&[]), None);
        assert_eq!(to_merge(&[1, 1, 1]), None);
        assert_eq!(to_merge(&[1, 1, 1, 1]), Some(0..4));
        assert_eq!(to_merge(&[1, 1, 1, 5_000, 1]), None);
        assert_eq!(to_merge(&[1, 5_000, 5_000, 5_000, 5_000]), Some(0..5));
        assert_eq!(to_merge(&[9, 0, 0, 0, 0]), Some(1..5));
        assert_eq!(to_merge(&[LARGEST; 9]), None);
    }

    proptest! {
        #[test]
        fn segments_stay_few(added in prop::collection::vec(1i64..2_000, 1..300)) {
            let (mut segments, mut written) = (Vec::new(), 0);
            for entries in &added {
                segments.insert(0, *entries);
                while let Some(range) = to_merge(&segments) {
                    let sum: i64 = segments[range.clone()].iter().sum();
                    written += sum;
                    segments.splice(range, [sum]);
                }
            }
            let all: i64 = added.iter().sum();
            let whole = usize::try_from(all / LARGEST).unwrap_or_default();
            prop_assert!(segments.len() <= whole + 24, "{segments:?}");
            prop_assert!(written <= 17 * all, "{written} for {all}");
        }
    }
}
