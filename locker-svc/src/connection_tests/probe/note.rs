//! Sanitizes text from an endpoint: short, visible, and without any part of the key.

use std::collections::HashSet;

use base64::{Engine, prelude::BASE64_STANDARD_NO_PAD};
use secrecy::{ExposeSecret as _, SecretString};
use shared_model::text::is_invisible;

// Enough for a provider's error message, too short to carry a page of instructions.
const MAX_CHARS: usize = 200;
// This many consecutive characters count as a part of the key. Fewer may be a coincidence.
const PIECE_CHARS: usize = 8;

/// The note to store of `text`, which is a part of `body`. `None` when the body contains a part of the key.
pub fn sanitize(text: &str, body: &[u8], key: Option<&SecretString>) -> Option<String> {
    if let Some(key) = key {
        let pieces = key_pieces(key.expose_secret());
        // The whole body is checked, not only the text. A body that quotes the key somewhere may spell it differently
        // in the text.
        if contains_piece(body, &pieces) || contains_piece(text.as_bytes(), &pieces) {
            return None;
        }
    }
    let visible = text.chars().filter(|c| !is_invisible(*c)).map(|c| if c.is_control() { ' ' } else { c });
    let visible: String = visible.collect();
    let note: String = visible.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_CHARS).collect();
    (!note.is_empty()).then_some(note)
}

// The key as it is, reversed, in hexadecimal, and in base64 at each of its three alignments.
fn key_pieces(key: &str) -> HashSet<Vec<u8>> {
    let backwards: Vec<u8> = key.bytes().rev().collect();
    let mut spellings = vec![key.as_bytes().to_vec(), backwards, hex::encode(key).into_bytes()];
    for before in 0..3 {
        let padded = [&[0; 2][..before], key.as_bytes()].concat();
        let text = BASE64_STANDARD_NO_PAD.encode(&padded);
        // The first characters depend on the bytes before the key, the last one on the bytes after it.
        let from = (before * 8).div_ceil(6);
        let to = text.len() - usize::from(!padded.len().is_multiple_of(3));
        spellings.push(text.as_bytes().get(from..to).unwrap_or_default().to_vec());
    }
    let plain = spellings.iter().map(|spelling| alphanumeric(spelling)).filter(|plain| !plain.is_empty());
    plain
        .flat_map(|plain| plain.windows(PIECE_CHARS.min(plain.len())).map(<[u8]>::to_vec).collect::<Vec<_>>())
        .collect()
}

fn contains_piece(text: &[u8], pieces: &HashSet<Vec<u8>>) -> bool {
    let lengths: HashSet<usize> = pieces.iter().map(Vec::len).collect();
    // Encodings are nested in practice: an HTML error page inside a JSON string inside a URL.
    let one_in_another = without_entities(&unescaped(&percent_decoded(text)));
    [text, &percent_decoded(text), &unescaped(text), &without_entities(text), &one_in_another]
        .map(alphanumeric)
        .iter()
        .any(|text| lengths.iter().any(|length| text.windows(*length).any(|window| pieces.contains(window))))
}

// Spaces, dashes or quotation marks between the characters must not hide a piece.
fn alphanumeric(text: &[u8]) -> Vec<u8> {
    text.iter().filter(|byte| byte.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).collect()
}

fn percent_decoded(text: &[u8]) -> Vec<u8> {
    decode_escapes(text, b"%", 2)
}

// JSON may spell `s` as `\u0073`.
fn unescaped(text: &[u8]) -> Vec<u8> {
    decode_escapes(text, b"\\u", 4)
}

// HTML may spell `s` as `&#115;` or `&#x73;`, and browsers accept it without the semicolon.
fn without_entities(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [next, after @ ..] = rest {
        let (byte, after) = rest.strip_prefix(b"&#").and_then(entity).unwrap_or((*next, after));
        plain.push(byte);
        rest = after;
    }
    plain
}

/// The byte of a numeric entity, and the text after it.
fn entity(number: &[u8]) -> Option<(u8, &[u8])> {
    let (radix, number) = match number {
        [b'x' | b'X', digits @ ..] => (16, digits),
        digits => (10, digits),
    };
    let length = number.iter().take_while(|byte| char::from(**byte).is_digit(radix)).count();
    let (digits, rest) = number.split_at(length);
    let code = u32::from_str_radix(std::str::from_utf8(digits).ok()?, radix).ok()?;
    Some((u8::try_from(code).ok()?, rest.strip_prefix(b";").unwrap_or(rest)))
}

/// Replaces each `mark` and the following hexadecimal digits by the byte that they spell.
fn decode_escapes(text: &[u8], mark: &[u8], digits: usize) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [next, after @ ..] = rest {
        let spelt = rest.strip_prefix(mark).and_then(|rest| rest.split_at_checked(digits));
        let byte = spelt.and_then(|(digits, rest)| {
            let code = u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
            Some((u8::try_from(code).ok()?, rest))
        });
        let (byte, after) = byte.unwrap_or((*next, after));
        plain.push(byte);
        rest = after;
    }
    plain
}

#[cfg(test)]
mod tests {
    use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
    use proptest::prelude::*;

    use super::*;

    const KEY: &str = "sk-proj-Zq3+/7yLkP9mWn2X";

    fn key() -> SecretString {
        SecretString::from(KEY)
    }

    fn note(text: &str) -> Option<String> {
        sanitize(text, text.as_bytes(), Some(&key()))
    }

    #[test]
    fn a_note_is_short_and_visible() {
        assert_eq!(note("  No such\n\tmodel:\u{202e} x\u{200b}\u{1b}[31m ").as_deref(), Some("No such model: x [31m"));
        assert_eq!(note(&"ä".repeat(300)).map(|note| note.chars().count()), Some(200));
        assert_eq!(note("\u{e0041}\u{feff} \n"), None);
    }

    #[test]
    fn a_key_in_any_usual_spelling_leaves_no_note() {
        let percent: String = KEY.bytes().map(|byte| format!("%{byte:02x}")).collect();
        let escaped: String = KEY.bytes().map(|byte| format!("\\u{byte:04X}")).collect();
        let decimal: String = KEY.bytes().map(|byte| format!("&#{byte};")).collect();
        let hexadecimal: String = KEY.bytes().map(|byte| format!("&#x{byte:04X};")).collect();
        let unended: String = KEY.bytes().map(|byte| format!("&#{byte:07} ")).collect();
        let twice: String = decimal.bytes().map(|byte| format!("%{byte:02x}")).collect();
        let spaced: String = KEY.chars().flat_map(|c| [c, ' ']).collect();
        let backwards: String = KEY.chars().rev().collect();
        for echo in [
            KEY.to_owned(),
            format!("Bearer {KEY}"),
            KEY.to_uppercase(),
            KEY[9..].to_owned(),
            KEY[..12].to_owned(),
            BASE64_STANDARD.encode(KEY),
            BASE64_URL_SAFE_NO_PAD.encode(KEY),
            BASE64_STANDARD.encode(format!("user:{KEY}")),
            BASE64_STANDARD.encode(format!("Bearer {KEY}!")),
            BASE64_STANDARD.encode(format!("ab{KEY}cd")),
            hex::encode(KEY),
            percent,
            escaped,
            decimal,
            hexadecimal,
            unended,
            twice,
            spaced,
            backwards,
        ] {
            assert_eq!(note(&format!("Incorrect key {echo} given")), None, "{echo}");
        }
        assert_eq!(sanitize("no", format!("no {KEY}").as_bytes(), Some(&key())), None, "elsewhere in the body");
        assert!(note("Incorrect key sk-proj-****n2X given").is_some(), "a few characters are not the key");
    }

    #[test]
    fn a_short_key_is_one_piece() {
        let short = SecretString::from("abc");
        assert_eq!(sanitize("key ABC is wrong", b"", Some(&short)), None);
        assert!(sanitize("key is wrong", b"", Some(&short)).is_some());
    }

    proptest! {
        #[test]
        fn no_eight_characters_of_a_key_come_through(
            key in "[ -~]{8,60}", before in ".{0,20}", after in ".{0,20}",
            from in any::<prop::sample::Index>(), in_base64 in any::<bool>(),
        ) {
            let plain: String = key.chars().filter(char::is_ascii_alphanumeric).collect();
            prop_assume!(plain.len() >= 8);
            let from = from.index(plain.len() - 7);
            let piece = &plain[from..from + 8];
            let text = if in_base64 { BASE64_STANDARD.encode(format!("x{key}")) } else { format!("{before}{piece}{after}") };
            prop_assert_eq!(sanitize(&text, b"", Some(&SecretString::from(key))), None);
        }

        #[test]
        fn arbitrary_bytes_never_panic(body in proptest::collection::vec(any::<u8>(), 0..200), text in ".{0,300}") {
            let note = sanitize(&text, &body, Some(&key()));
            prop_assert!(note.is_none_or(|note| note.chars().count() <= 200));
        }
    }
}
