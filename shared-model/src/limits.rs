//! Limits that more than one service shares.

pub const LIST_DEFAULT: i64 = 20;
// A larger `limit` is refused, not reduced: a client must not take a part for the whole list.
pub const LIST_MAX: i64 = 100;
pub const JSON_DEPTH: usize = 32;
pub const BODY_BYTES: usize = 65_536;
