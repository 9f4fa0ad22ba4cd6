//! Spreadsheets from files of other programs, which may be hostile.

pub mod cells;
pub mod csv;
pub mod xlsx;
