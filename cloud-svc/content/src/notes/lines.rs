//! Finds the lines of a text that an earlier text has, also where they have moved.

use std::collections::{HashMap, VecDeque};

use crate::grid::Sources;

/// For each line of `new`, the line of `old` that it is. Each old line is taken once.
// After Heckel, "A technique for isolating differences between files" (1978). Lines that are there once in both texts
// are the same line. So are equal lines beside them. It takes linear time for any texts, unlike a longest common
// subsequence, and it finds what has moved.
pub fn sources(old: &[&str], new: &[&str]) -> Sources {
    let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let rest = old.len().min(new.len()) - start;
    let end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(old, new)| old == new).count();
    let mut found = Found { old, new, source: vec![None; new.len()], is_taken: vec![false; old.len()] };
    (0..start).for_each(|line| found.pair(line, line));
    (1..=end).for_each(|line| found.pair(old.len() - line, new.len() - line));

    let mut once = HashMap::<&str, (Vec<usize>, Vec<usize>)>::new();
    (start..old.len() - end).for_each(|line| once.entry(old[line]).or_default().0.push(line));
    (start..new.len() - end).for_each(|line| once.entry(new[line]).or_default().1.push(line));
    for lines in once.values() {
        if let ([old], [new]) = (lines.0.as_slice(), lines.1.as_slice()) {
            found.pair(*old, *new);
        }
    }
    (1..new.len()).for_each(|line| found.extend(line, line - 1, |old| old.checked_add(1)));
    (1..new.len()).rev().for_each(|line| found.extend(line - 1, line, |old| old.checked_sub(1)));
    // What is left are lines that are there several times, such as empty ones: in their order.
    found.pair_rest();
    found.source
}

struct Found<'a> {
    old: &'a [&'a str],
    new: &'a [&'a str],
    source: Sources,
    is_taken: Vec<bool>,
}

impl Found<'_> {
    fn pair(&mut self, old: usize, new: usize) {
        self.source[new] = Some(old);
        self.is_taken[old] = true;
    }

    /// Pairs a line with the old line beside that of its neighbor, if they are equal and free.
    fn extend(&mut self, new: usize, neighbor: usize, beside: impl Fn(usize) -> Option<usize>) {
        let Some(old) = self.source[neighbor].and_then(beside).filter(|old| *old < self.old.len()) else { return };
        if self.source[new].is_none() && !self.is_taken[old] && self.old[old] == self.new[new] {
            self.pair(old, new);
        }
    }

    fn pair_rest(&mut self) {
        let mut free = HashMap::<&str, VecDeque<usize>>::new();
        for (line, text) in self.old.iter().enumerate().filter(|(line, _)| !self.is_taken[*line]) {
            free.entry(text).or_default().push_back(line);
        }
        for (line, text) in self.new.iter().enumerate() {
            if self.source[line].is_none() {
                self.source[line] = free.get_mut(text).and_then(VecDeque::pop_front);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashSet};

    use proptest::prelude::*;

    use super::sources;

    #[test]
    fn a_line_that_is_inserted_at_the_top_shifts_the_others() {
        assert_eq!(
            sources(&["", "a", "", "b"], &["", "new", "", "a", "", "b"]),
            [Some(0), None, None, Some(1), Some(2), Some(3)]
        );
    }

    #[test]
    fn a_moved_line_is_the_same_line() {
        assert_eq!(sources(&["a", "b", "c", "d"], &["d", "a", "b", "c"]), [Some(3), Some(0), Some(1), Some(2)]);
    }

    proptest! {
        #[test]
        fn every_line_that_was_there_is_found_once(
            old in proptest::collection::vec("[abc]{0,1}", 0..12),
            new in proptest::collection::vec("[abc]{0,1}", 0..12),
        ) {
            let (old, new): (Vec<&str>, Vec<&str>) =
                (old.iter().map(String::as_str).collect(), new.iter().map(String::as_str).collect());
            let sources = sources(&old, &new);
            let mut taken = HashSet::new();
            for (line, source) in sources.iter().enumerate() {
                if let Some(source) = source {
                    prop_assert_eq!(old[*source], new[line]);
                    prop_assert!(taken.insert(*source));
                }
            }
            let count = |lines: &[&str]| {
                lines.iter().fold(BTreeMap::new(), |mut counts: BTreeMap<String, usize>, line| {
                    *counts.entry((*line).to_owned()).or_default() += 1;
                    counts
                })
            };
            let (before, later) = (count(&old), count(&new));
            let common: usize = before.iter().map(|(line, many)| *many.min(later.get(line).unwrap_or(&0))).sum();
            prop_assert_eq!(taken.len(), common);
        }
    }
}
