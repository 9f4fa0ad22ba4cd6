//! Limits that more than one service shares (spec: Limits).

/// Entries in a list answer when the client does not say.
pub const LIST_DEFAULT: i64 = 20;
/// Entries in a list answer at most; more is refused, never clamped.
pub const LIST_MAX: i64 = 100;
/// Nesting of a JSON body at most.
pub const JSON_DEPTH: usize = 32;
/// A request body of Locker, Orders and Trust at most, in bytes (spec: Locker limits).
pub const BODY_BYTES: usize = 65_536;
