//! Rules for text. A maximum counts bytes of UTF-8, which are never fewer than the characters.

use std::borrow::Cow;

use icu_properties::{
    CodePointSetData,
    props::{DefaultIgnorableCodePoint, Emoji},
};

use crate::joiners;

/// The rule of [`check`] for OpenAPI, without the length. CR is allowed: [`newlines`] replaces it.
pub const PATTERN: &str = r"^[^\x00-\x08\x0b\x0c\x0e-\x1f]*$";
// Excludes only a few invisible characters: patterns have no portable names for most of them.
pub const LINE_PATTERN: &str = r"^[^\x00-\x20\x7f-\xa0]([^\x00-\x1f\x7f-\x9f]*[^\x00-\x20\x7f-\xa0])?$";

/// The text with LF for each CR LF and CR, as people send it from other systems.
pub fn newlines(text: &str) -> Cow<'_, str> {
    match text.contains('\r') {
        true => Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n")),
        false => Cow::Borrowed(text),
    }
}

/// Checks length and control characters. The error is the rule.
pub fn check(text: &str, max: usize) -> Result<(), String> {
    check_length(text, max)?;
    // Control characters mean nothing in a document, and can do harm in a terminal.
    if text.chars().any(|c| c < ' ' && c != '\n' && c != '\t') {
        return Err("must have no control characters except newline and tab".to_owned());
    }
    Ok(())
}

/// Checks one line of text that looks the same to every reader. The error is the rule.
pub fn check_line(text: &str, max: usize) -> Result<(), String> {
    check_length(text, max)?;
    if text.is_empty() || text.chars().any(char::is_control) {
        return Err("must be one line of text, not empty, with no control characters".to_owned());
    }
    check_visible(text)
}

/// Checks that every character is visible. The error is the rule.
pub fn check_visible(text: &str) -> Result<(), String> {
    if has_invisible(text) {
        return Err("must have no invisible characters and no direction overrides".to_owned());
    }
    // Names that differ only in spaces at the ends look the same.
    if text.trim() != text {
        return Err("must not begin or end with a space".to_owned());
    }
    Ok(())
}

/// True for characters that readers do not see, or that change the order of others. These are fillers, soft hyphens,
/// zero-width characters, direction marks, variation selectors, tags, private use.
pub fn is_invisible(c: char) -> bool {
    !c.is_ascii()
        && (CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
            || matches!(c, '\u{2028}' | '\u{2029}' | '\u{e000}'..='\u{f8ff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..))
}

// Text of others could move the cursor, start a line or reverse text in a terminal.
pub fn printable(text: &str) -> Cow<'_, str> {
    let acts = |c: char| c.is_control() || is_invisible(c);
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    text.chars().map(|c| if acts(c) { c.escape_unicode().to_string() } else { c.to_string() }).collect()
}

pub(crate) fn check_length(text: &str, max: usize) -> Result<(), String> {
    if text.len() > max {
        return Err(format!("must be at most {max} bytes in UTF-8, has {}", text.len()));
    }
    Ok(())
}

fn has_invisible(text: &str) -> bool {
    text.char_indices().any(|(at, c)| is_hidden(c, &text[..at], &text[at + c.len_utf8()..]))
}

/// Whether a character is invisible, and not one that words and emoji between these texts are written with.
pub fn is_hidden(c: char, before: &str, after: &str) -> bool {
    // Keyboards type a variation selector with an emoji and with a keycap.
    let is_presentation = || {
        matches!(c, '\u{fe0e}' | '\u{fe0f}')
            && (before.chars().next_back().is_some_and(is_emoji) || after.starts_with('\u{20e3}'))
    };
    is_invisible(c) && !is_presentation() && !joiners::is_written(c, before, after)
}

// Unicode counts digits as emoji, because of keycaps. Alone they are not.
fn is_emoji(c: char) -> bool {
    !c.is_ascii() && CodePointSetData::new::<Emoji>().contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printable_text_has_no_effect_on_a_terminal() {
        assert_eq!(printable("Käse 🧀, \"ja\""), "Käse 🧀, \"ja\"");
        assert_eq!(printable("a\u{1b}[2J\nline 7\u{9b}\u{202e}b"), r"a\u{1b}[2J\u{a}line 7\u{9b}\u{202e}b");
    }

    #[test]
    fn the_bound_counts_bytes_as_well_as_characters() {
        assert!(check("abcd", 4).is_ok());
        assert_eq!(check("äöü", 4), Err("must be at most 4 bytes in UTF-8, has 6".to_owned()));
    }

    #[test]
    fn a_line_that_deceives_is_refused() {
        for line in ["", " ", " a", "a ", "a\u{a0}", "a\nb", "a\tb", "a\0", "a\u{85}b", "a\u{202e}b", "\u{200b}", "ääa"]
        {
            assert!(check_line(line, 4).is_err(), "{line:?}");
        }
        assert_eq!(check_line("a b", 4), Ok(()));
    }

    #[test]
    fn invisible_characters_are_refused() {
        for hidden in [
            '\u{ad}',
            '\u{34f}',
            '\u{61c}',
            '\u{115f}',
            '\u{1160}',
            '\u{17b4}',
            '\u{180e}',
            '\u{200b}',
            '\u{200d}',
            '\u{202e}',
            '\u{2060}',
            '\u{2066}',
            '\u{2028}',
            '\u{3164}',
            '\u{fe0f}',
            '\u{feff}',
            '\u{ffa0}',
            '\u{fff9}',
            '\u{e000}',
            '\u{e0041}',
            '\u{e0100}',
            '\u{100000}',
        ] {
            for line in [hidden.to_string(), format!("a{hidden}"), format!("é{hidden}b")] {
                assert!(check_line(&line, 9).is_err(), "{line:?}");
            }
        }
        for line in
            ["Übersicht", "日本語", "한국어", "हिन्दी", "❤\u{fe0f} Holiday", "1\u{fe0f}\u{20e3} Begin", "☎\u{fe0e}"]
        {
            assert_eq!(check_line(line, 60), Ok(()), "{line:?}");
        }
        assert_eq!(check_line("می\u{200c}خواهم 👩🏽\u{200d}⚕\u{fe0f}", 60), Ok(()));
    }

    #[test]
    fn nul_and_escape_are_refused_newline_and_tab_are_not() {
        assert!(check("a\u{0}b", 9).is_err());
        assert!(check("a\u{1b}b", 9).is_err());
        assert!(check("a\n\tb c", 9).is_ok());
    }
}
