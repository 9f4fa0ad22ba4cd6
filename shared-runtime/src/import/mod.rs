//! Importing a stream of JSON lines: one record a line, each applied wholly or not at all, the bad ones told by number.
//!
//! Importing the same lines again changes nothing, so an import that was interrupted is simply run again.

mod batch;
mod console;
mod lines;
mod run;
mod strict;
mod turns;
pub mod whole;

use std::{cmp::Ordering, fmt};

use shared_model::{Failure, JsonReader, Problem, json, json_reader};

use crate::state::db::Conn;

pub use console::{Console, tell};
pub use lines::{LINE_BYTES, Line, Lines};

/// What became of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The record is new.
    Added,
    /// The record takes the place of an older version of itself.
    Replaced,
    /// The very record is there already.
    Unchanged,
    /// The record is an older version of what is there.
    Superseded,
    /// The record contradicts what is there; the text says how.
    Refused(String),
}

/// How many lines came to what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// New records.
    pub added: u64,
    /// New versions of known records.
    pub replaced: u64,
    /// Records that were there already.
    pub unchanged: u64,
    /// Older versions of what was there already.
    pub superseded: u64,
    /// Bad lines.
    pub refused: u64,
}

impl Tally {
    /// Lines that are not bad.
    pub fn good(&self) -> u64 {
        self.added + self.replaced + self.unchanged + self.superseded
    }

    fn count(&mut self, outcome: &Outcome) {
        *match outcome {
            Outcome::Added => &mut self.added,
            Outcome::Replaced => &mut self.replaced,
            Outcome::Unchanged => &mut self.unchanged,
            Outcome::Superseded => &mut self.superseded,
            Outcome::Refused(_) => &mut self.refused,
        } += 1;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { added, replaced, unchanged, superseded, refused } = self;
        write!(f, "{added} added, {replaced} replaced, {unchanged} unchanged, ")?;
        if *superseded > 0 {
            write!(f, "{superseded} older than what is recorded, ")?;
        }
        write!(f, "{refused} refused")
    }
}

/// Looks on while lines are imported.
pub trait Watch {
    /// Line number `line`, from 1, is bad.
    fn refused(&mut self, line: u64, why: &str);
    /// So many more bytes of the source are dealt with.
    fn advanced(&mut self, bytes: u64);
}

/// Collects the bad lines, for tests and small imports.
impl Watch for Vec<(u64, String)> {
    fn refused(&mut self, line: u64, why: &str) {
        self.push((line, why.to_owned()));
    }

    fn advanced(&mut self, _: u64) {}
}

/// How the lines of one kind of record are read and recorded.
pub struct Importer<T> {
    /// Reads a line; all its problems at once.
    pub parse: fn(&[u8]) -> Result<T, Vec<Problem>>,
    /// Records lines that share a transaction, as if one came after the other: refuses before it writes. An outcome for
    /// each.
    pub record: fn(&mut Conn, &[&T]) -> Result<Vec<Outcome>, Failure>,
}

/// Reads one line: a strict JSON object, with all its problems told at once.
pub fn parse_line<T>(line: &[u8], reader: impl FnOnce(&JsonReader<'_>) -> Option<T>) -> Result<T, Vec<Problem>> {
    match json::parse(line) {
        Ok(value) => json_reader::read_with(&value, reader),
        Err(json::MalformedJson(rule)) => {
            // Its line is the only one here; which line of the source it is, the import tells.
            let rule = rule.replace("(line 1, ", "(");
            Err(vec![Problem { at: String::new(), rule }])
        }
    }
}

/// What a version of a record comes to beside the one that is recorded; `None` when it takes its place.
pub fn against<T: PartialEq>(recorded: (&T, i64), incoming: (&T, i64)) -> Option<Outcome> {
    let (known, version) = (recorded.1, incoming.1);
    match version.cmp(&known) {
        Ordering::Less => Some(Outcome::Refused(format!("version {version} is stale: version {known} is recorded"))),
        Ordering::Equal if recorded.0 == incoming.0 => Some(Outcome::Unchanged),
        Ordering::Equal => Some(Outcome::Refused(format!(
            "version {version} is recorded with other content: a change needs a higher version"
        ))),
        Ordering::Greater => None,
    }
}

/// All problems in one line of text.
pub fn told(problems: &[Problem]) -> String {
    let each =
        problems.iter().map(|Problem { at, rule }| if at.is_empty() { rule.clone() } else { format!("{at} {rule}") });
    each.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_higher_version_takes_the_place_of_what_is_recorded() {
        assert_eq!(against((&'a', 2), (&'a', 2)), Some(Outcome::Unchanged));
        assert_eq!(against((&'a', 2), (&'b', 3)), None);
        for incoming in [(&'b', 2), (&'b', 1), (&'a', 1)] {
            assert!(matches!(against((&'a', 2), incoming), Some(Outcome::Refused(_))), "{incoming:?}");
        }
    }

    #[test]
    fn problems_are_told_with_their_places() {
        let problems = [("", "must be an object"), ("/a", "must be a string")]
            .map(|(at, rule)| Problem { at: at.to_owned(), rule: rule.to_owned() });
        assert_eq!(told(&problems), "must be an object; /a must be a string");
    }
}
