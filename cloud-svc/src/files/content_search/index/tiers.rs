//! Which segments to merge: few segments make a search fast, and few merges make writing cheap.

use std::ops::Range;

/// Larger segments are not merged again.
pub const LARGEST: i64 = 65_536;
// Four neighbours of a size become one.
const TOGETHER: usize = 4;
// Each tier has segments of four times as many entries as the one before.
const SMALLEST: i64 = 64;

fn tier(entries: i64) -> u32 {
    (entries / SMALLEST).max(1).ilog(4)
}

/// The neighbours to merge next, as a range of these numbers of entries, the newest first.
pub fn to_merge(entries: &[i64]) -> Option<Range<usize>> {
    for most in 0..=tier(LARGEST) {
        let is_small = |count: &i64| tier(*count) <= most && *count < LARGEST;
        let mut start = 0;
        while start < entries.len() {
            let run = entries[start..].iter().take_while(|count| is_small(count)).count();
            if run >= TOGETHER {
                return Some(start..start + run);
            }
            start += run + 1;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn neighbours_of_a_size_are_merged() {
        assert_eq!(to_merge(&[]), None);
        assert_eq!(to_merge(&[1, 1, 1]), None);
        assert_eq!(to_merge(&[1, 1, 1, 1]), Some(0..4));
        assert_eq!(to_merge(&[1, 1, 1, 5_000, 1]), None);
        assert_eq!(to_merge(&[1, 5_000, 5_000, 5_000, 5_000]), Some(0..5));
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
            prop_assert!(written <= 8 * all, "{written} for {all}");
        }
    }
}
