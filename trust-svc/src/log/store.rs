//! What is stored of the log's tree: the hashes of leaves, and the roots of complete subtrees.

use diesel::prelude::*;
use shared_model::Failure;
use shared_runtime::Conn;

use crate::{
    column::{column, number},
    merkle::{Hash, HashRange, prove::ProveError},
    schema::{log_entries, subtree_roots},
};

/// The stored hashes of each range, those that there are.
pub fn hashes(conn: &mut Conn, ranges: &[HashRange]) -> Result<Vec<Vec<Hash>>, Failure> {
    ranges.iter().map(|range| row(conn, *range)).collect()
}

/// The stored hashes of a range, those that there are.
pub fn row(conn: &mut Conn, HashRange { level, start, count }: HashRange) -> Result<Vec<Hash>, Failure> {
    let (from, below) = (column(start)?, column(start.saturating_add(count))?);
    Ok(if level == 0 {
        log_entries::table
            .filter(log_entries::log_index.ge(from))
            .filter(log_entries::log_index.lt(below))
            .order(log_entries::log_index)
            .select(log_entries::leaf_hash)
            .load(conn)?
    } else {
        subtree_roots::table
            .filter(subtree_roots::level.eq(i32::from(level)))
            .filter(subtree_roots::node_index.ge(from))
            .filter(subtree_roots::node_index.lt(below))
            .order(subtree_roots::node_index)
            .select(subtree_roots::hash)
            .load(conn)?
    })
}

/// The entries of a range of leaves, those that there are.
pub fn entries(conn: &mut Conn, HashRange { start, count, .. }: HashRange) -> Result<Vec<Vec<u8>>, Failure> {
    let (from, below) = (column(start)?, column(start.saturating_add(count))?);
    Ok(log_entries::table
        .filter(log_entries::log_index.ge(from))
        .filter(log_entries::log_index.lt(below))
        .order(log_entries::log_index)
        .select(log_entries::leaf)
        .load(conn)?)
}

/// The index of the first entry from `size` on, if there is one.
pub fn first_from(conn: &mut Conn, size: u64) -> Result<Option<u64>, Failure> {
    let from = log_entries::table.filter(log_entries::log_index.ge(column(size)?)).order(log_entries::log_index);
    from.select(log_entries::log_index).first(conn).optional()?.map(number).transpose()
}

/// There is no proof of what the log has: its rows are not what they were.
pub fn unproven(error: ProveError<Failure>) -> Failure {
    match error {
        ProveError::Read(failure) => failure,
        damaged => Failure::fault(damaged.to_string()),
    }
}
