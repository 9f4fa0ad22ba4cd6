//! File names for file systems, including Windows. Characters that a file system refuses are percent-encoded.

use percent_encoding::percent_decode_str;

// A `%` before two hexadecimal digits is encoded as well, because `decode` would read it as an encoded character.
pub fn encode(name: &str) -> String {
    let mut encoded = String::with_capacity(name.len());
    let is_device = is_device(name);
    for (at, c) in name.char_indices() {
        let (is_first, rest) = (at == 0, &name[at + c.len_utf8()..]);
        let is_encoded = match c {
            '<' | '>' | ':' | '"' | '/' | '\\' | '|' | '?' | '*' => true,
            // A period at the beginning hides the file; Windows drops one at the end.
            '.' => is_first || rest.is_empty(),
            '%' => rest.len() >= 2 && rest.bytes().take(2).all(|byte| byte.is_ascii_hexdigit()),
            c => is_first && is_device && c.is_ascii(),
        };
        if is_encoded {
            encoded.push_str(&format!("%{:02X}", u32::from(c)));
        } else {
            encoded.push(c);
        }
    }
    encoded
}

// Also decodes characters that `encode` leaves alone, because other programs encode them in the names of downloads.
pub fn decode(name: &str) -> String {
    percent_decode_str(name).decode_utf8().map_or_else(|_| name.to_owned(), String::from)
}

/// Whether Windows reserves the name for a device, which it does no matter what follows the first period.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
    match stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT")) {
        Some(port) => {
            let mut port = port.chars();
            matches!((port.next(), port.next()), (Some('0'..='9' | '¹' | '²' | '³'), None))
        }
        None => matches!(&*stem, "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_no_file_system_may_be_given_is_encoded() {
        for (name, encoded) in [
            ("Minutes", "Minutes"),
            ("日本語 🧀", "日本語 🧀"),
            ("Q3: what?", "Q3%3A what%3F"),
            ("a/b\\c", "a%2Fb%5Cc"),
            ("...", "%2E.%2E"),
            (".profile", "%2Eprofile"),
            ("etc.", "etc%2E"),
            ("nul", "%6Eul"),
            ("COM1.notes", "%43OM1.notes"),
            ("com² ", "%63om² "),
            ("COM10", "COM10"),
            ("console", "console"),
            ("100%", "100%"),
            ("100%25", "100%2525"),
            ("%é", "%é"),
        ] {
            assert_eq!(encode(name), encoded);
            assert_eq!(decode(encoded), name);
        }
        assert_eq!(decode("caf%C3%A9%20menu"), "café menu");
        assert_eq!(decode("100%FF"), "100%FF");
    }

    proptest! {
        #[test]
        fn every_name_is_decoded_as_it_was(name in "([.%:A-F0-9é/]|con|lpt1|\\PC){0,12}") {
            prop_assert_eq!(decode(&encode(&name)), name);
        }
    }
}
