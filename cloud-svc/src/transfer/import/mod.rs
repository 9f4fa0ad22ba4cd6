//! Files of other programs become native ones: those of the operator's machine (`cloud-svc import`), and uploaded ones.

pub mod convert;
pub mod import_text;
mod outcome;
mod run;
pub mod source;
mod store;

pub use run::{Import, run};
