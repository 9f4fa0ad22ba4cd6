//! Replacing text in a block, whose text lies in segments of different styles.

use crate::documents::content::{block::Block, segment::Segment};

/// Replaces every occurrence of `find` in the block's text or in its cells; returns how many there were.
pub fn replace_text(block: &mut Block, find: &str, replace: &str) -> usize {
    let cells = block.rows.iter_mut().flatten().flatten();
    [&mut block.segments].into_iter().chain(cells).map(|segments| in_segments(segments, find, replace)).sum()
}

/// An occurrence may span segments: what it becomes goes to the one in which it begins. A segment of which nothing is left is
/// dropped.
fn in_segments(segments: &mut Vec<Segment>, find: &str, replace: &str) -> usize {
    let whole: String = segments.iter().map(|segment| segment.text.as_str()).collect();
    let hits: Vec<usize> = whole.match_indices(find).map(|(start, _)| start).collect();
    if hits.is_empty() {
        return 0;
    }
    let mut start = 0;
    segments.retain_mut(|segment| {
        let end = start + segment.text.len();
        let text = in_segment(&whole, start..end, &hits, find.len(), replace);
        start = end;
        let is_kept = !text.is_empty() || segment.text.is_empty();
        segment.text = text;
        is_kept
    });
    hits.len()
}

/// What becomes of one range of the whole text.
fn in_segment(whole: &str, range: std::ops::Range<usize>, hits: &[usize], length: usize, replace: &str) -> String {
    let mut text = String::new();
    let mut at = range.start;
    let first = hits.partition_point(|hit| hit + length <= range.start);
    for hit in hits[first..].iter().take_while(|hit| **hit < range.end) {
        if *hit >= range.start {
            text.push_str(&whole[at..*hit]);
            text.push_str(replace);
        }
        at = (hit + length).min(range.end);
    }
    text.push_str(&whole[at..range.end]);
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn segments(texts: &[&str]) -> Vec<Segment> {
        let segment =
            |text: &&str| Segment { text: (*text).to_owned(), bold: None, italic: None, underline: None, link: None };
        texts.iter().map(segment).collect()
    }

    fn texts(segments: &[Segment]) -> Vec<&str> {
        segments.iter().map(|segment| segment.text.as_str()).collect()
    }

    #[test]
    fn a_hit_across_styles_takes_the_style_in_which_it_begins() {
        let mut some = segments(&["old na", "me", "", " and old name"]);
        assert_eq!(in_segments(&mut some, "name", "title"), 2);
        assert_eq!(texts(&some), ["old title", "", " and old title"]);
    }

    #[test]
    fn hits_do_not_overlap() {
        let mut some = segments(&["aaa"]);
        assert_eq!(in_segments(&mut some, "aa", "b"), 1);
        assert_eq!(texts(&some), ["ba"]);
    }

    proptest! {
        #[test]
        fn the_text_is_that_of_a_plain_replace(parts in proptest::collection::vec("[abé]{0,5}", 0..6), find in "[abé]{1,3}", replace in "[xa]{0,3}") {
            let mut some = segments(&parts.iter().map(String::as_str).collect::<Vec<_>>());
            let whole = parts.concat();
            let hits = in_segments(&mut some, &find, &replace);
            prop_assert_eq!(hits, whole.matches(&find).count());
            prop_assert_eq!(texts(&some).concat(), whole.replace(&find, &replace));
        }
    }
}
