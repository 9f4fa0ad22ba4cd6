//! The table of the latest checkpoint of each log that the witness has cosigned.

use diesel::prelude::*;
use shared_model::{Failure, Timestamp};
use shared_runtime::Conn;

use crate::{
    column::{column, number},
    merkle::{EMPTY_ROOT, Hash},
    schema::witnessed_checkpoints::{self, at, checkpoint, origin, root, size},
    tlog::SignedCheckpoint,
};

/// The tree of a log as the witness knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Witnessed {
    /// How many leaves it has.
    pub size: u64,
    /// Its root.
    pub root: Hash,
}

/// The latest tree of this log that was cosigned; the empty one of a log of which none was.
pub fn latest(conn: &mut Conn, log: &str) -> Result<Witnessed, Failure> {
    let row = witnessed_checkpoints::table.find(log).select((size, root)).first::<(i64, Hash)>(conn).optional()?;
    let Some((stored, hash)) = row else { return Ok(Witnessed { size: 0, root: EMPTY_ROOT }) };
    Ok(Witnessed { size: number(stored)?, root: hash })
}

/// Stores a checkpoint as the latest, in place of the one that is known.
///
/// Transactions on one log run one after the other; that the stored size is still the known one is insisted on all the same,
/// for two cosigned forks could never be taken back.
pub fn advance(conn: &mut Conn, known: &Witnessed, signed: &SignedCheckpoint, now: Timestamp) -> Result<(), Failure> {
    let latest = signed.checkpoint();
    let values =
        (size.eq(column(latest.size())?), root.eq(latest.root()), checkpoint.eq(signed.to_string()), at.eq(now));
    let known_row = witnessed_checkpoints::table.find(latest.origin()).filter(size.eq(column(known.size)?));
    if diesel::update(known_row.filter(root.eq(known.root))).set(values.clone()).execute(conn)? == 1 {
        return Ok(());
    }
    // The first checkpoint of this log. Where there is a row, the key of the table refuses a second one.
    diesel::insert_into(witnessed_checkpoints::table).values((origin.eq(latest.origin()), values)).execute(conn)?;
    Ok(())
}
