//! Cuts content into pages.

use serde_json::value::RawValue;

#[derive(Debug, PartialEq, Eq)]
pub struct Part<T> {
    pub part: T,
    /// Where the next page begins; `None` on the last.
    pub next: Option<usize>,
}

/// The items from `start` on, up to `max_bytes` together.
// At least one item: with none, a client that follows the cursor would never get past a large item.
pub fn items(mut items: Vec<Box<RawValue>>, start: usize, max_bytes: Option<usize>) -> Part<Vec<Box<RawValue>>> {
    let mut rest = items.split_off(start.min(items.len()));
    let mut bytes = 0;
    let fitting = rest.iter().take_while(|item| {
        bytes += item.get().len() + 1;
        max_bytes.is_none_or(|max| bytes <= max)
    });
    let count = fitting.count().max(1).min(rest.len());
    let next = (count < rest.len()).then_some(start + count);
    rest.truncate(count);
    Part { part: rest, next }
}

/// The text from byte `start` on, at most `max_bytes` of it. Ends at the end of a line if one is in the second half.
pub fn text(text: &str, start: usize, max_bytes: Option<usize>) -> Part<&str> {
    let rest = text.get(start..).unwrap_or_default();
    let Some(max) = max_bytes.filter(|max| *max < rest.len()) else { return Part { part: rest, next: None } };
    let longest = rest.floor_char_boundary(max);
    let line = rest[..longest].rfind('\n').map(|at| at + 1).filter(|end| *end > longest / 2);
    // Never empty: a character has at most four bytes, and `max` is larger.
    let end = line.unwrap_or(longest);
    Part { part: &rest[..end], next: Some(start + end) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::value::to_raw_value;

    use super::*;

    proptest! {
        #[test]
        fn the_parts_of_a_text_are_the_text(whole in "[a-zé☃\n]{0,80}", max in 4usize..20) {
            let (mut joined, mut start) = (String::new(), Some(0));
            while let Some(at) = start {
                let Part { part, next } = text(&whole, at, Some(max));
                prop_assert!(part.len() <= max && (next.is_none() || !part.is_empty()));
                joined.push_str(part);
                start = next;
            }
            prop_assert_eq!(joined, whole);
        }

        #[test]
        fn the_parts_of_a_list_are_the_list(whole in proptest::collection::vec("[a-z]{0,9}", 0..20), max in 1usize..40) {
            let all = || whole.iter().map(|item| to_raw_value(item).expect("JSON")).collect::<Vec<_>>();
            let (mut joined, mut start) = (Vec::new(), Some(0));
            while let Some(at) = start {
                let Part { part, next } = items(all(), at, Some(max));
                let bytes: usize = part.iter().map(|item| item.get().len() + 1).sum();
                prop_assert!(part.len() <= 1 || bytes <= max);
                joined.extend(part);
                start = next;
            }
            let texts = |items: &[Box<RawValue>]| items.iter().map(|item| item.get().to_owned()).collect::<Vec<_>>();
            prop_assert_eq!(texts(&joined), texts(&all()));
        }
    }
}
