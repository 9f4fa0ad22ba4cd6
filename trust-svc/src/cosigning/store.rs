//! The tables of submitted checkpoints and their cosignatures. Rows are inserted, and never changed.

use std::cmp::Reverse;

use diesel::{
    dsl::{exists, max},
    prelude::*,
    select,
};
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, on_each};
use trust_log::tlog::{Malformed, NoteSignature, SignedCheckpoint, VerifierKey};

use super::Witnesses;
use crate::{
    column::{from_column, to_column},
    tables::{cosignatures, submitted_checkpoints},
};

/// A checkpoint that was submitted to the witnesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submitted {
    /// With the log's signature only.
    pub checkpoint: SignedCheckpoint,
    pub at: Timestamp,
}

pub fn newest(conn: &mut Conn) -> Result<Option<Submitted>, Failure> {
    let newest = submitted_checkpoints::table.order(submitted_checkpoints::tree_size.desc());
    let columns = (submitted_checkpoints::note, submitted_checkpoints::at);
    let row = newest.select(columns).first::<(String, Timestamp)>(conn).optional()?;
    row.map(|(note, at)| Ok(Submitted { checkpoint: parse(&note)?, at })).transpose()
}

/// Submits a checkpoint. It must be larger than all checkpoints before it.
pub fn submit(conn: &mut Conn, checkpoint: &SignedCheckpoint, now: Timestamp) -> Result<(), Failure> {
    let row = (
        submitted_checkpoints::tree_size.eq(to_column(checkpoint.checkpoint().size())?),
        submitted_checkpoints::note.eq(checkpoint.to_string()),
        submitted_checkpoints::at.eq(now),
    );
    diesel::insert_into(submitted_checkpoints::table).values(row).execute(conn)?;
    Ok(())
}

pub fn add(conn: &mut Conn, size: u64, line: &NoteSignature, now: Timestamp) -> Result<(), Failure> {
    let row = (
        cosignatures::tree_size.eq(to_column(size)?),
        cosignatures::witness_key_id.eq(i64::from(line.key_id())),
        cosignatures::line.eq(line.to_string()),
        cosignatures::at.eq(now),
    );
    // Another process of the log may have stored it first.
    on_each!(conn, |conn| {
        diesel::insert_into(cosignatures::table).values(row.clone()).on_conflict_do_nothing().execute(conn)?
    });
    Ok(())
}

/// Whether a cosignature of this witness for this size is stored.
pub fn has(conn: &mut Conn, size: u64, witness: &VerifierKey) -> Result<bool, Failure> {
    let row = cosignatures::table.find((to_column(size)?, i64::from(witness.id())));
    Ok(select(exists(row)).get_result(conn)?)
}

/// The largest size with a stored cosignature of this witness, or 0.
pub fn largest(conn: &mut Conn, witness: &VerifierKey) -> Result<u64, Failure> {
    let own = cosignatures::table.filter(cosignatures::witness_key_id.eq(i64::from(witness.id())));
    let size: Option<i64> = own.select(max(cosignatures::tree_size)).first(conn)?;
    from_column(size.unwrap_or(0))
}

/// The number of these witnesses that have cosigned this size.
pub fn count(conn: &mut Conn, size: u64, witnesses: &Witnesses) -> Result<usize, Failure> {
    let of_size = cosignatures::table.filter(cosignatures::tree_size.eq(to_column(size)?));
    let ids: Vec<i64> = of_size.select(cosignatures::witness_key_id).load(conn)?;
    Ok(witnesses.ids().filter(|id| ids.contains(id)).count())
}

/// The newest checkpoint with enough cosignatures of these witnesses, and with these cosignatures.
pub fn newest_cosigned(conn: &mut Conn, witnesses: &Witnesses) -> Result<Option<SignedCheckpoint>, Failure> {
    let ids: Vec<i64> = witnesses.ids().collect();
    let needed = i64::try_from(witnesses.needed).unwrap_or(i64::MAX);
    let most = largest_possible(conn, witnesses)?;
    // The database reads checkpoints from this size down, and stops at the first one with enough cosignatures.
    let of_these = cosignatures::table
        .filter(cosignatures::tree_size.eq(submitted_checkpoints::tree_size))
        .filter(cosignatures::witness_key_id.eq_any(&ids));
    let enough = of_these.count().single_value().ge(needed);
    let newest = submitted_checkpoints::table
        .filter(submitted_checkpoints::tree_size.le(most))
        .filter(enough)
        .order(submitted_checkpoints::tree_size.desc())
        .select((submitted_checkpoints::tree_size, submitted_checkpoints::note));
    let newest: Option<(i64, String)> = on_each!(conn, |conn| newest.first(conn).optional()?);
    let Some((size, note)) = newest else { return Ok(None) };
    let checkpoint = parse(&note)?;
    let rows: Vec<(i64, String)> = cosignatures::table
        .filter(cosignatures::tree_size.eq(size))
        .order(cosignatures::witness_key_id)
        .select((cosignatures::witness_key_id, cosignatures::line))
        .load(conn)?;
    // A witness that was removed from the settings may have rows. Its cosignatures are not served.
    let of_these = rows.iter().filter(|(id, _)| ids.contains(id));
    let lines = of_these.map(|(_, line)| line.parse()).collect::<Result<Vec<_>, _>>();
    lines.and_then(|lines| checkpoint.with(lines)).map(Some).map_err(unreadable)
}

/// No larger size has enough cosignatures: fewer witnesses than are needed have cosigned a larger one.
// Without this bound, a witness that is down for a week makes each search read the checkpoints of that week.
fn largest_possible(conn: &mut Conn, witnesses: &Witnesses) -> Result<i64, Failure> {
    let sizes = witnesses.all.iter().map(|witness| largest(conn, &witness.key));
    let mut sizes = sizes.collect::<Result<Vec<_>, _>>()?;
    sizes.sort_unstable_by_key(|size| Reverse(*size));
    to_column(sizes.get(witnesses.needed.saturating_sub(1)).copied().unwrap_or(0))
}

impl Witnesses {
    fn ids(&self) -> impl Iterator<Item = i64> {
        self.all.iter().map(|witness| i64::from(witness.key.id()))
    }
}

fn parse(note: &str) -> Result<SignedCheckpoint, Failure> {
    SignedCheckpoint::parse(note.as_bytes()).map_err(unreadable)
}

fn unreadable(malformed: Malformed) -> Failure {
    Failure::fault("a stored checkpoint or cosignature is not one").from_source(malformed)
}
