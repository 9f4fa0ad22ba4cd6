//! Runs an import of a file, with progress on a terminal, or of text in memory.

use std::{
    error::Error as StdError,
    fs::File,
    io::{BufReader, Cursor, Read as _},
    path::Path,
    sync::Arc,
};

use shared_model::Error;

use super::{
    all_or_nothing,
    batch::BadLine,
    each_batch,
    importer::Importer,
    lines::FILE_BYTES,
    outcome::Tally,
    report::{Report, print_error_line},
};
use crate::context::Context;

/// What happens to good lines when others are bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// They are recorded, one transaction for each batch.
    EachBatch,
    /// Nothing is recorded.
    AllOrNothing,
}

impl<T: Send + Sync + 'static> Importer<T> {
    /// Imports text; returns the tally and the bad lines.
    pub async fn run_text(
        self,
        context: &Context,
        text: impl Into<Arc<str>>,
        mode: Mode,
    ) -> Result<(Tally, Vec<BadLine>), Error> {
        let text: Arc<[u8]> = Arc::<str>::into(text.into());
        let mut report = Report::Collected(Vec::new());
        let tally = match mode {
            Mode::EachBatch => each_batch::run(self, context, &*text, &mut report).await?,
            Mode::AllOrNothing => {
                all_or_nothing::run(self, context, move || Ok(Cursor::new(Arc::clone(&text))), &mut report).await?
            }
        };
        Ok((tally, report.finish()))
    }

    /// Imports a file and shows the progress on a terminal. An unreadable file and bad lines are errors.
    pub async fn run_file(self, context: &Context, path: &Path, mode: Mode) -> Result<(), Box<dyn StdError>> {
        let unreadable = |error| format!("{}: {error}", path.display());
        let ended = |error: Error| format!("{}: {error}", path.display());
        let file = File::open(path).map_err(unreadable)?;
        let found = file.metadata().map_err(unreadable)?;
        // The bar counts bytes, and each pass reads all of them.
        let passes = if mode == Mode::AllOrNothing { 2 } else { 1 };
        let mut report = Report::console(passes * found.len());
        let tally = if mode == Mode::EachBatch {
            each_batch::run(self, context, BufReader::new(file), &mut report).await.map_err(ended)?
        } else if self.subject.is_some() {
            let mut text = Vec::new();
            // One byte more than allowed, so that the reader of lines notices and reports it.
            file.take(FILE_BYTES + 1).read_to_end(&mut text).map_err(unreadable)?;
            let text: Arc<[u8]> = text.into();
            let open = move || Ok(Cursor::new(Arc::clone(&text)));
            all_or_nothing::run(self, context, open, &mut report).await.map_err(ended)?
        } else if found.is_file() {
            let path = path.to_owned();
            let open = move || File::open(&path).map(BufReader::new);
            all_or_nothing::run(self, context, open, &mut report).await.map_err(ended)?
        } else {
            return Err(format!("{}: must be a regular file, because it is read twice", path.display()).into());
        };
        report.finish();
        print_error_line(tally);
        let bad = match tally.refused {
            0 => return Ok(()),
            1 => "1 bad line".to_owned(),
            refused => format!("{refused} bad lines"),
        };
        let others = match mode {
            Mode::AllOrNothing => "nothing is imported",
            Mode::EachBatch if tally.good() == 0 => "there are no good lines",
            Mode::EachBatch => "all other lines are imported",
        };
        Err(format!("{}: {bad}; {others}", path.display()).into())
    }
}
