//! The size of a tree as a column of 64 bits with a sign has it: trees are no larger ([`crate::merkle::MAX_SIZE`]).

use shared_model::Failure;

/// As it is stored.
pub fn of(size: u64) -> Result<i64, Failure> {
    i64::try_from(size).map_err(|error| Failure::fault("the size of a tree does not fit its column").from_source(error))
}

/// As it was stored.
pub fn read(column: i64) -> Result<u64, Failure> {
    u64::try_from(column).map_err(|error| Failure::fault("the stored size of a tree is negative").from_source(error))
}
