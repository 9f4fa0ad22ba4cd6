//! Importing a stream of JSON lines: one record a line, each applied wholly or not at all, the bad ones told by number.
//!
//! Importing the same lines again changes nothing, so an import that was interrupted is simply run again.

mod console;
pub mod field;
mod lines;
pub mod whole;

use std::{cmp::Ordering, error::Error, fmt, fs::File, io::BufRead, io::BufReader, mem, path::Path, sync::Arc};

use shared_model::{Node, Problem, json, node};

use crate::{Conn, Desk, Failure, Halt, cli};

pub use console::Console;
pub use lines::{LINE_BYTES, Line, Lines};

/// Lines that share a transaction.
const BATCH: usize = 64;

/// What became of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The record is new.
    Added,
    /// The record takes the place of an older version of itself.
    Replaced,
    /// The very record is there already.
    Unchanged,
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
    /// Bad lines.
    pub refused: u64,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { added, replaced, unchanged, refused } = self;
        write!(f, "{added} added, {replaced} replaced, {unchanged} unchanged, {refused} refused")
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
pub struct Importer<T, R = fn(&mut Conn, &T) -> Result<Outcome, Failure>> {
    /// Reads a line; all its problems at once.
    pub parse: fn(&[u8]) -> Result<T, Vec<Problem>>,
    /// Records it, within a transaction that other lines share: refuses before it writes.
    pub record: R,
}

type Batch<T> = Vec<(u64, Result<T, String>)>;

impl<T, R> Importer<T, R>
where
    T: Send + Sync + 'static,
    R: Fn(&mut Conn, &T) -> Result<Outcome, Failure> + Clone + Send + 'static,
{
    /// Imports every line of `source`; blank lines are skipped.
    pub async fn run(&self, desk: &Desk, source: impl BufRead, watch: &mut dyn Watch) -> Result<Tally, Halt> {
        let mut tally = Tally::default();
        let mut batch = Batch::new();
        let mut bytes = 0;
        for line in Lines::of(source) {
            let line = line.map_err(|error| Failure::fault("the source cannot be read").from_source(error))?;
            bytes += line.consumed;
            match line.text {
                Ok(text) if text.iter().all(u8::is_ascii_whitespace) => {}
                Ok(text) => batch.push((line.number, (self.parse)(&text).map_err(|problems| told(&problems)))),
                Err(rule) => batch.push((line.number, Err(rule.to_owned()))),
            }
            if batch.len() == BATCH {
                self.apply(desk, mem::take(&mut batch), &mut tally, watch).await?;
                watch.advanced(mem::take(&mut bytes));
            }
        }
        self.apply(desk, batch, &mut tally, watch).await?;
        watch.advanced(bytes);
        Ok(tally)
    }

    /// Imports a file while a terminal watches; an error when it cannot be read or has a bad line.
    pub async fn run_file(&self, desk: &Desk, path: &Path) -> Result<(), Box<dyn Error>> {
        let unreadable = |error| format!("{}: {error}", path.display());
        let file = File::open(path).map_err(unreadable)?;
        let size = file.metadata().map_err(unreadable)?.len();
        let mut console = Console::new(size);
        let tally = self.run(desk, BufReader::new(file), &mut console).await.map_err(cli::told)?;
        console.finish(&tally);
        match tally.refused {
            0 => Ok(()),
            1 => Err(format!("{}: 1 bad line; all others are imported", path.display()).into()),
            refused => Err(format!("{}: {refused} bad lines; all others are imported", path.display()).into()),
        }
    }

    async fn apply(&self, desk: &Desk, batch: Batch<T>, tally: &mut Tally, watch: &mut dyn Watch) -> Result<(), Halt> {
        let record = self.record.clone();
        let batch = Arc::new(batch);
        let within = Arc::clone(&batch);
        let outcomes = desk
            .write(move |conn| {
                let recorded = within.iter().map(|(_, line)| match line {
                    Ok(read) => Ok(record(conn, read)?),
                    Err(why) => Ok(Outcome::Refused(why.clone())),
                });
                recorded.collect::<Result<Vec<_>, Halt>>()
            })
            .await?;
        for ((number, _), outcome) in batch.iter().zip(outcomes) {
            match outcome {
                Outcome::Added => tally.added += 1,
                Outcome::Replaced => tally.replaced += 1,
                Outcome::Unchanged => tally.unchanged += 1,
                Outcome::Refused(why) => {
                    tally.refused += 1;
                    watch.refused(*number, &why);
                }
            }
        }
        Ok(())
    }
}

/// Reads one line: a strict JSON object, with all its problems told at once.
pub fn parse_line<T>(line: &[u8], reader: impl FnOnce(&Node<'_>) -> Option<T>) -> Result<T, Vec<Problem>> {
    match json::parse(line) {
        Ok(value) => node::read_with(&value, reader),
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
