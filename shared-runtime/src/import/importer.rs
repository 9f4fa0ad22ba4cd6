//! How lines of one kind are parsed and recorded.

use shared_model::{
    Failure, JsonReader, Problem,
    json::{self, MalformedJson},
    json_reader,
};

use super::outcome::LineOutcome;
use crate::state::db::Conn;

pub struct Importer<T> {
    pub(super) parse: fn(&[u8]) -> Result<T, Vec<Problem>>,
    record: Box<RecordLines<T>>,
    pub(super) subject: Option<fn(&T) -> String>,
}

type RecordLines<T> = dyn Fn(&mut Conn, &[&T]) -> Result<Vec<LineOutcome>, Failure> + Send + Sync;

impl<T: 'static> Importer<T> {
    /// `parse` reads a line and returns all its problems. `record` writes the lines of a transaction in their order,
    /// with an outcome for each.
    pub fn new(
        parse: fn(&[u8]) -> Result<T, Vec<Problem>>,
        record: impl Fn(&mut Conn, &[&T]) -> Result<Vec<LineOutcome>, Failure> + Send + Sync + 'static,
    ) -> Self {
        Self { parse, record: Box::new(record), subject: None }
    }

    /// Like `new`, with a `record` for one line. It must refuse a line before it writes anything.
    pub fn line_by_line(
        parse: fn(&[u8]) -> Result<T, Vec<Problem>>,
        record: impl Fn(&mut Conn, &T) -> Result<LineOutcome, Failure> + Send + Sync + 'static,
    ) -> Self {
        Self::new(parse, move |conn, lines| lines.iter().map(|line| record(conn, line)).collect())
    }

    /// For small files, which are read into memory. Each line has a subject of its own: otherwise a second import of
    /// the same file would change something.
    pub fn of_small_files(self, subject: fn(&T) -> String) -> Self {
        Self { subject: Some(subject), ..self }
    }

    /// The outcome of each line, by number.
    pub(super) fn record(&self, conn: &mut Conn, lines: &[(u64, T)]) -> Result<Vec<(u64, LineOutcome)>, Failure> {
        let records: Vec<&T> = lines.iter().map(|(_, record)| record).collect();
        let outcomes = (self.record)(conn, &records)?;
        // Outcomes are matched with lines by position: one missing would blame the wrong lines.
        if outcomes.len() != lines.len() {
            return Err(Failure::fault("an importer returned fewer or more outcomes than lines"));
        }
        Ok(lines.iter().map(|(number, _)| *number).zip(outcomes).collect())
    }
}

/// A strict JSON object, with all its problems at once.
pub fn parse_line<T>(line: &[u8], reader: impl FnOnce(&JsonReader<'_>) -> Option<T>) -> Result<T, Vec<Problem>> {
    match json::parse(line) {
        Ok(value) => json_reader::read_with(&value, reader),
        Err(MalformedJson(rule)) => {
            // For the parser it is always line 1; the report has the real number.
            let rule = rule.replace("(line 1, ", "(");
            Err(vec![Problem { at: String::new(), rule }])
        }
    }
}
