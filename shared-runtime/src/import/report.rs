//! Reports the progress and the bad lines of an import, to a terminal or to the caller.

use std::{fmt::Display, io, io::Write as _};

use indicatif::ProgressBar;

use super::batch::BadLine;
use crate::base::progress;

pub(super) enum Report {
    /// The progress bar is drawn only where standard error is a terminal.
    Console(ProgressBar),
    Collected(Vec<BadLine>),
}

impl Report {
    /// `bytes`: the length of the source.
    pub(super) fn console(bytes: u64) -> Self {
        Self::Console(progress::byte_bar(bytes))
    }

    pub(super) fn refused(&mut self, line: u64, why: &str) {
        match self {
            Self::Console(bar) => bar.suspend(|| print_error_line(format_args!("line {line}: {why}"))),
            Self::Collected(bad) => bad.push((line, why.to_owned())),
        }
    }

    pub(super) fn advanced(&self, bytes: u64) {
        if let Self::Console(bar) = self {
            bar.inc(bytes);
        }
    }

    /// Returns the collected bad lines.
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

/// Writes a line to standard error.
pub fn print_error_line(line: impl Display) {
    // The work continues when nobody reads the messages anymore, as with `| head`.
    let _ = writeln!(io::stderr(), "{line}");
}
