//! Imports JSON lines, one record a line: either the good lines in batches, or all lines in one transaction.
//!
//! Importing the same lines again changes nothing, so an interrupted import is simply started again.

mod all_or_nothing;
mod backoff;
mod batch;
mod each_batch;
mod importer;
mod lines;
mod outcome;
mod report;
mod run;

pub use all_or_nothing::BAD_LINES;
pub use batch::BadLine;
pub use importer::{Importer, parse_line};
pub use lines::{FILE_BYTES, FILE_LINES, LINE_BYTES};
pub use outcome::{LineOutcome, Tally, compare_versions};
pub use report::print_error_line;
pub use run::Mode;
