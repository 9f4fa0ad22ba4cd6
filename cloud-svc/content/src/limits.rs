//! Bounds of content and of the messages that carry it.

/// The most bytes of a request body.
pub const REQUEST_BYTES: usize = 2_097_152;
/// The most bytes of an answer.
pub const RESPONSE_BYTES: usize = 4_194_304;
/// The most cells of a range in one operation or read.
pub const SHEET_RANGE_CELLS: usize = 1000;
