//! Which part of a content is shown.

use maud::Markup;

use crate::faces::pages::{
    discussion::Discussion,
    paging::{self, Part},
};

pub struct Shown<'a> {
    /// From 1.
    pub page: usize,
    /// From 1.
    pub sheet: usize,
    pub discussion: &'a Discussion<'a>,
    /// The URL for a sheet and a page.
    pub href: &'a dyn Fn(Option<usize>, usize) -> String,
}

impl Shown<'_> {
    /// For content without sheets.
    pub fn links(&self, part: Part) -> Markup {
        paging::links(text!("Pages of the content"), part, |page| (self.href)(None, page))
    }
}
