//! Reads the stored tree: its head, the entries, the hashes of leaves, and the roots of complete subtrees. What it reads
//! may be damaged; [`super::proven`] checks it.

use diesel::{dsl, prelude::*};
use shared_model::Failure;
use shared_runtime::Conn;
use trust_log::merkle::{Hash, HashRange};

use crate::{
    column::{TreeHash, from_column, to_column},
    tables::{log_entries, log_head, subtree_roots},
};

/// The head of the log as it is stored. It may be damaged: nothing in it is compared yet.
pub struct StoredHead {
    pub size: u64,
    pub root: Hash,
    pub frontier: Vec<u8>,
}

pub(super) type HeadRow = (i64, TreeHash, Vec<u8>);

impl TryFrom<HeadRow> for StoredHead {
    type Error = Failure;

    fn try_from((size, TreeHash(root), frontier): HeadRow) -> Result<Self, Failure> {
        Ok(Self { size: from_column(size)?, root, frontier })
    }
}

type HeadColumns = (log_head::size, log_head::root, log_head::frontier);

pub(super) fn head_row() -> dsl::Select<dsl::Find<log_head::table, i32>, HeadColumns> {
    log_head::table.find(1).select((log_head::size, log_head::root, log_head::frontier))
}

pub fn stored_head(conn: &mut Conn) -> Result<StoredHead, Failure> {
    head_row().first::<HeadRow>(conn)?.try_into()
}

/// The stored hashes of a range. Missing rows are left out.
pub fn hashes(conn: &mut Conn, HashRange { level, start, count }: HashRange) -> Result<Vec<Hash>, Failure> {
    let (from, below) = (to_column(start)?, to_column(start.saturating_add(count))?);
    // Level 0 is not stored twice: the leaves have their hashes beside them.
    let hashes: Vec<TreeHash> = if level == 0 {
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
    };
    Ok(hashes.into_iter().map(|TreeHash(hash)| hash).collect())
}

/// The entries of a range of leaves, each with its hash. Missing rows are left out.
pub fn entries(conn: &mut Conn, HashRange { start, count, .. }: HashRange) -> Result<Vec<(Vec<u8>, Hash)>, Failure> {
    let (from, below) = (to_column(start)?, to_column(start.saturating_add(count))?);
    let entries: Vec<(Vec<u8>, TreeHash)> = log_entries::table
        .filter(log_entries::log_index.ge(from))
        .filter(log_entries::log_index.lt(below))
        .order(log_entries::log_index)
        .select((log_entries::leaf, log_entries::leaf_hash))
        .load(conn)?;
    Ok(entries.into_iter().map(|(leaf, TreeHash(hash))| (leaf, hash)).collect())
}

/// The smallest index of an entry at or after `size`.
pub fn first_entry_from(conn: &mut Conn, size: u64) -> Result<Option<u64>, Failure> {
    let from = log_entries::table.filter(log_entries::log_index.ge(to_column(size)?)).order(log_entries::log_index);
    from.select(log_entries::log_index).first(conn).optional()?.map(from_column).transpose()
}
