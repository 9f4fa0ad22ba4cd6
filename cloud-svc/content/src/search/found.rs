//! Whether a search finds a file.

use super::{
    fold::Folder,
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
}

impl Folded {
    pub fn new(texts: &[Written<'_>], folder: &mut Folder) -> Self {
        let mut folded = Self { text: String::new(), starts: Vec::with_capacity(texts.len()) };
        for Written { text, .. } in texts {
            folded.starts.push(folded.text.len());
            folder.fold(text, &mut folded.text);
        }
        folded
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The index of the text with this place, and the place within it.
    pub(super) fn text_at(&self, place: usize) -> (usize, usize) {
        let index = self.starts.partition_point(|start| *start <= place).saturating_sub(1);
        (index, place - self.starts.get(index).copied().unwrap_or_default())
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
