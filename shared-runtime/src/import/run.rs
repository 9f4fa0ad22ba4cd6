//! An import as it goes: while a batch is being written, the next one is read.

use std::{
    error::Error as StdError,
    fs::File,
    io::{BufRead, BufReader},
    path::Path,
};

use shared_model::{Error, Failure};
use tokio::task::JoinHandle;

use super::{Console, Importer, Outcome, Tally, Watch, batch::Batch, batch::Batches, turns::Turns};
use crate::{context::Context, service::cli, state::db::Conn};

impl<T: Send + Sync + 'static> Importer<T> {
    /// Imports every line of `source`; blank lines are skipped.
    pub async fn run(&self, context: &Context, source: impl BufRead, watch: &mut dyn Watch) -> Result<Tally, Error> {
        let mut tally = Tally::default();
        let mut under_way: Option<UnderWay> = None;
        let mut turns = Turns::at(context);
        for batch in Batches::of(source, self.parse) {
            let batch = batch?;
            if let Some(before) = under_way.take() {
                before.end(&mut tally, watch).await?;
                turns.give_way().await;
            }
            under_way = Some(UnderWay::begin(context, self.record, batch).await);
        }
        if let Some(last) = under_way {
            last.end(&mut tally, watch).await?;
        }
        Ok(tally)
    }

    /// Imports a file while a terminal watches; an error when it cannot be read or has a bad line.
    pub async fn run_file(&self, context: &Context, path: &Path) -> Result<(), Box<dyn StdError>> {
        let unreadable = |error| format!("{}: {error}", path.display());
        let file = File::open(path).map_err(unreadable)?;
        let size = file.metadata().map_err(unreadable)?.len();
        let mut console = Console::new(size);
        let tally = self.run(context, BufReader::new(file), &mut console).await.map_err(cli::told)?;
        console.finish(&tally);
        let bad = match tally.refused {
            0 => return Ok(()),
            1 => "1 bad line".to_owned(),
            refused => format!("{refused} bad lines"),
        };
        let rest = if tally.good() == 0 { "there is no other" } else { "all others are imported" };
        Err(format!("{}: {bad}; {rest}", path.display()).into())
    }
}

/// See [`Importer::record`].
pub(super) type Record<T> = fn(&mut Conn, &[&T]) -> Result<Vec<Outcome>, Failure>;

/// A batch that is being written.
struct UnderWay {
    written: JoinHandle<Result<Vec<(u64, Outcome)>, Error>>,
    bytes: u64,
}

impl UnderWay {
    async fn begin<T: Send + Sync + 'static>(context: &Context, record: Record<T>, batch: Batch<T>) -> Self {
        let (context, bytes) = (context.clone(), batch.bytes);
        let written =
            tokio::spawn(async move { context.write(move |conn| Ok(apply(conn, record, &batch.lines)?)).await });
        // Lets the task hand the batch to the database before this thread reads on.
        tokio::task::yield_now().await;
        Self { written, bytes }
    }

    async fn end(self, tally: &mut Tally, watch: &mut dyn Watch) -> Result<(), Error> {
        let outcomes = self.written.await.map_err(|error| Failure::fault("writing a batch").from_source(error))??;
        for (number, outcome) in outcomes {
            tally.count(&outcome);
            if let Outcome::Refused(why) = outcome {
                watch.refused(number, &why);
            }
        }
        watch.advanced(self.bytes);
        Ok(())
    }
}

/// Records the good lines of a batch; what became of every line, by its number.
pub(super) fn apply<T>(
    conn: &mut Conn,
    record: Record<T>,
    lines: &[(u64, Result<T, String>)],
) -> Result<Vec<(u64, Outcome)>, Failure> {
    let good: Vec<&T> = lines.iter().filter_map(|(_, line)| line.as_ref().ok()).collect();
    let mut recorded = record(conn, &good)?.into_iter();
    let outcomes = lines.iter().map(|(number, line)| {
        let outcome = match line {
            Ok(_) => recorded.next().ok_or_else(|| Failure::fault("a line without an outcome"))?,
            Err(why) => Outcome::Refused(why.clone()),
        };
        Ok((*number, outcome))
    });
    outcomes.collect()
}
