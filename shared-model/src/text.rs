//! Text as the services accept it: "max N chars/bytes" bounds Unicode characters and UTF-8 bytes alike.

use std::borrow::Cow;

use icu_properties::{
    CodePointSetData,
    props::{DefaultIgnorableCodePoint, Emoji},
};

/// What [`check`] demands but for the length, for OpenAPI.
pub const PATTERN: &str = r"^[^\x00-\x08\x0b-\x1f]*$";
/// What [`check_line`] demands but for the length, for OpenAPI; of invisible characters only the first are in it, for
/// patterns have no portable names of the others.
pub const LINE_PATTERN: &str = r"^[^\x00-\x20\x7f-\xa0]([^\x00-\x1f\x7f-\x9f]*[^\x00-\x20\x7f-\xa0])?$";

/// Checks length and control characters; `Err` says the rule.
///
/// NUL and the other C0 controls are refused but for newline and tab: they mean nothing in a document and much in a
/// terminal.
pub fn check(text: &str, max: usize) -> Result<(), String> {
    check_length(text, max)?;
    if text.chars().any(|c| c < ' ' && c != '\n' && c != '\t') {
        return Err("must have no control characters but newline and tab".to_owned());
    }
    Ok(())
}

/// Checks text of one line, which means the same to every eye; `Err` says the rule.
pub fn check_line(text: &str, max: usize) -> Result<(), String> {
    check_length(text, max)?;
    if text.is_empty() || text.chars().any(char::is_control) {
        return Err("must be one line of text, not empty, with no control characters".to_owned());
    }
    check_visible(text)
}

/// Checks that all of a text can be seen, as it is and where it is; `Err` says the rule.
pub fn check_visible(text: &str) -> Result<(), String> {
    if has_invisible(text) {
        return Err("must have no invisible characters and no direction overrides".to_owned());
    }
    if text.trim() != text {
        return Err("must not begin or end with a blank".to_owned());
    }
    Ok(())
}

/// Whether a reader does not see this character, or reads others in another order because of it: fillers, soft hyphens,
/// zero-width characters, direction marks, variation selectors, tags, private use.
pub fn is_invisible(c: char) -> bool {
    !c.is_ascii()
        && (CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
            || matches!(c, '\u{2028}' | '\u{2029}' | '\u{e000}'..='\u{f8ff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..))
}

/// Text of others for a line of a terminal: what would move the cursor, begin another line or turn others round stands
/// there as its escape, `\u{1b}`.
pub fn printable(text: &str) -> Cow<'_, str> {
    let acts = |c: char| c.is_control() || is_invisible(c);
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    text.chars().map(|c| if acts(c) { c.escape_unicode().to_string() } else { c.to_string() }).collect()
}

/// No text is shorter in bytes than in characters, so the bound on bytes implies the one on characters.
pub(crate) fn check_length(text: &str, max: usize) -> Result<(), String> {
    if text.len() > max {
        return Err(format!("must be at most {max} characters and {max} bytes, has {} bytes", text.len()));
    }
    Ok(())
}

/// A variation selector that belongs to an emoji or a keycap is no invisible character: keyboards write it with them.
fn has_invisible(text: &str) -> bool {
    let mut before = None;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let is_presentation = matches!(c, '\u{fe0e}' | '\u{fe0f}')
            && (before.is_some_and(is_emoji) || characters.peek() == Some(&'\u{20e3}'));
        if is_invisible(c) && !is_presentation {
            return true;
        }
        before = Some(c);
    }
    false
}

/// The digits are emoji too, for the sake of keycaps; alone they are not.
fn is_emoji(c: char) -> bool {
    !c.is_ascii() && CodePointSetData::new::<Emoji>().contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_acts_on_a_terminal() {
        assert_eq!(printable("Käse 🧀, \"ja\""), "Käse 🧀, \"ja\"");
        assert_eq!(printable("a\u{1b}[2J\nline 7\u{9b}\u{202e}b"), r"a\u{1b}[2J\u{a}line 7\u{9b}\u{202e}b");
    }

    #[test]
    fn the_bound_counts_bytes_as_well_as_characters() {
        assert!(check("abcd", 4).is_ok());
        assert!(check("äöü", 4).is_err());
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
    fn what_cannot_be_seen_is_no_line() {
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
            for line in [hidden.to_string(), format!("a{hidden}"), format!("a{hidden}b")] {
                assert!(check_line(&line, 9).is_err(), "{line:?}");
            }
        }
        for line in
            ["Übersicht", "日本語", "한국어", "हिन्दी", "❤\u{fe0f} Holiday", "1\u{fe0f}\u{20e3} Begin", "☎\u{fe0e}"]
        {
            assert_eq!(check_line(line, 60), Ok(()), "{line:?}");
        }
    }

    #[test]
    fn nul_and_escape_are_refused_newline_and_tab_are_not() {
        assert!(check("a\u{0}b", 9).is_err());
        assert!(check("a\u{1b}b", 9).is_err());
        assert!(check("a\n\tb", 9).is_ok());
    }
}
