//! `cloud-svc import`: copies folders and files of the operator's machine into a workspace.

mod csv;
mod outcome;
mod run;
mod source;
mod spreadsheet;
mod store;
mod xlsx;

pub use run::{Import, run};
