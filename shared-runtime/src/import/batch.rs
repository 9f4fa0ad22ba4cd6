//! Lines read and parsed, some at a time: a source of any size costs the memory of a few batches.

use std::io::{self, BufRead};

use shared_model::{Error, Failure, Problem};

use super::{Lines, told};

/// Lines that share a transaction at most.
const LINES: usize = 1000;
/// Bytes of text that a batch holds at most, but for its last line.
const BYTES: u64 = 1 << 20;

/// Lines that share a transaction.
pub(super) struct Batch<T> {
    /// Each line with its number, or with what is wrong with it.
    pub(super) lines: Vec<(u64, Result<T, String>)>,
    /// Bytes of the source that they took, with the blank lines between them.
    pub(super) bytes: u64,
}

/// The batches of a source.
pub(super) struct Batches<T, R> {
    lines: Lines<R>,
    parse: fn(&[u8]) -> Result<T, Vec<Problem>>,
}

impl<T, R: BufRead> Batches<T, R> {
    /// The batches of this source; blank lines are skipped.
    pub(super) fn of(source: R, parse: fn(&[u8]) -> Result<T, Vec<Problem>>) -> Self {
        Self { lines: Lines::of(source), parse }
    }

    fn read(&mut self) -> io::Result<Option<Batch<T>>> {
        let mut batch = Batch { lines: Vec::new(), bytes: 0 };
        while batch.lines.len() < LINES && batch.bytes < BYTES {
            let Some(line) = self.lines.next().transpose()? else { break };
            batch.bytes += line.consumed;
            let read = match line.text {
                Ok(text) if text.iter().all(u8::is_ascii_whitespace) => continue,
                Ok(text) => (self.parse)(&text).map_err(|problems| told(&problems)),
                Err(rule) => Err(rule.to_owned()),
            };
            batch.lines.push((line.number, read));
        }
        Ok((batch.bytes > 0).then_some(batch))
    }
}

impl<T, R: BufRead> Iterator for Batches<T, R> {
    type Item = Result<Batch<T>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let read = self.read().map_err(|error| Failure::fault("the source cannot be read").from_source(error).into());
        read.transpose()
    }
}
