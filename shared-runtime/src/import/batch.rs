//! Lines read and parsed, some at a time, so that a source of any size takes the memory of a few batches.

use std::io::{self, BufRead};

use shared_model::{Error, Failure, Problem, problem};

use super::lines::Lines;

/// A bad line: its number, from 1, and all that is wrong with it, each rule after the JSON pointer of its place.
pub type BadLine = (u64, String);

/// Lines that share a transaction at most.
const LINES: usize = 1000;
/// Bytes of text that a batch holds at most, but for its last line.
const BYTES: u64 = 1 << 20;

/// Lines that share a transaction.
pub(super) struct Batch<T> {
    /// Lines that could be read, each with its number.
    pub(super) good: Vec<(u64, T)>,
    /// The others.
    pub(super) bad: Vec<BadLine>,
    /// Bytes of the source that they took, with the blank lines between them.
    pub(super) bytes: u64,
}

/// The batches of a source.
pub(super) struct Batches<T, R> {
    lines: Lines<R>,
    parse: fn(&[u8]) -> Result<T, Vec<Problem>>,
}

impl<T, R: BufRead> Batches<T, R> {
    /// The batches of these lines; blank lines are skipped.
    pub(super) fn of(lines: Lines<R>, parse: fn(&[u8]) -> Result<T, Vec<Problem>>) -> Self {
        Self { lines, parse }
    }

    fn read(&mut self) -> io::Result<Option<Batch<T>>> {
        let mut batch = Batch { good: Vec::new(), bad: Vec::new(), bytes: 0 };
        while batch.good.len() + batch.bad.len() < LINES && batch.bytes < BYTES {
            let Some(line) = self.lines.next().transpose()? else { break };
            batch.bytes += line.consumed;
            match line.text {
                Ok(text) if text.iter().all(u8::is_ascii_whitespace) => {}
                Ok(text) => match (self.parse)(&text) {
                    Ok(record) => batch.good.push((line.number, record)),
                    Err(problems) => batch.bad.push((line.number, problem::describe(&problems))),
                },
                Err(rule) => batch.bad.push((line.number, rule)),
            }
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
