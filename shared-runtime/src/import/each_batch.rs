//! Imports every good line. While one batch is written, the next one is read.

use std::{io::BufRead, sync::Arc};

use shared_model::{Error, Failure};
use tokio::task::JoinHandle;

use super::{
    backoff::Backoff,
    batch::{BadLine, Batch, Batches},
    importer::Importer,
    lines::Lines,
    outcome::{LineOutcome, Tally},
    report::Report,
};
use crate::context::Context;

/// One transaction for each batch.
pub(super) async fn run<T: Send + Sync + 'static>(
    importer: Importer<T>,
    context: &Context,
    source: impl BufRead,
    report: &mut Report,
) -> Result<Tally, Error> {
    let importer = Arc::new(importer);
    let mut tally = Tally::default();
    let mut in_progress: Option<BatchWrite> = None;
    let mut backoff = Backoff::for_database(context);
    for batch in Batches::new(Lines::new(source), importer.parse) {
        let batch = batch?;
        if let Some(before) = in_progress.take() {
            before.finish(&mut tally, report).await?;
            // Between two batches no transaction is open, so others can write.
            backoff.yield_to_writers().await;
        }
        in_progress = Some(BatchWrite::start(context, Arc::clone(&importer), batch).await);
    }
    if let Some(last) = in_progress {
        last.finish(&mut tally, report).await?;
    }
    Ok(tally)
}

struct BatchWrite {
    written: JoinHandle<Result<Vec<(u64, LineOutcome)>, Error>>,
    bad: Vec<BadLine>,
    bytes: u64,
}

impl BatchWrite {
    async fn start<T: Send + Sync + 'static>(context: &Context, importer: Arc<Importer<T>>, batch: Batch<T>) -> Self {
        let Batch { good, bad, bytes } = batch;
        let context = context.clone();
        let written = tokio::spawn(async move { context.write(move |conn| Ok(importer.record(conn, &good)?)).await });
        // So that the task hands the batch to the database before this thread goes on reading.
        tokio::task::yield_now().await;
        Self { written, bad, bytes }
    }

    async fn finish(mut self, tally: &mut Tally, report: &mut Report) -> Result<(), Error> {
        let outcomes = self.written.await.map_err(|error| Failure::fault("writing a batch").from_source(error))??;
        tally.refused += self.bad.len() as u64;
        self.bad.extend(outcomes.into_iter().filter_map(|(number, outcome)| Some((number, tally.count(outcome)?))));
        // Lines that could not be parsed come from another list than those that the database refused.
        self.bad.sort_by_key(|(number, _)| *number);
        self.bad.iter().for_each(|(number, why)| report.refused(*number, why));
        report.advanced(self.bytes);
        Ok(())
    }
}
