//! Entry bundles: up to 256 entries, each preceded by its length as a 16-bit number (C2SP tlog-tiles).

use std::fmt;

// The largest entry in bytes: what the 16-bit length can state.
pub const MAX_ENTRY: usize = u16::MAX as usize;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryTooLong {
    pub bytes: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BundleError {
    /// The bytes end within an entry.
    TooShort { width: u16, whole: u16 },
    /// There are bytes after the last entry.
    TooLong { width: u16, rest: usize },
}

pub fn encode<'a>(entries: impl IntoIterator<Item = &'a [u8]>) -> Result<Vec<u8>, EntryTooLong> {
    let mut bundle = Vec::new();
    for entry in entries {
        let length = u16::try_from(entry.len()).map_err(|_| EntryTooLong { bytes: entry.len() })?;
        bundle.extend_from_slice(&length.to_be_bytes());
        bundle.extend_from_slice(entry);
    }
    Ok(bundle)
}

/// The bundle must have exactly `width` entries.
pub fn decode(bundle: &[u8], width: u16) -> Result<Vec<&[u8]>, BundleError> {
    let (entries, rest) = split(bundle, width)?;
    if rest.is_empty() { Ok(entries) } else { Err(BundleError::TooLong { width, rest: rest.len() }) }
}

/// The length in bytes of the first `width` entries.
pub fn length_of(bundle: &[u8], width: u16) -> Result<usize, BundleError> {
    split(bundle, width).map(|(_, rest)| bundle.len() - rest.len())
}

/// The first `width` entries, and the bytes after them.
fn split(bundle: &[u8], width: u16) -> Result<(Vec<&[u8]>, &[u8]), BundleError> {
    let mut entries = Vec::new();
    let mut rest = bundle;
    for whole in 0..width {
        let entry = first(rest).ok_or(BundleError::TooShort { width, whole })?;
        entries.push(entry);
        rest = &rest[2 + entry.len()..];
    }
    Ok((entries, rest))
}

fn first(bundle: &[u8]) -> Option<&[u8]> {
    let (length, rest) = bundle.split_first_chunk()?;
    rest.get(..usize::from(u16::from_be_bytes(*length)))
}

impl fmt::Display for EntryTooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an entry of the log must have at most {MAX_ENTRY} bytes, has {}", self.bytes)
    }
}

impl fmt::Display for BundleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort { width, whole } => {
                write!(f, "the bundle must have {width} entries, and ends within the one after {whole}")
            }
            Self::TooLong { width, rest } => {
                write!(f, "the bundle must have {width} entries, and has {rest} bytes after them")
            }
        }
    }
}

impl std::error::Error for EntryTooLong {}
impl std::error::Error for BundleError {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_entry_has_at_most_65_535_bytes() {
        let entry = vec![7; MAX_ENTRY + 1];
        let bundle = encode([&entry[1..], b""]).expect("it fits");
        assert_eq!(bundle.len(), 2 + MAX_ENTRY + 2);
        assert_eq!(decode(&bundle, 2), Ok(vec![&entry[1..], b""]));
        let error = encode([entry.as_slice()]).expect_err("one byte more");
        assert_eq!(error, EntryTooLong { bytes: MAX_ENTRY + 1 });
        assert!(error.to_string().ends_with("at most 65535 bytes, has 65536"), "{error}");
    }

    #[test]
    fn a_bundle_has_as_many_entries_as_its_tile() {
        let bundle = encode([b"a".as_slice(), b"bc"]).expect("it fits");
        assert_eq!(bundle, b"\x00\x01a\x00\x02bc");
        assert_eq!(decode(&bundle, 1), Err(BundleError::TooLong { width: 1, rest: 4 }));
        assert_eq!(decode(&bundle, 3), Err(BundleError::TooShort { width: 3, whole: 2 }));
        assert_eq!((length_of(&bundle, 0), length_of(&bundle, 1), length_of(&bundle, 2)), (Ok(0), Ok(3), Ok(7)));
        assert_eq!(decode(&bundle[..6], 2), Err(BundleError::TooShort { width: 2, whole: 1 }));
        for (width, text) in
            [(1, "1 entries, and has 4 bytes after"), (3, "3 entries, and ends within the one after 2")]
        {
            let error = decode(&bundle, width).expect_err(text).to_string();
            assert!(error.contains(text), "{error}");
        }
    }

    proptest! {
        #[test]
        fn what_is_read_is_written_the_same(bytes in proptest::collection::vec(0u8..4, 0..200), width in 0u16..6) {
            if let Ok(entries) = decode(&bytes, width) {
                prop_assert_eq!(encode(entries).expect("they were in one"), bytes);
            }
        }
    }
}
