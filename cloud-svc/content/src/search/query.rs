//! What a search asks for.

use super::{
    fold::Folder,
    pieces::{self, Piece},
    term::{Has, Term},
};

/// The most bytes of a search text.
pub const TEXT_BYTES: usize = 400;
/// The most words and phrases of a search.
pub const TERMS: usize = 16;

// More pieces would hardly exclude another text, and each costs a look-up in each segment.
const PIECES: usize = 24;
const PIECES_OF_A_TERM: usize = 4;

/// Terms that must all be found, and a tag.
#[derive(Clone, Debug)]
pub struct SearchQuery {
    pub terms: Vec<Term>,
    /// In normalization form C.
    pub tag: Option<String>,
}

/// Reads words, and phrases between quotation marks. `Err` is the broken rule.
pub fn terms(text: &str) -> Result<Vec<Term>, String> {
    if text.is_empty() || text.len() > TEXT_BYTES {
        return Err(format!("must have 1 to {TEXT_BYTES} bytes, has {}", text.len()));
    }
    let mut folder = Folder::default();
    let mut terms = Vec::new();
    // Typographic quotation marks, too: keyboards put them in. A phrase without an end goes to the end of the text.
    for (index, part) in text.split(['"', '“', '”', '„']).enumerate() {
        if index % 2 == 1 {
            terms.extend(Term::new(part, true, &mut folder));
        } else {
            terms.extend(part.split_whitespace().filter_map(|word| Term::new(word, false, &mut folder)));
        }
    }
    match terms.len() {
        0 => Err("must have a letter or a digit".to_owned()),
        1..=TERMS => Ok(terms),
        count => Err(format!("must have at most {TERMS} words and phrases, has {count}")),
    }
}

impl SearchQuery {
    /// Pieces that each text has that is found so, ascending.
    pub fn pieces(&self, has: Has) -> Vec<Piece> {
        let each = (PIECES / self.terms.len().max(1)).clamp(1, PIECES_OF_A_TERM);
        let mut all: Vec<Piece> = self.terms.iter().flat_map(|term| term.pieces(has, each)).collect();
        all.extend(self.tag.as_deref().map(pieces::of_tag));
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Whether parts of words can be found.
    pub fn has_parts(&self) -> bool {
        self.terms.iter().any(Term::has_parts)
    }
}
