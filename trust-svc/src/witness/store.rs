//! The table of the latest cosigned checkpoint of each log.

use diesel::prelude::*;
use shared_model::{Failure, Timestamp};
use shared_runtime::Conn;
use trust_log::{
    merkle::{EMPTY_ROOT, Hash},
    tlog::SignedCheckpoint,
};

use crate::{
    column::{TreeHash, from_column, to_column},
    tables::witnessed_checkpoints::{self, at, checkpoint, origin, root, size},
};

/// The latest tree of a log that the witness has cosigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CosignedTree {
    pub size: u64,
    pub root: Hash,
}

/// The latest cosigned tree of this log, or the empty tree.
pub fn latest(conn: &mut Conn, log: &str) -> Result<CosignedTree, Failure> {
    let row = witnessed_checkpoints::table.find(log).select((size, root)).first::<(i64, TreeHash)>(conn).optional()?;
    let Some((stored, TreeHash(hash))) = row else { return Ok(CosignedTree { size: 0, root: EMPTY_ROOT }) };
    Ok(CosignedTree { size: from_column(stored)?, root: hash })
}

/// Whether it has cosigned a checkpoint of any log.
pub fn has_cosigned(conn: &mut Conn) -> Result<bool, Failure> {
    Ok(witnessed_checkpoints::table.select(size).first::<i64>(conn).optional()?.is_some())
}

/// Replaces the `known` tree by the tree of this checkpoint.
pub fn advance(
    conn: &mut Conn,
    known: &CosignedTree,
    signed: &SignedCheckpoint,
    now: Timestamp,
) -> Result<(), Failure> {
    let latest = signed.checkpoint();
    let values = (
        size.eq(to_column(latest.size())?),
        root.eq(TreeHash(latest.root())),
        checkpoint.eq(signed.to_string()),
        at.eq(now),
    );
    // The lane runs the transactions of one log one after another. The update compares the known tree all the same: two
    // cosigned forks could never be taken back.
    let known_row = witnessed_checkpoints::table.find(latest.origin()).filter(size.eq(to_column(known.size)?));
    if diesel::update(known_row.filter(root.eq(TreeHash(known.root)))).set(values.clone()).execute(conn)? == 1 {
        return Ok(());
    }
    // The first checkpoint of this log. If there is a row after all, the primary key refuses this one.
    diesel::insert_into(witnessed_checkpoints::table).values((origin.eq(latest.origin()), values)).execute(conn)?;
    Ok(())
}
