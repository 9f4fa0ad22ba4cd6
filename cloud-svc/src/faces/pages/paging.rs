//! Splits long content into pages.

use std::ops::Range;

use maud::{Markup, html};
use shared_model::{Refusal, code};
use shared_runtime::pages::Text;

// About the bytes of HTML of one page. Bounds the work for a request, however long the content is.
pub const PAGE_COST: usize = 60_000;

/// A page, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub number: usize,
    pub of: usize,
}

/// The page in the query, or the first.
pub fn asked(text: Option<&str>) -> Result<usize, Refusal> {
    let Some(text) = text.filter(|text| !text.is_empty()) else { return Ok(1) };
    let number = text.parse().ok().filter(|number| (1..=100_000).contains(number));
    number.ok_or_else(|| code::invalid_parameter("page", "must be the number of a page"))
}

/// The parts on the asked page, by the cost of each part. A number beyond the last page is the last page.
pub fn cut(costs: impl IntoIterator<Item = usize>, asked: usize) -> (Range<usize>, Part) {
    Cut::of(costs).asked(asked)
}

/// Parts on pages.
pub struct Cut {
    /// The index of the first part of each page.
    starts: Vec<usize>,
    /// Of the parts.
    count: usize,
}

impl Cut {
    /// By the cost of each part.
    pub fn of(costs: impl IntoIterator<Item = usize>) -> Self {
        let mut starts = vec![0];
        // A part that costs more than a page has a page of its own.
        let (mut cost, mut count) = (0, 0);
        for each in costs {
            if cost > 0 && cost + each > PAGE_COST {
                starts.push(count);
                cost = 0;
            }
            cost += each;
            count += 1;
        }
        Self { starts, count }
    }

    pub fn asked(&self, page: usize) -> (Range<usize>, Part) {
        // The content may have become shorter since the link was made.
        let number = page.clamp(1, self.starts.len());
        let end = self.starts.get(number).copied().unwrap_or(self.count);
        (self.starts[number - 1]..end, Part { number, of: self.starts.len() })
    }

    /// The page with the part of this index, from 1.
    pub fn page_of(&self, index: usize) -> usize {
        self.starts.partition_point(|start| *start <= index)
    }
}

/// Links to the previous and next page; empty if there is one page.
pub fn links(what: Text, part: Part, href: impl Fn(usize) -> String) -> Markup {
    html! {
        @if part.of > 1 {
            nav.pages aria-label=(what) {
                @if part.number > 1 { a rel="prev" href=(href(part.number - 1)) { (text!("Previous page")) } " " }
                span { (text!("Page {number} of {of}", number = part.number, of = part.of)) }
                @if part.number < part.of { " " a rel="next" href=(href(part.number + 1)) { (text!("Next page")) } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_all_parts_once_and_in_order() {
        let costs = vec![PAGE_COST / 2 + 1; 5];
        let ranges: Vec<_> = (1..=5).map(|page| cut(costs.clone(), page).0).collect();
        assert_eq!(ranges, [0..1, 1..2, 2..3, 3..4, 4..5]);
        let all = Cut::of(costs.clone());
        assert_eq!((0..5).map(|index| all.page_of(index)).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
        assert_eq!(cut(costs, 99).1, Part { number: 5, of: 5 });
        assert_eq!(cut([1, 2, 3], 1), (0..3, Part { number: 1, of: 1 }));
        assert_eq!(cut([], 1), (0..0, Part { number: 1, of: 1 }));
        assert_eq!(cut([PAGE_COST * 9, 1], 2).0, 1..2, "what is too long alone has a page of its own");
    }

    #[test]
    fn only_numbers_are_pages() {
        assert_eq!((asked(None).ok(), asked(Some("")).ok(), asked(Some("7")).ok()), (Some(1), Some(1), Some(7)));
        for wrong in ["0", "-1", "x", "99999999999999999999"] {
            assert!(asked(Some(wrong)).is_err(), "{wrong}");
        }
    }
}
