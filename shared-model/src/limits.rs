//! Limits that more than one service shares.

pub const LIST_DEFAULT: i64 = 20;
/// Most entries of a list. A larger `limit` is refused, not reduced.
pub const LIST_MAX: i64 = 100;
pub const JSON_DEPTH: usize = 32;
pub const BODY_BYTES: usize = 65_536;
