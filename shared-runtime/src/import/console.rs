//! An import as a person at a terminal sees it: a bar of progress, bad lines above it, the tally at the end.

use std::{fmt::Display, io, io::Write as _};

use indicatif::ProgressBar;

use super::{Tally, Watch};
use crate::base::progress;

/// Tells standard error; the bar is drawn only where that is a terminal.
pub struct Console {
    bar: ProgressBar,
}

impl Console {
    /// For a source of so many bytes.
    pub fn new(bytes: u64) -> Self {
        Self { bar: progress::bar(bytes) }
    }

    /// The import is over.
    pub fn finish(self, tally: &Tally) {
        self.bar.finish_and_clear();
        tell(tally);
    }
}

/// A line on standard error. Where nobody reads on, as behind `head`, the import goes on all the same.
pub fn tell(line: impl Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

impl Watch for Console {
    fn refused(&mut self, line: u64, why: &str) {
        self.bar.suspend(|| tell(format_args!("line {line}: {why}")));
    }

    fn advanced(&mut self, bytes: u64) {
        self.bar.inc(bytes);
    }
}
