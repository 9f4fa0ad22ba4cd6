//! Lines of a source, numbered and bounded: a source of any size costs the memory of one line.

use std::io::{self, BufRead, Read as _};

/// Bytes of a line at most, without its line feed.
pub const LINE_BYTES: usize = 262_144;

/// One line of a source.
#[derive(Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number, from 1.
    pub number: u64,
    /// What it says, without the line feed; `Err` with the rule when it is too long.
    pub text: Result<Vec<u8>, &'static str>,
    /// Bytes of the source that it took.
    pub consumed: u64,
}

/// The lines of a source.
pub struct Lines<R> {
    source: R,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    /// The lines of `source`.
    pub fn of(source: R) -> Self {
        Self { source, number: 0 }
    }

    fn read(&mut self) -> io::Result<Option<Line>> {
        let mut text = Vec::new();
        let bound = LINE_BYTES as u64 + 1;
        let mut consumed = self.source.by_ref().take(bound).read_until(b'\n', &mut text)? as u64;
        if consumed == 0 {
            return Ok(None);
        }
        self.number += 1;
        let text = if text.last() == Some(&b'\n') {
            text.pop();
            Ok(text)
        } else if text.len() > LINE_BYTES {
            consumed += self.skip_the_rest()?;
            Err("the line must be at most 262144 bytes")
        } else {
            Ok(text)
        };
        Ok(Some(Line { number: self.number, text, consumed }))
    }

    fn skip_the_rest(&mut self) -> io::Result<u64> {
        let mut skipped = 0;
        loop {
            let buffer = self.source.fill_buf()?;
            let (length, is_last) = match buffer.iter().position(|byte| *byte == b'\n') {
                Some(at) => (at + 1, true),
                None => (buffer.len(), buffer.is_empty()),
            };
            self.source.consume(length);
            skipped += length as u64;
            if is_last {
                return Ok(skipped);
            }
        }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<Line>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lines(source: &[u8]) -> Vec<Line> {
        Lines::of(source).map(|line| line.expect("memory can be read")).collect()
    }

    #[test]
    fn a_line_too_long_is_passed_over_and_the_next_one_keeps_its_number() {
        let fits = vec![b'x'; LINE_BYTES];
        let too_long = vec![b'x'; LINE_BYTES + 1];
        let source = [&fits[..], &too_long[..], b"last"].join(&b'\n');
        let read = lines(&source);
        assert_eq!(
            read.iter().map(|line| (line.number, line.text.is_ok())).collect::<Vec<_>>(),
            [(1, true), (2, false), (3, true)]
        );
        assert_eq!(read[2].text.as_deref(), Ok(&b"last"[..]));
        assert_eq!(read.iter().map(|line| line.consumed).sum::<u64>(), source.len() as u64);
    }

    proptest! {
        #[test]
        fn every_byte_is_accounted_for(source in proptest::collection::vec(prop_oneof![Just(b'\n'), any::<u8>()], 0..200)) {
            let read = lines(&source);
            prop_assert_eq!(read.iter().map(|line| line.consumed).sum::<u64>(), source.len() as u64);
            let texts: Vec<_> = read.into_iter().map(|line| line.text.expect("short")).collect();
            let mut expected: Vec<_> = source.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
            expected.pop_if(|last| last.is_empty());
            prop_assert_eq!(texts, expected);
        }
    }
}
