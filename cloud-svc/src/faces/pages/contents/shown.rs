//! Which part of a content is shown, and what stands beside it.

use maud::Markup;

use crate::faces::pages::{
    discussion::Discussion,
    paging::{self, Part},
};

/// Which part of a content is shown, and with what.
pub struct Shown<'a> {
    /// The asked page, from 1.
    pub page: usize,
    /// The asked sheet, from 1.
    pub sheet: usize,
    /// The comments, which stand beside what they are about where that is shown.
    pub discussion: &'a Discussion,
    /// The page's address with this sheet and page.
    pub href: &'a dyn Fn(Option<usize>, usize) -> String,
}

impl Shown<'_> {
    /// Links between the pages of a content without sheets.
    pub fn links(&self, part: Part) -> Markup {
        paging::links("Pages of the content", part, |page| (self.href)(None, page))
    }
}
