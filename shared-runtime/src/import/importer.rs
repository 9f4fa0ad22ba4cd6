//! How the lines of one kind of file are read and recorded.

use shared_model::{
    Failure, JsonReader, Problem,
    json::{self, MalformedJson},
    json_reader,
};

use super::outcome::LineOutcome;
use crate::state::db::Conn;

/// Imports files of `T`s.
pub struct Importer<T> {
    pub(super) parse: fn(&[u8]) -> Result<T, Vec<Problem>>,
    record: Box<RecordLines<T>>,
    pub(super) subject: Option<fn(&T) -> String>,
}

type RecordLines<T> = dyn Fn(&mut Conn, &[&T]) -> Result<Vec<LineOutcome>, Failure> + Send + Sync;

impl<T: 'static> Importer<T> {
    /// An importer whose `parse` reads a line, all its problems at once, and whose `record` writes lines that share a
    /// transaction as if one came after the other; the result has an outcome for each.
    pub fn new(
        parse: fn(&[u8]) -> Result<T, Vec<Problem>>,
        record: impl Fn(&mut Conn, &[&T]) -> Result<Vec<LineOutcome>, Failure> + Send + Sync + 'static,
    ) -> Self {
        Self { parse, record: Box::new(record), subject: None }
    }

    /// An importer whose `record` writes one line, and refuses it before it writes anything.
    pub fn line_by_line(
        parse: fn(&[u8]) -> Result<T, Vec<Problem>>,
        record: impl Fn(&mut Conn, &T) -> Result<LineOutcome, Failure> + Send + Sync + 'static,
    ) -> Self {
        Self::new(parse, move |conn, lines| lines.iter().map(|line| record(conn, line)).collect())
    }

    /// For small files, read into memory, each of which names a subject once: else importing it again would change something.
    pub fn of_small_files(self, subject: fn(&T) -> String) -> Self {
        Self { subject: Some(subject), ..self }
    }

    /// Records lines; the outcome of each, by number.
    pub(super) fn record(&self, conn: &mut Conn, lines: &[(u64, T)]) -> Result<Vec<(u64, LineOutcome)>, Failure> {
        let records: Vec<&T> = lines.iter().map(|(_, record)| record).collect();
        let outcomes = (self.record)(conn, &records)?;
        if outcomes.len() != lines.len() {
            return Err(Failure::fault("an importer gave another number of outcomes than of lines"));
        }
        Ok(lines.iter().map(|(number, _)| *number).zip(outcomes).collect())
    }
}

/// Reads one line: a strict JSON object, with all its problems at once.
pub fn parse_line<T>(line: &[u8], reader: impl FnOnce(&JsonReader<'_>) -> Option<T>) -> Result<T, Vec<Problem>> {
    match json::parse(line) {
        Ok(value) => json_reader::read_with(&value, reader),
        Err(MalformedJson(rule)) => {
            // The parser counts this line as the first; its number in the source stands beside the problem.
            let rule = rule.replace("(line 1, ", "(");
            Err(vec![Problem { at: String::new(), rule }])
        }
    }
}
