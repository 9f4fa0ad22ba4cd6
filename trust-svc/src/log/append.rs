//! Appends leaves to the log: a whole batch in few statements.

use std::sync::Arc;

use diesel::prelude::*;
use shared_model::Failure;
use shared_runtime::{Conn, insert_rows, state::db::prepared};
use trust_log::{
    merkle::{self, Appended, Hash, SubtreeRoot, leaf_hash},
    tlog::bundle::{EntryTooLong, MAX_ENTRY},
};

use super::{
    head::Head,
    position::{LogPosition, LogTree},
};
use crate::{
    column::{TreeHash, to_column},
    tables::{log_entries, log_head, subtree_roots},
};

/// An entry of the log: canonical JSON of at most 65 535 bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    text: String,
    hash: Hash,
}

impl Leaf {
    pub fn new(text: String) -> Result<Self, EntryTooLong> {
        if text.len() > MAX_ENTRY {
            return Err(EntryTooLong { bytes: text.len() });
        }
        Ok(Self { hash: leaf_hash(text.as_bytes()), text })
    }
}

/// Appends leaves after `head`, which [`super::lock_head`] returned in this transaction. Returns the position of each
/// leaf.
pub fn append(conn: &mut Conn, head: &Head, leaves: &[&Leaf]) -> Result<Vec<LogPosition>, Failure> {
    // A batch in which every event was refused must not write the head.
    if leaves.is_empty() {
        return Ok(Vec::new());
    }
    let hashes: Vec<_> = leaves.iter().map(|leaf| leaf.hash).collect();
    let appended = merkle::append(&head.frontier, &hashes).map_err(|error| Failure::fault(error.to_string()))?;
    insert_leaves(conn, head.size(), leaves)?;
    // One row for every 256 leaves: at most one or two in a batch, so they need no batch statement.
    for SubtreeRoot { level, index, hash } in appended.subtree_roots() {
        let row = (
            subtree_roots::level.eq(i32::from(level)),
            subtree_roots::node_index.eq(to_column(index)?),
            subtree_roots::hash.eq(TreeHash(hash)),
        );
        diesel::insert_into(subtree_roots::table).values(row).execute(conn)?;
    }
    update_head(conn, &appended)?;
    // All positions share one tree, so its checkpoint is signed once for the whole batch.
    let tree = Arc::new(LogTree::new(appended.size(), appended.root()));
    let positions = (head.size()..).zip(hashes).zip(appended.inclusion_paths());
    Ok(positions.map(|((index, hash), path)| LogPosition::new(index, hash, path, Arc::clone(&tree))).collect())
}

fn insert_leaves(conn: &mut Conn, first: u64, leaves: &[&Leaf]) -> Result<(), Failure> {
    let row = |(index, leaf): (u64, &&'_ Leaf)| {
        Ok::<_, Failure>((
            log_entries::log_index.eq(to_column(index)?),
            log_entries::leaf.eq(leaf.text.clone().into_bytes()),
            log_entries::leaf_hash.eq(TreeHash(leaf.hash)),
        ))
    };
    let rows = (first..).zip(leaves).map(row).collect::<Result<Vec<_>, _>>()?;
    Ok(insert_rows!(conn, rows, |row| diesel::insert_into(log_entries::table).values(row))?)
}

fn update_head(conn: &mut Conn, appended: &Appended) -> Result<(), Failure> {
    let new = (
        log_head::size.eq(to_column(appended.size())?),
        log_head::root.eq(TreeHash(appended.root())),
        log_head::frontier.eq(appended.frontier().to_bytes()),
    );
    prepared(diesel::update(log_head::table.find(1)).set(new)).execute(conn)?;
    Ok(())
}
