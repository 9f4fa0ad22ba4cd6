//! Reads of parts of a workbook: its sheets, a range, CSV; and the whole for other programs.

pub mod export;
pub mod list_sheets;
pub mod read_range;
pub mod stored;
