//! Which characters are letters of words, and which scripts write without spaces between words.

use unicode_normalization::char::canonical_combining_class;

/// What a folded character is to a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// It ends a word.
    Separator,
    Letter,
    /// A character of Chinese, Japanese or Korean text. Its runs are searched by pairs.
    Cjk,
    /// It belongs to the character before.
    Mark,
}

impl Class {
    pub fn of(c: char) -> Self {
        if c.is_ascii() {
            return if c.is_ascii_alphanumeric() { Self::Letter } else { Self::Separator };
        }
        match c {
            // The middle dot separates words.
            '\u{30fb}' => Self::Separator,
            '\u{1100}'..='\u{11ff}'
            | '\u{3005}'
            | '\u{3007}'
            | '\u{3041}'..='\u{3096}'
            | '\u{309d}'..='\u{309f}'
            | '\u{30a1}'..='\u{30ff}'
            | '\u{3105}'..='\u{312f}'
            | '\u{3131}'..='\u{318e}'
            | '\u{31a0}'..='\u{31bf}'
            | '\u{31f0}'..='\u{31ff}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{a960}'..='\u{a97c}'
            | '\u{ac00}'..='\u{d7fb}'
            | '\u{f900}'..='\u{faff}'
            | '\u{20000}'..='\u{3ffff}' => Self::Cjk,
            _ if canonical_combining_class(c) != 0 => Self::Mark,
            _ if c.is_alphanumeric() => Self::Letter,
            _ => Self::Separator,
        }
    }
}

/// Whether a folded word is a run of Chinese, Japanese or Korean characters.
pub fn is_cjk(word: &str) -> bool {
    word.chars().next().is_some_and(|c| Class::of(c) == Class::Cjk)
}
