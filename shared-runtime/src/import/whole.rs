//! Importing a small file as a whole: every line is recorded, in one transaction, or none is and every bad one is told.

use std::{
    collections::{HashMap, hash_map::Entry},
    error::Error as StdError,
    fs::File,
    io::BufRead,
    io::BufReader,
    path::Path,
    sync::Arc,
};

use shared_model::{Error, Failure, Problem};

use super::{Lines, Outcome, Tally, console::tell, told};
use crate::{
    context::Context,
    service::cli,
    state::db::{self, Conn},
};

/// Bytes of a file at most. It is in memory while it is recorded, and other writers wait meanwhile.
pub const FILE_BYTES: u64 = 16 * 1_048_576;
/// Lines of a file at most.
pub const FILE_LINES: u64 = 20_000;
/// Bad lines after which nothing more is looked at.
pub const BAD_LINES: usize = 1_000;

/// A bad line: its number, from 1, and all that is wrong with it, each rule after the JSON pointer of its place.
pub type BadLine = Numbered<String>;

/// What a line says, after its number.
type Numbered<T> = (u64, T);

/// How the lines of a file are read and recorded.
pub struct Whole<T, R> {
    /// Reads a line; all its problems at once.
    pub parse: fn(&[u8]) -> Result<T, Vec<Problem>>,
    /// What a record is about. A file speaks of everything once: else importing it again would not be no change.
    pub subject: fn(&T) -> String,
    /// Records it: refuses before it writes.
    pub record: R,
}

/// Why nothing of a file is recorded.
enum Undone {
    Bad(Vec<BadLine>),
    Failed(Failure),
}

impl From<diesel::result::Error> for Undone {
    fn from(error: diesel::result::Error) -> Self {
        Self::Failed(error.into())
    }
}

impl<T, R> Whole<T, R>
where
    T: Send + Sync + 'static,
    R: Fn(&mut Conn, &T) -> Result<Outcome, Failure> + Send + 'static,
{
    /// Imports every line of `source`, or tells every bad one; blank lines are skipped.
    pub async fn run(self, context: &Context, source: impl BufRead) -> Result<Result<Tally, Vec<BadLine>>, Error> {
        let (good, unread) = self.read(source)?;
        let good = Arc::new(good);
        let transaction = move |conn: &mut Conn| match db::savepoint(conn, |conn| self.apply(conn, &good, &unread)) {
            Ok(tally) => Ok(Ok(tally)),
            Err(Undone::Bad(lines)) => Ok(Err(lines)),
            Err(Undone::Failed(failure)) => Err(Error::from(failure)),
        };
        context.write(transaction).await
    }

    /// Imports a file and tells standard error what came of it.
    pub async fn run_file(self, context: &Context, path: &Path) -> Result<(), Box<dyn StdError>> {
        let unreadable = |error| format!("{}: {error}", path.display());
        let file = File::open(path).map_err(unreadable)?;
        match self.run(context, BufReader::new(file)).await.map_err(cli::told)? {
            Ok(tally) => {
                tell(tally);
                Ok(())
            }
            Err(bad) => {
                bad.iter().for_each(|(line, why)| tell(format_args!("line {line}: {why}")));
                Err(format!("{}: nothing is imported, bad lines: {}", path.display(), bad.len()).into())
            }
        }
    }

    fn read(&self, source: impl BufRead) -> Result<(Vec<Numbered<T>>, Vec<BadLine>), Failure> {
        let (mut good, mut bad) = (Vec::new(), Vec::new());
        let mut first_lines = HashMap::new();
        let mut bytes = 0;
        for line in Lines::of(source) {
            let line = line.map_err(|error| Failure::fault("the file cannot be read").from_source(error))?;
            bytes += line.consumed;
            if line.number > FILE_LINES || bytes > FILE_BYTES {
                bad.push((
                    line.number,
                    format!("the file must have at most {FILE_LINES} lines and {FILE_BYTES} bytes"),
                ));
                break;
            }
            let read = match line.text {
                Ok(text) if text.iter().all(u8::is_ascii_whitespace) => continue,
                Ok(text) => (self.parse)(&text).map_err(|problems| told(&problems)),
                Err(rule) => Err(rule.to_owned()),
            };
            match read {
                Ok(record) => match first_lines.entry((self.subject)(&record)) {
                    Entry::Vacant(entry) => {
                        entry.insert(line.number);
                        good.push((line.number, record));
                    }
                    Entry::Occupied(first) => {
                        bad.push((line.number, format!("line {} is about the same", first.get())))
                    }
                },
                Err(why) => bad.push((line.number, why)),
            }
            if bad.len() == BAD_LINES {
                break;
            }
        }
        Ok((good, bad))
    }

    /// Records what could be read even when something could not, to find what only the database knows to be wrong.
    fn apply(&self, conn: &mut Conn, good: &[Numbered<T>], unread: &[BadLine]) -> Result<Tally, Undone> {
        let mut tally = Tally::default();
        let mut bad = unread.to_vec();
        for (number, record) in good {
            let outcome = (self.record)(conn, record).map_err(Undone::Failed)?;
            tally.count(&outcome);
            if let Outcome::Refused(why) = outcome {
                bad.push((*number, why));
            }
            if bad.len() >= BAD_LINES {
                break;
            }
        }
        if bad.is_empty() {
            return Ok(tally);
        }
        bad.sort_by_key(|(number, _)| *number);
        Err(Undone::Bad(bad))
    }
}
