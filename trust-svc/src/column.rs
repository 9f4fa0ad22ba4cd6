//! Indexes and sizes of trees as columns of 64 bits with a sign have them: trees are no larger ([`crate::merkle::MAX_SIZE`]).

use shared_model::Failure;

/// As it is stored.
pub fn column(number: u64) -> Result<i64, Failure> {
    i64::try_from(number).map_err(|_| Failure::fault(format!("a log has no number {number}")))
}

/// As it was stored.
pub fn number(column: i64) -> Result<u64, Failure> {
    u64::try_from(column).map_err(|_| Failure::fault(format!("a log has no number {column}")))
}
