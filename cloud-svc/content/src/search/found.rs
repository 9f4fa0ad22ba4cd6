//! Whether a search finds a file.

use std::ops::Range;

use super::{
    fold::{Folder, Origin},
    pieces::{self, Piece},
    query::SearchQuery,
    term::Has,
};
use crate::written::Written;

/// The folded texts of a file, one after another.
pub struct Folded {
    text: String,
    /// Where each text begins.
    starts: Vec<usize>,
    origins: Vec<Origin>,
}

impl Folded {
    pub fn new(texts: &[Written<'_>], folder: &mut Folder) -> Self {
        // Folding mostly leaves the length as it is, but for the breaks at both ends.
        let bytes = texts.iter().map(|written| written.text.len() + 2).sum();
        let (text, starts) = (String::with_capacity(bytes), Vec::with_capacity(texts.len()));
        let mut folded = Self { text, starts, origins: Vec::new() };
        for Written { text, .. } in texts {
            folded.starts.push(folded.text.len());
            folder.fold_with_origins(text, &mut folded.text, &mut folded.origins);
        }
        folded
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The index of the text with this place.
    pub(super) fn text_at(&self, place: usize) -> usize {
        self.starts.partition_point(|start| *start <= place).saturating_sub(1)
    }

    /// The bytes of the text with this place that the folded ones were made of.
    pub(super) fn original(&self, place: &Range<usize>) -> Range<usize> {
        let of_byte = |place: usize| {
            let origin = self.origins[..self.origins.partition_point(|origin| origin.folded <= place)].last()?;
            let at = origin.original.start + (place - origin.folded);
            Some(if origin.is_run { at..at + 1 } else { origin.original.clone() })
        };
        let (first, last) = (of_byte(place.start), of_byte(place.end - 1));
        first.map_or(0, |original| original.start)..last.map_or(0, |original| original.end)
    }

    /// The pieces by which the index knows the file, ascending.
    pub fn pieces(&self, tags: &[String]) -> Vec<Piece> {
        let mut all = Vec::with_capacity(self.text.len());
        pieces::of_text(&self.text, |piece| all.push(piece));
        all.extend(tags.iter().map(|tag| pieces::of_tag(tag)));
        all.sort_unstable();
        all.dedup();
        all
    }
}

impl SearchQuery {
    /// How it finds a file; `None` if it does not. `Whole` if each term is found as whole words.
    pub fn find(&self, folded: &Folded, tags: &[String]) -> Option<Has> {
        if self.tag.as_ref().is_some_and(|tag| !tags.contains(tag)) {
            return None;
        }
        let each: Option<Vec<Has>> = self.terms.iter().map(|term| term.find(&folded.text)).collect();
        Some(each?.into_iter().min().unwrap_or(Has::Whole))
    }
}
