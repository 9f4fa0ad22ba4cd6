//! Invisible characters.

use icu_properties::{
    CodePointMapData, CodePointSetData,
    props::{Emoji, Script},
};
use shared_model::text::is_invisible;

/// The numbers of hidden characters in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hidden {
    /// All that are neither of the others.
    pub invisible: usize,
    /// Controls of the text direction.
    pub bidi: usize,
    /// Tags: invisible copies of ASCII.
    pub tags: usize,
}

// The flags of England, Scotland and Wales are written with tags (Unicode Technical Standard 51).
// Other tags after the black flag could be a message.
const TAGGED_FLAGS: [&str; 3] = ["gbeng", "gbsct", "gbwls"];

const BLACK_FLAG: char = '\u{1f3f4}';
const JOINER: char = '\u{200d}';
const NON_JOINER: char = '\u{200c}';

// In these scripts the zero-width joiner and non-joiner change the shape of letters. Elsewhere they only hide.
const JOINED_SCRIPTS: [Script; 19] = [
    Script::Arabic,
    Script::Syriac,
    Script::Nko,
    Script::Mongolian,
    Script::Devanagari,
    Script::Bengali,
    Script::Gurmukhi,
    Script::Gujarati,
    Script::Oriya,
    Script::Tamil,
    Script::Telugu,
    Script::Kannada,
    Script::Malayalam,
    Script::Sinhala,
    Script::Khmer,
    Script::Myanmar,
    Script::Tibetan,
    Script::Balinese,
    Script::Javanese,
];

pub fn hidden(text: &str) -> Hidden {
    let mut hidden = Hidden::default();
    // Most text is ASCII, which has no hidden characters but controls, and the rules of text refuse those.
    if text.bytes().all(|byte| byte < 0x7f) {
        return hidden;
    }
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let before = &text[..text.len() - rest.len()];
        rest = &rest[if c == BLACK_FLAG { flag_length(rest) } else { c.len_utf8() }..];
        match c {
            '\u{e0000}'..='\u{e007f}' => hidden.tags += 1,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => hidden.bidi += 1,
            '\n' | '\t' => {}
            _ if (c.is_control() || is_invisible(c)) && !belongs(c, before, rest) => hidden.invisible += 1,
            _ => {}
        }
    }
    hidden
}

/// The bytes of a black flag, with the tags that make it the flag of a country.
fn flag_length(text: &str) -> usize {
    let tag = |c: char| char::from_u32(0xe0000 + u32::from(c));
    let is_followed_by = |region: &&&str| {
        let tags = region.chars().filter_map(tag).chain(['\u{e007f}']);
        text.chars().skip(1).zip(tags).filter(|(c, tag)| c == tag).count() == region.len() + 1
    };
    let tags = TAGGED_FLAGS.iter().find(is_followed_by).map_or(0, |region| region.len() + 1);
    text.chars().take(1 + tags).map(char::len_utf8).sum()
}

/// Whether the shape of its neighbors needs this invisible character.
fn belongs(c: char, before: &str, after: &str) -> bool {
    let next = after.chars().next();
    match c {
        '\u{fe0e}' | '\u{fe0f}' => ends_in_emoji(before) || next == Some('\u{20e3}'),
        JOINER if next.is_some_and(is_emoji) => ends_in_emoji(before.strip_suffix('\u{fe0f}').unwrap_or(before)),
        JOINER | NON_JOINER => {
            let script = script_at_end(before).filter(|script| JOINED_SCRIPTS.contains(script));
            script.is_some() && script == next.map(script_of)
        }
        '\u{180b}'..='\u{180d}' | '\u{180f}' => script_at_end(before) == Some(Script::Mongolian),
        _ => false,
    }
}

fn ends_in_emoji(text: &str) -> bool {
    text.chars().next_back().is_some_and(is_emoji)
}

// Unicode counts digits as emoji because of keycaps. A digit alone is not one.
fn is_emoji(c: char) -> bool {
    !c.is_ascii() && CodePointSetData::new::<Emoji>().contains(c)
}

fn script_of(c: char) -> Script {
    CodePointMapData::<Script>::new().get(c)
}

/// The script of the last letter. A few marks may follow the letter, but no joiner.
fn script_at_end(text: &str) -> Option<Script> {
    let is_joiner = |c: &char| matches!(*c, JOINER | NON_JOINER);
    let mut last = text.chars().rev().take(4).take_while(|c| !is_joiner(c)).map(script_of);
    last.find(|script| *script != Script::Inherited)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_shape_of_a_text_needs_is_not_hidden() {
        for text in [
            "plain\n\ttext",
            "日本語 한국어 Übersicht",
            "❤\u{fe0f} ☎\u{fe0e} 1\u{fe0f}\u{20e3}",
            "👨\u{200d}👩\u{200d}👧 👩🏽\u{200d}⚕\u{fe0f} 🏳\u{fe0f}\u{200d}🌈",
            "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} 🏴\u{200d}☠\u{fe0f} 🏴",
            "می\u{200c}خواهم",
            "क्\u{200d}ष ක්\u{200d}ර",
        ] {
            assert_eq!(hidden(text), Hidden::default(), "{text}");
        }
    }

    #[test]
    fn what_nobody_sees_is_counted_by_its_kind() {
        let invisible = |invisible| Hidden { invisible, ..Hidden::default() };
        assert_eq!(hidden("a\u{200b}b\u{ad}\u{2060}"), invisible(3));
        assert_eq!(hidden("a\u{200d}b\u{200c}c a\u{fe0f}"), invisible(3));
        assert_eq!(hidden("م\u{200c}\u{200c}م"), invisible(2));
        assert_eq!(hidden("م\u{200c}a"), invisible(1));
        assert_eq!(hidden("\u{7f}\u{85}"), invisible(2));
        assert_eq!(hidden("a\u{202e}b\u{2066}\u{200e}\u{61c}"), Hidden { bidi: 4, ..Hidden::default() });
        assert_eq!(hidden("a\u{e0041}\u{e007f}"), Hidden { tags: 2, ..Hidden::default() });
        // No flag, but text after one.
        assert_eq!(hidden("🏴\u{e0068}\u{e0069}\u{e007f}"), Hidden { tags: 3, ..Hidden::default() });
        assert_eq!(hidden("🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}"), Hidden { tags: 4, ..Hidden::default() });
    }
}
