//! Imports all lines or none. The source is read twice. The first read finds lines that are bad by themselves. The
//! second records all in one transaction. A line that contradicts the database or another line undoes it.

use std::{
    collections::{BTreeMap, HashMap, hash_map::Entry},
    io::{self, BufRead},
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use shared_model::{Error, Failure};

use super::{batch::Batches, importer::Importer, lines::Lines, outcome::Tally, report::Report};
use crate::{
    context::Context,
    state::db::{self, Conn},
};

/// After this many bad lines the import stops.
pub const BAD_LINES: usize = 1000;
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// The reason for each bad line, by line number.
type BadLines = BTreeMap<u64, String>;

/// Imports the source that `open` opens, twice. After an error the tally has only refused lines.
pub(super) async fn run<T: Send + Sync + 'static, S: BufRead>(
    importer: Importer<T>,
    context: &Context,
    open: impl Fn() -> io::Result<S> + Send + 'static,
    report: &mut Report,
) -> Result<Tally, Error> {
    let unrecordable = check(&importer, lines(&open, &importer)?, report)?;
    // For a small file the transaction is cheap, and it finds further mistakes.
    if importer.subject.is_none() && !unrecordable.is_empty() {
        return Ok(refused(&unrecordable, report));
    }
    let written = Arc::new(AtomicU64::new(0));
    let progress = Arc::clone(&written);
    let mut transaction = pin!(context.db.write_long(move |conn| {
        // A savepoint, because a refused import is a result of this transaction and not its error.
        let recorded =
            db::savepoint(conn, |conn| record(conn, &importer, lines(&open, &importer)?, &unrecordable, &written));
        match recorded {
            Ok(tally) => Ok(Ok(tally)),
            Err(Undone::Refused(bad)) => Ok(Err(bad)),
            Err(Undone::Failed(error)) => Err(error),
        }
    }));
    let mut before = 0;
    let outcome = loop {
        let ended = tokio::time::timeout(PROGRESS_INTERVAL, &mut transaction).await;
        let now = progress.load(Ordering::Relaxed);
        // The transaction may be repeated, and its count then starts again.
        report.advanced(now.saturating_sub(before));
        before = before.max(now);
        if let Ok(outcome) = ended {
            break outcome?;
        }
    };
    Ok(outcome.unwrap_or_else(|bad| refused(&bad, report)))
}

fn lines<T, S: BufRead>(open: &impl Fn() -> io::Result<S>, importer: &Importer<T>) -> Result<Lines<S>, Failure> {
    let source = open().map_err(|error| Failure::fault("the source cannot be read").from_source(error))?;
    Ok(if importer.subject.is_some() { Lines::for_small_file(source) } else { Lines::new(source) })
}

/// Lines that are bad by themselves, or about the same subject as an earlier line.
fn check<T>(importer: &Importer<T>, lines: Lines<impl BufRead>, report: &mut Report) -> Result<BadLines, Error> {
    let mut bad = BadLines::new();
    let mut first_lines = HashMap::new();
    for batch in Batches::new(lines, importer.parse) {
        let batch = batch?;
        bad.extend(batch.bad);
        for (number, record) in &batch.good {
            let Some(subject) = importer.subject else { break };
            match first_lines.entry(subject(record)) {
                Entry::Vacant(entry) => _ = entry.insert(*number),
                Entry::Occupied(first) => _ = bad.insert(*number, format!("line {} is about the same", first.get())),
            }
        }
        report.advanced(batch.bytes);
        if bad.len() >= BAD_LINES {
            break;
        }
    }
    Ok(bad)
}

enum Undone {
    Refused(BadLines),
    Failed(Error),
}

impl<E: Into<Error>> From<E> for Undone {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// Records all lines except the `unrecordable` ones. Any bad line undoes everything.
fn record<T: 'static>(
    conn: &mut Conn,
    importer: &Importer<T>,
    lines: Lines<impl BufRead>,
    unrecordable: &BadLines,
    written: &AtomicU64,
) -> Result<Tally, Undone> {
    let (mut tally, mut bad, mut bytes) = (Tally::default(), unrecordable.clone(), 0);
    for batch in Batches::new(lines, importer.parse) {
        if bad.len() >= BAD_LINES {
            break;
        }
        let mut batch = batch?;
        // A source that changed since `check` can have other bad lines.
        bad.extend(batch.bad);
        batch.good.retain(|(number, _)| !unrecordable.contains_key(number));
        let outcomes = importer.record(conn, &batch.good)?;
        bad.extend(outcomes.into_iter().filter_map(|(number, outcome)| Some((number, tally.count(outcome)?))));
        bytes += batch.bytes;
        written.store(bytes, Ordering::Relaxed);
    }
    if bad.is_empty() { Ok(tally) } else { Err(Undone::Refused(bad)) }
}

fn refused(bad: &BadLines, report: &mut Report) -> Tally {
    bad.iter().take(BAD_LINES).for_each(|(number, why)| report.refused(*number, why));
    Tally { refused: bad.len().min(BAD_LINES) as u64, ..Tally::default() }
}

#[cfg(test)]
mod tests {
    use shared_model::Problem;

    use super::*;
    use crate::{import::LineOutcome, state::db::tests::fresh::Fresh};

    fn parse(line: &[u8]) -> Result<(), Vec<Problem>> {
        match line {
            b"good" => Ok(()),
            _ => Err(vec![Problem { at: String::new(), rule: "must be good".to_owned() }]),
        }
    }

    #[tokio::test]
    async fn a_line_that_is_bad_only_in_the_second_reading_undoes_the_import() {
        let fresh = Fresh::new(1).await;
        let importer = Importer::new(parse, |_, lines| Ok(vec![LineOutcome::Added; lines.len()]));
        let recorded = fresh.db.write(move |conn| {
            // The first reading has found nothing.
            let (unrecordable, written) = (BadLines::new(), AtomicU64::new(0));
            Ok(record(conn, &importer, Lines::new(&b"good\nbad\n"[..]), &unrecordable, &written))
        });
        let Err(Undone::Refused(bad)) = recorded.await.expect("a transaction") else { panic!("a line is bad") };
        assert_eq!(bad.into_iter().collect::<Vec<_>>(), [(2, "must be good".to_owned())]);
    }
}
