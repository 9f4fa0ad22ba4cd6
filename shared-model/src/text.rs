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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_counts_bytes_as_well_as_characters() {
        assert!(check("abcd", 4).is_ok());
        assert!(check("äöü", 4).is_err());
    }

    #[test]
    fn nul_and_escape_are_refused_newline_and_tab_are_not() {
        assert!(check("a\u{0}b", 9).is_err());
        assert!(check("a\u{1b}b", 9).is_err());
        assert!(check("a\n\tb", 9).is_ok());
    }
}
