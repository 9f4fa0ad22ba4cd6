//! Lines of a source, numbered and of limited length. So a source of any size needs the memory of one line.

use std::io::{self, BufRead, ErrorKind, Read as _};

pub const LINE_BYTES: usize = 262_144;
/// A small file is kept in memory, and other writers may wait while it is recorded.
pub const FILE_BYTES: u64 = 16 * 1_048_576;
/// Lines of a small file at most.
pub const FILE_LINES: u64 = 20_000;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct SourceLine {
    pub(super) number: u64,
    /// Without the line feed; `Err` when the line or the file is too long.
    pub(super) text: Result<Vec<u8>, String>,
    /// Bytes of the source that it took.
    pub(super) consumed: u64,
}

pub(super) struct Lines<R> {
    source: R,
    number: u64,
    /// The rest of a small file's limit.
    left: Option<u64>,
    ended: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(source: R) -> Self {
        Self { source, number: 0, left: None, ended: false }
    }

    /// With the limits of small files: the line that exceeds one is bad, and the last.
    pub(super) fn for_small_file(source: R) -> Self {
        Self { left: Some(FILE_BYTES), ..Self::new(source) }
    }

    fn read(&mut self) -> io::Result<Option<SourceLine>> {
        let Some(mut line) = self.read_any()? else { return Ok(None) };
        if let Some(left) = self.left {
            self.left = left.checked_sub(line.consumed);
            if self.left.is_none() || line.number > FILE_LINES {
                line.text = Err(format!("the file must have at most {FILE_LINES} lines and {FILE_BYTES} bytes"));
                self.ended = true;
            }
        }
        Ok(Some(line))
    }

    fn read_any(&mut self) -> io::Result<Option<SourceLine>> {
        if self.ended {
            return Ok(None);
        }
        let mut text = Vec::new();
        // One more than allowed tells a line that is too long from one that just fits.
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
            consumed += self.skip_rest()?;
            Err(format!("the line must be at most {LINE_BYTES} bytes"))
        } else {
            Ok(text)
        };
        Ok(Some(SourceLine { number: self.number, text, consumed }))
    }

    /// Skips the rest of a line that is too long.
    fn skip_rest(&mut self) -> io::Result<u64> {
        let mut skipped = 0;
        while skipped <= FILE_BYTES {
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
        // A device or an archive, not a file of lines.
        let rule = format!("line {} does not end within {FILE_BYTES} bytes", self.number);
        Err(io::Error::new(ErrorKind::InvalidData, rule))
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<SourceLine>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lines(source: &[u8]) -> Vec<SourceLine> {
        Lines::new(source).map(|line| line.expect("memory can be read")).collect()
    }

    #[test]
    fn after_a_line_that_is_too_long_the_numbers_are_right() {
        let fits = vec![b'x'; LINE_BYTES];
        let too_long = vec![b'x'; LINE_BYTES + 1];
        let source = [&fits[..], &too_long[..], b"last"].join(&b'\n');
        let read = lines(&source);
        assert_eq!(
            read.iter().map(|line| (line.number, line.text.is_ok())).collect::<Vec<_>>(),
            [(1, true), (2, false), (3, true)]
        );
        assert_eq!(read[2].text, Ok(b"last".to_vec()));
        assert_eq!(read.iter().map(|line| line.consumed).sum::<u64>(), source.len() as u64);
    }

    #[test]
    fn a_source_without_line_ends_is_abandoned() {
        let mut endless = io::BufReader::new(CountedZeros(0));
        let error = Lines::new(&mut endless).next().expect("something").expect_err("no end in sight");
        assert_eq!(error.to_string(), "line 1 does not end within 16777216 bytes");
        let read = endless.get_ref().0;
        assert!(read < 2 * FILE_BYTES, "{read} bytes were read");
    }

    /// Zeros without an end; how many were read.
    struct CountedZeros(u64);

    impl io::Read for CountedZeros {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            buffer.fill(0);
            self.0 += buffer.len() as u64;
            Ok(buffer.len())
        }
    }

    proptest! {
        #[test]
        fn every_byte_is_accounted_for(
            source in proptest::collection::vec(prop_oneof![Just(b'\n'), any::<u8>()], 0..200),
        ) {
            let read = lines(&source);
            prop_assert_eq!(read.iter().map(|line| line.consumed).sum::<u64>(), source.len() as u64);
            let texts: Vec<_> = read.into_iter().map(|line| line.text.expect("short")).collect();
            let mut expected: Vec<_> = source.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
            expected.pop_if(|last| last.is_empty());
            prop_assert_eq!(texts, expected);
        }
    }
}
