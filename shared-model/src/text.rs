//! Text as the services accept it: "max N chars/bytes" bounds Unicode characters and UTF-8 bytes alike.

/// Checks length and control characters; `Err` says the rule.
///
/// No text is shorter in bytes than in characters, so the bound on bytes implies the one on characters. NUL and the
/// other C0 controls are refused but for newline and tab: they mean nothing in a document and much in a terminal.
pub fn check(text: &str, max: usize) -> Result<(), String> {
    if text.len() > max {
        return Err(format!("must be at most {max} characters and {max} bytes, has {} bytes", text.len()));
    }
    if text.chars().any(|c| c < ' ' && c != '\n' && c != '\t') {
        return Err("must have no control characters but newline and tab".to_owned());
    }
    Ok(())
}

/// Checks text of one line, which means the same to every eye; `Err` says the rule.
pub fn check_line(text: &str, max: usize) -> Result<(), String> {
    if text.len() > max {
        return Err(format!("must be at most {max} characters and {max} bytes, has {} bytes", text.len()));
    }
    if text.is_empty() || text.chars().any(char::is_control) {
        return Err("must be one line of text, not empty, with no control characters".to_owned());
    }
    if text.chars().any(is_invisible) {
        return Err("must have no direction overrides and no zero-width characters".to_owned());
    }
    if text.trim() != text {
        return Err("must not begin or end with a blank".to_owned());
    }
    Ok(())
}

/// Bidirectional controls and zero-width characters: what they make a reader see is not what is there.
pub fn is_invisible(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2028}' | '\u{2029}'
        | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{180e}')
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn nul_and_escape_are_refused_newline_and_tab_are_not() {
        assert!(check("a\u{0}b", 9).is_err());
        assert!(check("a\u{1b}b", 9).is_err());
        assert!(check("a\n\tb", 9).is_ok());
    }
}
