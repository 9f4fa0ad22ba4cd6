//! A term of a search: a word, a part of a word, or a phrase.

use memchr::memmem::Finder;

use super::{
    fold::{BREAK, Folder, words},
    pieces::{self, Edge, Piece},
    script::is_cjk,
};

/// The fewest letters of a part of a word.
const PART: usize = 3;

/// What a text must have.
#[derive(Clone, Debug)]
pub struct Term {
    words: Vec<String>,
    whole: Finder<'static>,
    /// `None` if parts of words do not count.
    part: Option<Finder<'static>>,
}

/// How a text has a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Has {
    Part,
    Whole,
}

impl Term {
    /// `None` without a letter or digit. Several words are a phrase: they must follow one another. A quoted phrase has
    /// whole words only.
    pub fn new(text: &str, is_quoted: bool, folder: &mut Folder) -> Option<Self> {
        let mut folded = String::new();
        folder.fold(text, &mut folded);
        let words: Vec<String> = words(&folded).map(str::to_owned).collect();
        let (first, last) = (words.first()?, words.last()?);
        // Runs of CJK characters have no ends that a reader sees, so parts of them count as whole.
        let is_open = |word: &str| is_cjk(word) && (words.len() > 1 || is_long(word, 2));
        let is_part = |word: &str| is_open(word) || (!is_quoted && !is_cjk(word) && is_long(word, PART));
        let whole = pattern(&words, is_open(first), is_open(last));
        let part = pattern(&words, is_part(first), is_part(last));
        let part = (part != whole).then(|| Finder::new(&part).into_owned());
        Some(Self { whole: Finder::new(&whole).into_owned(), part, words })
    }

    pub fn has_parts(&self) -> bool {
        self.part.is_some()
    }

    /// How the folded text has it.
    pub fn find(&self, folded: &str) -> Option<Has> {
        if self.whole.find(folded.as_bytes()).is_some() {
            return Some(Has::Whole);
        }
        self.part.as_ref()?.find(folded.as_bytes()).map(|_| Has::Part)
    }

    /// Up to `limit` places of it in the folded text, as ranges of bytes without the breaks at their ends.
    pub fn places(&self, folded: &str, has: Has, limit: usize) -> Vec<std::ops::Range<usize>> {
        let finder = match has {
            Has::Whole => &self.whole,
            Has::Part => self.part.as_ref().unwrap_or(&self.whole),
        };
        let needle = finder.needle();
        let is_break = |byte: Option<&u8>| usize::from(byte == Some(&(BREAK as u8)));
        let (before, after) = (is_break(needle.first()), is_break(needle.last()));
        let (mut places, mut from) = (Vec::new(), 0);
        while let Some(at) = finder.find(&folded.as_bytes()[from..])
            && places.len() < limit
        {
            let (start, end) = (from + at, from + at + needle.len());
            places.push(start + before..end - after);
            // The break at the end of one place can begin the next.
            from = end - after;
        }
        places
    }

    /// Pieces that each text has that has the term so: at most `limit`, from its beginning to its end.
    pub fn pieces(&self, has: Has, limit: usize) -> Vec<Piece> {
        let needle = match (has, &self.part) {
            (Has::Part, Some(part)) => part.needle(),
            _ => self.whole.needle(),
        };
        let edge = |byte: Option<&u8>| if byte == Some(&(BREAK as u8)) { Edge::Closed } else { Edge::Open };
        let (first, last) = (edge(needle.first()), edge(needle.last()));
        let mut all = Vec::new();
        for (index, word) in self.words.iter().enumerate() {
            let start = if index == 0 { first } else { Edge::Closed };
            let end = if index + 1 == self.words.len() { last } else { Edge::Closed };
            let is_cut = is_cjk(word) && !is_long(word, 2) && (start, end) != (Edge::Closed, Edge::Closed);
            if !is_cut {
                pieces::of_word(word, (start, end), &mut |piece| all.push(piece));
            }
        }
        spread(&all, limit)
    }
}

fn is_long(word: &str, characters: usize) -> bool {
    word.chars().nth(characters - 1).is_some()
}

fn pattern(words: &[String], is_open_at_start: bool, is_open_at_end: bool) -> String {
    let mut pattern = words.join("\n");
    if !is_open_at_start {
        pattern.insert(0, BREAK);
    }
    if !is_open_at_end {
        pattern.push(BREAK);
    }
    pattern
}

/// Up to `limit` of the pieces, evenly spread.
fn spread(all: &[Piece], limit: usize) -> Vec<Piece> {
    let (Some(last), Some(steps)) = (all.len().checked_sub(1), limit.checked_sub(1)) else { return Vec::new() };
    let steps = steps.min(last);
    let mut some: Vec<Piece> = (0..=steps).map(|step| all[step * last / steps.max(1)]).collect();
    some.sort_unstable();
    some.dedup();
    some
}
