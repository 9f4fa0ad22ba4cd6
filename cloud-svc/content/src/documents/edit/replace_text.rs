//! Replaces text in a block, across the segments of its styles.

use shared_model::Error;

use super::operation::ReplaceTextInBlock;
use crate::{
    documents::content::{TEXT_BYTES, block::Block, segment::Segment},
    preview::Preview,
};

/// The block with each occurrence replaced, in its text and in its cells.
pub fn replaced(block: &Block, replace: &ReplaceTextInBlock, preview: &Preview) -> Result<Block, Error> {
    let ReplaceTextInBlock { find, replace, expected_count, block_id: _ } = replace;
    let cells = block.rows.iter().flatten().flatten();
    let texts = [&block.segments].into_iter().chain(cells).map(|segments| whole(segments));
    let (hits, bytes) =
        texts.fold((0, 0), |(hits, bytes), text| (hits + text.matches(find).count(), bytes + text.len()));
    if i64::try_from(hits).ok() != Some(*expected_count) {
        return Err(match hits {
            0 => preview.invalid("/find", "must occur in the text of the block"),
            _ => preview.invalid("/expected_count", format!("must be how often the text is there, which is {hits}")),
        });
    }
    // Computed before the text is built: many short occurrences could become more than fits into memory.
    let bytes = bytes - hits * find.len() + hits * replace.len();
    if bytes > TEXT_BYTES {
        let rule = format!("must leave at most {TEXT_BYTES} bytes of text, would leave {bytes}");
        return Err(preview.invalid("/replace", rule));
    }
    let mut block = block.clone();
    let cells = block.rows.iter_mut().flatten().flatten();
    [&mut block.segments].into_iter().chain(cells).for_each(|segments| replace_in(segments, find, replace));
    Ok(block)
}

fn whole(segments: &[Segment]) -> String {
    segments.iter().map(|segment| segment.text.as_str()).collect()
}

// An occurrence may span segments. The new text goes to the segment in which the occurrence begins.
fn replace_in(segments: &mut Vec<Segment>, find: &str, replace: &str) {
    let whole = whole(segments);
    let hits: Vec<usize> = whole.match_indices(find).map(|(start, _)| start).collect();
    if hits.is_empty() {
        return;
    }
    let mut start = 0;
    segments.retain_mut(|segment| {
        let end = start + segment.text.len();
        let text = in_segment(&whole, start..end, &hits, find.len(), replace);
        start = end;
        // A segment that loses all its text is dropped. One that was empty before stays.
        let is_kept = !text.is_empty() || segment.text.is_empty();
        segment.text = text;
        is_kept
    });
}

/// The new text of one segment, which has this range of the whole text.
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
        replace_in(&mut some, "name", "title");
        assert_eq!(texts(&some), ["old title", "", " and old title"]);
    }

    #[test]
    fn hits_do_not_overlap() {
        let mut some = segments(&["aaa"]);
        replace_in(&mut some, "aa", "b");
        assert_eq!(texts(&some), ["ba"]);
    }

    proptest! {
        #[test]
        fn the_text_is_that_of_a_plain_replace(parts in proptest::collection::vec("[abé]{0,5}", 0..6), find in "[abé]{1,3}", replace in "[xa]{0,3}") {
            let mut some = segments(&parts.iter().map(String::as_str).collect::<Vec<_>>());
            let whole = parts.concat();
            replace_in(&mut some, &find, &replace);
            prop_assert_eq!(texts(&some).concat(), whole.replace(&find, &replace));
        }
    }
}
