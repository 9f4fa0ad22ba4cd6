//! How insertions and deletions shift the places of rows, columns and sheets.

/// An insertion before the place `at`, or a deletion from it on.
#[derive(Clone, Copy, Debug)]
pub enum Shift {
    Insert { at: usize, count: usize },
    Delete { at: usize, count: usize },
}

impl Shift {
    /// The new place; `None` if it is deleted.
    pub fn place(self, place: usize) -> Option<usize> {
        match self {
            Self::Insert { at, count } => Some(if place < at { place } else { place + count }),
            Self::Delete { at, .. } if place < at => Some(place),
            Self::Delete { at, count } => place.checked_sub(count).filter(|place| *place >= at),
        }
    }

    /// The new ends of a range of places; `None` if all are deleted.
    pub fn neighbors(self, first: usize, last: usize) -> Option<(usize, usize)> {
        // Each place by itself: an end may be deleted, and then the next place that remains is the end.
        let mut places = (first..=last).filter_map(|place| self.place(place));
        let first = places.next()?;
        Some((first, places.next_back().unwrap_or(first)))
    }

    /// The new ends of what a formula refers to on a sheet of `length` places; `None` if all of it is gone.
    pub fn referred(self, first: usize, last: usize, length: usize) -> Option<(usize, usize)> {
        let is_range = first < last;
        let (first, last) = match self {
            // Like LibreOffice Calc with its setting "Expand references when new columns/rows are inserted". What is
            // inserted directly before or after a range joins it. Otherwise a row above a total would not be summed.
            Self::Insert { at, count } if is_range && at >= first && at <= last + 1 => (first, last + count),
            Self::Insert { .. } => (self.place(first)?, self.place(last)?),
            Self::Delete { at, count } => {
                let left = |place: usize| place - place.saturating_sub(at).min(count);
                // The end of a range that reaches to the end of the sheet stays there, as in Calc.
                let reaches_end = is_range && last + 1 == length;
                let end = if reaches_end { length } else { left(last + 1) };
                (left(first), end.checked_sub(1)?)
            }
        };
        let last = if is_range { last.min(length - 1) } else { last };
        (first <= last && last < length).then_some((first, last))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Shift;

    proptest! {
        #[test]
        fn places_are_those_of_a_list_that_is_spliced(
            length in 1usize..9, at in 0usize..9, count in 1usize..5, deletes: bool,
        ) {
            let list: Vec<Option<usize>> = (0..length).map(Some).collect();
            let mut later = list.clone();
            let at = at.min(length);
            let splice = if deletes {
                later.drain(at..(at + count).min(length));
                Shift::Delete { at, count }
            } else {
                later.splice(at..at, vec![None; count]);
                Shift::Insert { at, count }
            };
            for place in 0..length {
                prop_assert_eq!(splice.place(place), later.iter().position(|thing| *thing == Some(place)));
            }
        }
    }

    #[test]
    fn neighbors_stay_together() {
        let insert = |at| Shift::Insert { at, count: 2 };
        assert_eq!(insert(2).neighbors(2, 4), Some((4, 6)));
        assert_eq!(insert(3).neighbors(2, 4), Some((2, 6)));
        assert_eq!(insert(5).neighbors(2, 4), Some((2, 4)));
        let delete = |at, count| Shift::Delete { at, count };
        assert_eq!(delete(0, 2).neighbors(2, 4), Some((0, 2)));
        assert_eq!(delete(1, 2).neighbors(2, 4), Some((1, 2)));
        assert_eq!(delete(3, 1).neighbors(2, 4), Some((2, 3)));
        assert_eq!(delete(3, 9).neighbors(2, 4), Some((2, 2)));
        assert_eq!(delete(2, 3).neighbors(2, 4), None);
    }
}
