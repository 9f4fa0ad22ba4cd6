//! Appending leaves to the log: all of a batch at once, in few statements.

use std::sync::Arc;

use diesel::prelude::*;
use shared_model::Failure;
use shared_runtime::{Conn, insert_rows};

use super::{
    head::{self, Head},
    place::{Place, Tree},
};
use crate::{
    column::column,
    merkle::{self, Hash, SubtreeRoot, leaf_hash},
    schema::{log_entries, subtree_roots},
    tlog::bundle::{EntryTooLong, MAX_ENTRY},
};

/// What the log keeps of an entry: canonical JSON, at most 65 535 bytes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    text: String,
    hash: Hash,
}

impl Leaf {
    /// The leaf that is this text.
    pub fn new(text: String) -> Result<Self, EntryTooLong> {
        if text.len() > MAX_ENTRY {
            return Err(EntryTooLong { bytes: text.len() });
        }
        Ok(Self { hash: leaf_hash(text.as_bytes()), text })
    }
}

/// Appends leaves after `head`, which [`head::take_turn`] read in this transaction; the place of each.
pub fn append(conn: &mut Conn, head: &Head, leaves: &[&Leaf]) -> Result<Vec<Place>, Failure> {
    if leaves.is_empty() {
        return Ok(Vec::new());
    }
    let hashes: Vec<_> = leaves.iter().map(|leaf| leaf.hash).collect();
    let appended = merkle::append(&head.frontier, &hashes).map_err(|error| Failure::fault(error.to_string()))?;
    insert_leaves(conn, head.size(), leaves)?;
    for SubtreeRoot { level, index, hash } in appended.subtree_roots() {
        let row = (
            subtree_roots::level.eq(i32::from(level)),
            subtree_roots::node_index.eq(column(index)?),
            subtree_roots::hash.eq(hash),
        );
        diesel::insert_into(subtree_roots::table).values(row).execute(conn)?;
    }
    head::put(conn, &appended)?;
    let tree = Arc::new(Tree::new(appended.size(), appended.root()));
    let places = (head.size()..).zip(hashes).zip(appended.inclusion_paths());
    Ok(places.map(|((index, hash), path)| Place::new(index, hash, path, Arc::clone(&tree))).collect())
}

fn insert_leaves(conn: &mut Conn, first: u64, leaves: &[&Leaf]) -> Result<(), Failure> {
    let row = |(index, leaf): (u64, &&'_ Leaf)| {
        Ok::<_, Failure>((
            log_entries::log_index.eq(column(index)?),
            log_entries::leaf.eq(leaf.text.clone().into_bytes()),
            log_entries::leaf_hash.eq(leaf.hash),
        ))
    };
    let rows = (first..).zip(leaves).map(row).collect::<Result<Vec<_>, _>>()?;
    Ok(insert_rows!(conn, rows, |row| diesel::insert_into(log_entries::table).values(row))?)
}
