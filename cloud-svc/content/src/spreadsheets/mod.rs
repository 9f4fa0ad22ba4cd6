//! Spreadsheets: files whose versions are sheets of cells.

pub mod a1;
pub mod content;
pub mod csv;
pub mod edit;
pub mod formula;
pub mod outline;
pub mod range;
