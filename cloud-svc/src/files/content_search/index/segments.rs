//! The rows of segments and their blocks.

use diesel::prelude::*;
use shared_model::{Error, Failure, Timestamp};
use shared_runtime::{Conn, insert_rows, on_each};

use crate::base::{
    ids::WorkspaceId,
    tables::{search_blocks, search_segments},
};
use cloud_content::search::{block::Block, pieces::Piece};

shared_model::text_enum! {
    /// The states of a segment.
    pub enum SegmentState {
        /// It gets blocks, and no search reads it.
        Building = "building",
        Live = "live",
        /// Its blocks are being deleted.
        Dead = "dead",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Queryable, Selectable)]
#[diesel(table_name = search_segments)]
pub struct Segment {
    pub id: i64,
    pub first_sequence: i64,
    pub last_sequence: i64,
    /// How many it had when it was built.
    pub entries: i64,
    pub made_at: Timestamp,
}

/// A segment to build.
#[derive(Clone, Copy, Debug)]
pub struct NewSegment {
    pub first_sequence: i64,
    pub last_sequence: i64,
    pub entries: i64,
    pub made_at: Timestamp,
}

/// Other work has changed the segments meanwhile; nothing was published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overtaken;

/// The live segments of a workspace, newest first.
pub fn live(conn: &mut Conn, owner: WorkspaceId) -> Result<Vec<Segment>, Failure> {
    let live = search_segments::table
        .filter(search_segments::workspace_id.eq(owner))
        .filter(search_segments::state.eq(SegmentState::Live));
    Ok(live.order(search_segments::last_sequence.desc()).select(Segment::as_select()).load(conn)?)
}

/// The number up to which all entries are indexed.
pub fn last_sequence(conn: &mut Conn, owner: WorkspaceId) -> Result<i64, Failure> {
    Ok(live(conn, owner)?.first().map_or(0, |newest| newest.last_sequence))
}

pub fn begin(conn: &mut Conn, owner: WorkspaceId, new: NewSegment, now: Timestamp) -> Result<i64, Failure> {
    let row = (
        search_segments::workspace_id.eq(owner),
        search_segments::state.eq(SegmentState::Building),
        search_segments::first_sequence.eq(new.first_sequence),
        search_segments::last_sequence.eq(new.last_sequence),
        search_segments::entries.eq(new.entries),
        search_segments::made_at.eq(new.made_at),
        search_segments::begun_at.eq(now),
    );
    let insert = diesel::insert_into(search_segments::table).values(row).returning(search_segments::id);
    Ok(on_each!(conn, |c| insert.get_result(c))?)
}

/// Fails if the segment was removed meanwhile, by the foreign key.
pub fn add_blocks(conn: &mut Conn, segment: i64, blocks: &[Block]) -> Result<(), Failure> {
    let rows = blocks.iter().map(|block| {
        (
            search_blocks::segment_id.eq(segment),
            search_blocks::first_piece.eq(block.first_piece),
            search_blocks::lists.eq(block.bytes.as_slice()),
        )
    });
    Ok(insert_rows!(conn, rows, |row| diesel::insert_into(search_blocks::table).values(row))?)
}

/// Makes built segments live, and those that they replace dead. If one of those is no longer live, drops the built ones.
pub fn publish(
    conn: &mut Conn,
    owner: WorkspaceId,
    (built, replaced): (&[i64], &[Segment]),
) -> Result<Result<(), Overtaken>, Error> {
    let old: Vec<i64> = replaced.iter().map(|segment| segment.id).collect();
    let is_live = live(conn, owner)?;
    if !old.iter().all(|id| is_live.iter().any(|segment| segment.id == *id)) {
        set_state(conn, built, SegmentState::Dead)?;
        return Ok(Err(Overtaken));
    }
    set_state(conn, &old, SegmentState::Dead)?;
    if set_state(conn, built, SegmentState::Live)? != built.len() {
        return Err(Failure::fault("a segment of the search index was removed while it was built").into());
    }
    Ok(Ok(()))
}

pub fn set_state(conn: &mut Conn, ids: &[i64], state: SegmentState) -> Result<usize, Failure> {
    let rows = search_segments::table.filter(search_segments::id.eq_any(ids));
    Ok(on_each!(conn, |c| diesel::update(rows).set(search_segments::state.eq(state)).execute(c))?)
}

/// Up to `limit` blocks with a first piece above `after`, in order.
pub fn blocks_after(
    conn: &mut Conn,
    segment: i64,
    after: Option<Piece>,
    limit: i64,
) -> Result<Vec<(Piece, Vec<u8>)>, Failure> {
    let mut blocks = search_blocks::table
        .filter(search_blocks::segment_id.eq(segment))
        .select((search_blocks::first_piece, search_blocks::lists))
        .order(search_blocks::first_piece)
        .limit(limit)
        .into_boxed();
    if let Some(after) = after {
        blocks = blocks.filter(search_blocks::first_piece.gt(after));
    }
    Ok(blocks.load(conn)?)
}

/// A segment whose blocks nobody needs: it is dead, or its builder has begun before `before` and must have died.
pub fn abandoned(conn: &mut Conn, owner: WorkspaceId, before: Timestamp) -> Result<Option<i64>, Failure> {
    let begun_long_ago = search_segments::state.eq(SegmentState::Building).and(search_segments::begun_at.lt(before));
    let found = search_segments::table
        .filter(search_segments::workspace_id.eq(owner))
        .filter(search_segments::state.eq(SegmentState::Dead).or(begun_long_ago))
        .select(search_segments::id)
        .first(conn);
    Ok(found.optional()?)
}

/// Deletes up to `limit` blocks of an abandoned segment; with the last ones, the segment.
pub fn remove_some(conn: &mut Conn, segment: i64, limit: i64) -> Result<(), Failure> {
    let blocks = search_blocks::table.filter(search_blocks::segment_id.eq(segment));
    let last: Option<Piece> = blocks
        .order(search_blocks::first_piece)
        .offset(limit - 1)
        .select(search_blocks::first_piece)
        .first(conn)
        .optional()?;
    match last {
        Some(last) => {
            diesel::delete(blocks.filter(search_blocks::first_piece.le(last))).execute(conn)?;
        }
        None => {
            diesel::delete(blocks).execute(conn)?;
            diesel::delete(search_segments::table.find(segment)).execute(conn)?;
        }
    }
    Ok(())
}
