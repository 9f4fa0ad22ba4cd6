//! Where an import reports: to a terminal, as a bar of progress and bad lines above it, or to whoever has called it.

use std::{fmt::Display, io, io::Write as _};

use indicatif::ProgressBar;

use super::batch::BadLine;
use crate::base::progress;

/// The report of one import.
pub(super) enum Report {
    /// Writes to standard error; the bar is drawn only where that is a terminal.
    Console(ProgressBar),
    /// Collects the bad lines.
    Collected(Vec<BadLine>),
}

impl Report {
    /// To a terminal, of so many bytes.
    pub(super) fn console(bytes: u64) -> Self {
        Self::Console(progress::bar(bytes))
    }

    /// A line is bad.
    pub(super) fn refused(&mut self, line: u64, why: &str) {
        match self {
            Self::Console(bar) => bar.suspend(|| print_error_line(format_args!("line {line}: {why}"))),
            Self::Collected(bad) => bad.push((line, why.to_owned())),
        }
    }

    /// So many more bytes of the source are done.
    pub(super) fn advanced(&self, bytes: u64) {
        if let Self::Console(bar) = self {
            bar.inc(bytes);
        }
    }

    /// The import is over; the bad lines, if they were collected.
    pub(super) fn finish(self) -> Vec<BadLine> {
        match self {
            Self::Console(bar) => {
                bar.finish_and_clear();
                Vec::new()
            }
            Self::Collected(bad) => bad,
        }
    }
}

/// Writes a line to standard error. When nobody reads that any more, as behind `head`, the work goes on all the same.
pub fn print_error_line(line: impl Display) {
    let _ = writeln!(io::stderr(), "{line}");
}
