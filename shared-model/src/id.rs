//! Typed ids: a prefix, and 32 lowercase hexadecimal digits or a positive integer.
//!
//! Ids are parsed before anything is looked up: text of another form names nothing (404).

/// True for `{prefix}_` + 32 lowercase hexadecimal digits.
pub fn is_hex_id(prefix: &str, text: &str) -> bool {
    text.strip_prefix(prefix)
        .and_then(|rest| rest.strip_prefix('_'))
        .is_some_and(|digits| digits.len() == 32 && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')))
}

/// The integer of `{prefix}_` + 1 to 15 digits without a leading zero; `None` for any other text.
pub fn parse_serial(prefix: &str, text: &str) -> Option<i64> {
    let digits = text.strip_prefix(prefix)?.strip_prefix('_')?;
    // One spelling per id, so that ids can be compared as text.
    let plain =
        (1..=15).contains(&digits.len()) && !digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit());
    // At most 15 digits: JSON parsers keep such integers exact.
    if plain { digits.parse().ok() } else { None }
}

/// Defines ids of the form `{prefix}_` + 32 lowercase hexadecimal digits, stored as text.
#[macro_export]
macro_rules! hex_ids {
    ($($(#[doc = $doc:literal])+ pub struct $name:ident = $prefix:literal;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name([u8; $prefix.len() + 33]);

        impl $name {
            // Random bytes, because such ids must not be guessed.
            pub fn from_bytes(bytes: [u8; 16]) -> Self {
                let mut text = [b'_'; $prefix.len() + 33];
                text[..$prefix.len()].copy_from_slice($prefix.as_bytes());
                for (at, byte) in bytes.iter().enumerate() {
                    text[$prefix.len() + 1 + 2 * at] = b"0123456789abcdef"[usize::from(byte >> 4)];
                    text[$prefix.len() + 2 + 2 * at] = b"0123456789abcdef"[usize::from(byte & 15)];
                }
                Self(text)
            }

            pub fn as_str(&self) -> &str {
                std::str::from_utf8(&self.0).expect("an id is ASCII")
            }
        }

        impl std::str::FromStr for $name {
            type Err = &'static str;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text.as_bytes().try_into() {
                    Ok(bytes) if $crate::id::is_hex_id($prefix, text) => Ok(Self(bytes)),
                    _ => Err(concat!("must be ", $prefix, "_ and 32 lowercase hex digits")),
                }
            }
        }

        $crate::text_column!($name);
        $crate::text_in_json!(
            $name,
            [$($doc)+],
            pattern = concat!("^", $prefix, "_[0-9a-f]{32}$"),
            example = concat!($prefix, "_0123456789abcdef0123456789abcdef"),
            rule = concat!("must be ", $prefix, "_ and 32 lowercase hex digits")
        );
    )+};
}

/// Defines ids of the form `{prefix}_` + a positive integer, stored as an integer.
#[macro_export]
macro_rules! serial_ids {
    ($($(#[doc = $doc:literal])+ pub struct $name:ident = $prefix:literal;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(i64);

        impl $name {
            pub const fn from_number(number: i64) -> Self {
                Self(number)
            }

            pub const fn number(self) -> i64 {
                self.0
            }
        }

        impl std::str::FromStr for $name {
            type Err = &'static str;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let rule = concat!("must be a ", $prefix, " id like ", $prefix, "_42");
                $crate::id::parse_serial($prefix, text).map(Self).ok_or(rule)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "_{}"), self.0)
            }
        }

        $crate::integer_in_database!($name);

        impl $crate::reexport::serde::Serialize for $name {
            fn serialize<S: $crate::reexport::serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
                out.collect_str(self)
            }
        }

        $crate::text_in_json!(
            $name,
            [$($doc)+],
            pattern = concat!("^", $prefix, "_[1-9][0-9]{0,14}$"),
            example = concat!($prefix, "_42"),
            rule = concat!("must be a ", $prefix, " id like ", $prefix, "_42")
        );
    )+};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_serial_id_has_one_spelling() {
        assert_eq!(parse_serial("file", "file_7"), Some(7));
        for text in
            ["file_0", "file_07", "file_+7", "file_", "file_1234567890123456", "File_7", "file7", "file_7 ", "file_٧"]
        {
            assert_eq!(parse_serial("file", text), None, "{text}");
        }
    }

    #[test]
    fn a_hex_id_is_lowercase_and_of_full_length() {
        assert!(is_hex_id("exp", "exp_0123456789abcdef0123456789abcdef"));
        for text in ["exp_0123456789ABCDEF0123456789abcdef", "exp_0123", "exp0123456789abcdef0123456789abcdef0"] {
            assert!(!is_hex_id("exp", text), "{text}");
        }
    }
}
