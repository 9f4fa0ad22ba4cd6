//! A strict import: all lines or none. The source is read twice, first to find every line that is bad in itself, then
//! in one transaction that any line which contradicts the database, or another line, undoes.

use std::{
    error::Error as StdError,
    fs::File,
    io::{self, BufRead, BufReader},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use super::{
    Console, Importer, Outcome, Tally, Watch,
    batch::Batches,
    run::{Record, apply},
};
use shared_model::{Error, Failure};

use crate::{
    context::Context,
    service::cli,
    state::db::{self, Conn},
};

/// Contradictions after which the transaction is given up: nothing of it will be kept anyway.
const ENOUGH: usize = 1000;
/// How often whoever looks on is told how far the transaction is.
const TICK: Duration = Duration::from_millis(200);

impl<T: Send + Sync + 'static> Importer<T> {
    /// Imports every line of the source that `open` opens, or none: then the tally has refused lines and no others.
    pub async fn run_strictly<S: BufRead>(
        &self,
        context: &Context,
        open: impl Fn() -> io::Result<S> + Send + 'static,
        watch: &mut dyn Watch,
    ) -> Result<Tally, Error> {
        let refused = self.check(opened(&open)?, watch)?;
        if refused > 0 {
            return Ok(Tally { refused, ..Tally::default() });
        }
        let (parse, record) = (self.parse, self.record);
        let written = Arc::new(AtomicU64::new(0));
        let progress = Arc::clone(&written);
        let transaction = context.write(move |conn| {
            let whole =
                db::savepoint(conn, |conn| all_or_none(conn, Batches::of(opened(&open)?, parse), record, &progress));
            match whole {
                Ok(tally) => Ok(Ok(tally)),
                Err(Undone::Refused(bad)) => Ok(Err(bad)),
                Err(Undone::Halted(error)) => Err(error),
            }
        });
        let mut transaction = std::pin::pin!(transaction);
        let mut told = 0;
        let outcome = loop {
            let ended = tokio::time::timeout(TICK, &mut transaction).await;
            let now = written.load(Ordering::Relaxed);
            watch.advanced(now.saturating_sub(told));
            told = told.max(now);
            if let Ok(outcome) = ended {
                break outcome?;
            }
        };
        outcome.or_else(|bad| {
            bad.iter().for_each(|(number, why)| watch.refused(*number, why));
            Ok(Tally { refused: bad.len() as u64, ..Tally::default() })
        })
    }

    /// Imports a file, or nothing of it, while a terminal watches.
    pub async fn run_file_strictly(&self, context: &Context, path: &Path) -> Result<(), Box<dyn StdError>> {
        let unreadable = |error| format!("{}: {error}", path.display());
        let size = path.metadata().map_err(unreadable)?.len();
        let mut console = Console::new(2 * size);
        let source = path.to_owned();
        let open = move || File::open(&source).map(BufReader::new);
        let tally = self.run_strictly(context, open, &mut console).await.map_err(cli::told)?;
        console.finish(&tally);
        match tally.refused {
            0 => Ok(()),
            1 => Err(format!("{}: 1 bad line; nothing is imported", path.display()).into()),
            refused => Err(format!("{}: {refused} bad lines; nothing is imported", path.display()).into()),
        }
    }

    /// Tells every line that is bad in itself; how many there are.
    fn check(&self, source: impl BufRead, watch: &mut dyn Watch) -> Result<u64, Error> {
        let mut refused = 0;
        for batch in Batches::of(source, self.parse) {
            let batch = batch?;
            for (number, line) in &batch.lines {
                if let Err(why) = line {
                    refused += 1;
                    watch.refused(*number, why);
                }
            }
            watch.advanced(batch.bytes);
        }
        Ok(refused)
    }
}

/// Why everything is undone.
enum Undone {
    /// These lines are bad.
    Refused(Vec<(u64, String)>),
    Halted(Error),
}

impl<E: Into<Error>> From<E> for Undone {
    fn from(error: E) -> Self {
        Self::Halted(error.into())
    }
}

fn all_or_none<T, S: BufRead>(
    conn: &mut Conn,
    batches: Batches<T, S>,
    record: Record<T>,
    progress: &AtomicU64,
) -> Result<Tally, Undone> {
    let (mut tally, mut bad, mut bytes) = (Tally::default(), Vec::new(), 0);
    for batch in batches {
        let batch = batch?;
        for (number, outcome) in apply(conn, record, &batch.lines)? {
            tally.count(&outcome);
            if let Outcome::Refused(why) = outcome {
                bad.push((number, why));
            }
        }
        if bad.len() >= ENOUGH {
            break;
        }
        bytes += batch.bytes;
        progress.store(bytes, Ordering::Relaxed);
    }
    if bad.is_empty() { Ok(tally) } else { Err(Undone::Refused(bad)) }
}

fn opened<S>(open: &impl Fn() -> io::Result<S>) -> Result<S, Failure> {
    open().map_err(|error| Failure::fault("the source cannot be read").from_source(error))
}
