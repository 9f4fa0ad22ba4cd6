//! Bounds of content, and of the messages that carry it.

/// Bytes of a request body at most.
pub const REQUEST_BYTES: usize = 2_097_152;
/// Bytes of an answer at most.
pub const RESPONSE_BYTES: usize = 4_194_304;
/// Cells of a range that one operation or read may name at most.
pub const SHEET_RANGE_CELLS: usize = 1000;
