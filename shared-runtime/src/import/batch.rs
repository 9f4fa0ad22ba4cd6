//! Lines, read and parsed in batches, so that a source of any size needs the memory of a few batches.

use std::io::{self, BufRead};

use shared_model::{Error, Failure, Problem, problem};

use super::lines::Lines;

/// A bad line: its number, from 1, and each broken rule after the JSON pointer of its place.
pub type BadLine = (u64, String);

const MAX_LINES: usize = 1000;
// The last line of a batch may exceed it.
const MAX_BYTES: u64 = 1 << 20;

/// Lines that are recorded in one transaction.
pub(super) struct Batch<T> {
    /// Parsed lines, by number.
    pub(super) good: Vec<(u64, T)>,
    pub(super) bad: Vec<BadLine>,
    /// Bytes of the source, with blank lines.
    pub(super) bytes: u64,
}

pub(super) struct Batches<T, R> {
    lines: Lines<R>,
    parse: fn(&[u8]) -> Result<T, Vec<Problem>>,
}

impl<T, R: BufRead> Batches<T, R> {
    /// Blank lines are skipped.
    pub(super) fn new(lines: Lines<R>, parse: fn(&[u8]) -> Result<T, Vec<Problem>>) -> Self {
        Self { lines, parse }
    }

    fn read(&mut self) -> io::Result<Option<Batch<T>>> {
        let mut batch = Batch { good: Vec::new(), bad: Vec::new(), bytes: 0 };
        while batch.good.len() + batch.bad.len() < MAX_LINES && batch.bytes < MAX_BYTES {
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
