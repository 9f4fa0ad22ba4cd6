//! Folds a text: its words without regard to case, width and composition, each between line breaks.
//!
//! `Budget-Plan 会議` becomes `\nbudget\nplan\n会議\n`. So `\nplan\n` finds a word and `pla` finds a part of one.

use std::ops::Range;

use unicode_normalization::{IsNormalized, char::canonical_combining_class, is_nfc_quick};

use super::script::Class;
use crate::name_key::name_key;

/// Stands around each word.
pub const BREAK: char = '\n';

/// Folds texts. Keeps what recent characters became, because folding one takes long.
pub struct Folder {
    recent: Vec<Option<(char, String)>>,
}

const RECENT: usize = 256;

/// What folded bytes were made of: all from one place to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    pub folded: usize,
    pub original: Range<usize>,
    /// Whether each folded byte was made of one byte, in this order; otherwise they are one character.
    // A text has six times as many characters as words.
    pub is_run: bool,
}

impl Default for Folder {
    fn default() -> Self {
        Self { recent: vec![None; RECENT] }
    }
}

impl Folder {
    /// Appends the folded text.
    pub fn fold(&mut self, text: &str, out: &mut String) {
        self.each(text, &mut Words::new(out), |_| {});
    }

    /// Appends the folded text, and where it comes from, in order.
    pub fn fold_with_origins(&mut self, text: &str, out: &mut String, origins: &mut Vec<Origin>) {
        self.each(text, &mut Words::new(out), |origin| origins.push(origin));
    }

    fn each(&mut self, text: &str, words: &mut Words<'_>, mut note: impl FnMut(Origin)) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            // Whole runs at once: most of a text is ASCII. The last of a run may compose with what follows.
            let run = bytes[at..].iter().position(|byte| !byte.is_ascii()).map_or(bytes.len(), |length| at + length);
            let alone = if run < bytes.len() { run.saturating_sub(1) } else { run };
            if alone > at {
                words.push_ascii(&text[at..alone], |folded, word| {
                    note(Origin { folded, original: at + word.start..at + word.end, is_run: true });
                });
                at = alone;
                continue;
            }
            let end = at + cluster(&text[at..]);
            for c in self.folded(&text[at..end]).chars() {
                if let Some(folded) = words.push(c) {
                    note(Origin { folded, original: at..end, is_run: false });
                }
            }
            at = end;
        }
        words.end();
    }

    /// A character and its marks, folded.
    fn folded(&mut self, cluster: &str) -> std::borrow::Cow<'_, str> {
        let mut characters = cluster.chars();
        let (Some(c), None) = (characters.next(), characters.next()) else {
            return name_key(&cluster.replace(is_ignored, "")).into();
        };
        if is_ignored(c) {
            return "".into();
        }
        let place = &mut self.recent[c as usize % RECENT];
        match place {
            Some((known, _)) if *known == c => {}
            _ => *place = Some((c, name_key(cluster))),
        }
        place.as_ref().map_or("", |(_, folded)| folded).into()
    }
}

/// The bytes of the first character and of what may compose with it.
fn cluster(text: &str) -> usize {
    text.char_indices().skip(1).find(|(_, c)| !continues(*c)).map_or(text.len(), |(at, _)| at)
}

fn continues(c: char) -> bool {
    if c.is_ascii() {
        return false;
    }
    // Halfwidth voiced sound marks compose only after they are folded.
    matches!(c, '\u{ff9e}' | '\u{ff9f}')
        || is_ignored(c)
        || canonical_combining_class(c) != 0
        || is_nfc_quick(std::iter::once(c)) == IsNormalized::Maybe
}

// Invisible characters within words: hyphens for breaks, joiners, variation selectors.
fn is_ignored(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

/// Writes characters as words.
struct Words<'a> {
    out: &'a mut String,
    /// The class of the word that is being written.
    open: Class,
}

impl<'a> Words<'a> {
    fn new(out: &'a mut String) -> Self {
        out.push(BREAK);
        Self { out, open: Class::Separator }
    }

    /// The same as [`Self::push`] for each of these characters; `note` gets where each word stands, and its bytes.
    fn push_ascii(&mut self, text: &str, mut note: impl FnMut(usize, Range<usize>)) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let is_letter = bytes[at].is_ascii_alphanumeric();
            let length = bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric() == is_letter).count();
            let class = if is_letter { Class::Letter } else { Class::Separator };
            if class != self.open && self.open != Class::Separator {
                self.out.push(BREAK);
            }
            self.open = class;
            if is_letter {
                let start = self.out.len();
                self.out.push_str(&text[at..at + length]);
                self.out[start..].make_ascii_lowercase();
                note(start, at..at + length);
            }
            at += length;
        }
    }

    /// Returns where the character stands, if it belongs to a word.
    fn push(&mut self, c: char) -> Option<usize> {
        let class = match Class::of(c) {
            Class::Mark if self.open == Class::Separator => Class::Letter,
            Class::Mark => self.open,
            class => class,
        };
        if class != self.open {
            if self.open != Class::Separator {
                self.out.push(BREAK);
            }
            self.open = class;
        }
        (class != Class::Separator).then(|| {
            self.out.push(c);
            self.out.len() - c.len_utf8()
        })
    }

    fn end(&mut self) {
        if self.open != Class::Separator {
            self.out.push(BREAK);
        }
    }
}

/// The words of folded text.
pub fn words(folded: &str) -> impl Iterator<Item = &str> {
    folded.split(BREAK).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_run_is_folded_like_its_characters(text in "[ -~\n]{0,40}") {
            let (mut fast, mut origins, mut slow) = (String::new(), Vec::new(), String::new());
            Folder::default().fold_with_origins(&text, &mut fast, &mut origins);
            let mut words = Words::new(&mut slow);
            let starts: Vec<usize> = text.chars().filter_map(|c| words.push(c.to_ascii_lowercase())).collect();
            words.end();
            prop_assert_eq!(fast, slow);
            let runs = origins.iter().flat_map(|origin| origin.folded..origin.folded + origin.original.len());
            prop_assert_eq!(runs.collect::<Vec<_>>(), starts);
        }
    }
}
