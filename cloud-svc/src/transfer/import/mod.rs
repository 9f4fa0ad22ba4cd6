//! Files of other programs become native ones: those of the operator's machine (`cloud-svc import`), and uploaded ones.

pub mod convert;
mod csv;
pub mod import_text;
mod lost;
mod outcome;
mod run;
pub mod source;
mod spreadsheet;
mod store;
mod xlsx;

pub use run::{Import, run};
