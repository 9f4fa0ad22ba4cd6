//! Looks pieces up in all segments of a workspace.

use std::collections::{BTreeMap, VecDeque};

use diesel::{
    prelude::*,
    sql_query,
    sql_types::{BigInt, Binary, Nullable, Text},
};
use shared_model::Failure;
use shared_runtime::{Conn, on_each, state::db::prepared};

use crate::base::{id_list, ids::WorkspaceId};
use cloud_content::search::{
    block::{self, Damaged},
    pieces::Piece,
};

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = BigInt)]
    first_sequence: i64,
    #[diesel(sql_type = BigInt)]
    last_sequence: i64,
    #[diesel(sql_type = BigInt)]
    piece: Piece,
    #[diesel(sql_type = Nullable<Binary>)]
    lists: Option<Vec<u8>>,
}

/// What the index knows of some pieces.
#[derive(Debug)]
pub struct Index {
    /// By their last numbers.
    segments: BTreeMap<i64, Segment>,
}

#[derive(Debug)]
struct Segment {
    first_sequence: i64,
    blocks: BTreeMap<Piece, Vec<u8>>,
}

impl Index {
    /// Reads the blocks that may have these pieces. One statement, so that all segments are of one moment: a merge deletes
    /// the blocks of the segments that it merged.
    pub fn read(conn: &mut Conn, owner: WorkspaceId, pieces: &[Piece]) -> Result<Self, Failure> {
        let mut pieces = pieces.to_vec();
        pieces.sort_unstable();
        pieces.dedup();
        let listed = id_list::parameter(conn, pieces.iter().copied());
        let numbers = id_list::table(conn, "$1");
        let query = format!(
            "SELECT s.first_sequence, s.last_sequence, numbers.value AS piece, (
                 SELECT lists FROM search_blocks WHERE segment_id = s.id AND first_piece <= numbers.value
                 ORDER BY first_piece DESC LIMIT 1
             ) AS lists
             FROM search_segments s CROSS JOIN {numbers} WHERE s.workspace_id = $2 AND s.state = 'live'"
        );
        let query = sql_query(query).bind::<Text, _>(listed).bind::<BigInt, _>(owner);
        let rows: Vec<Row> = on_each!(conn, |c| prepared(query).load(c))?;
        let mut segments = BTreeMap::new();
        for Row { first_sequence, last_sequence, piece, lists } in rows {
            let segment =
                segments.entry(last_sequence).or_insert_with(|| Segment { first_sequence, blocks: BTreeMap::new() });
            segment.blocks.insert(piece, lists.unwrap_or_default());
        }
        Ok(Self { segments })
    }

    /// How many blocks were asked for, and the bytes of those that were found.
    pub fn size(&self) -> (usize, usize) {
        let blocks = self.segments.values().flat_map(|segment| segment.blocks.values());
        (blocks.clone().count(), blocks.map(Vec::len).sum())
    }

    /// The number up to which all entries are indexed.
    pub fn last_sequence(&self) -> i64 {
        self.segments.last_key_value().map_or(0, |(last, _)| *last)
    }

    /// The candidates below a number: these newest ones, which are not indexed, and then all that have these pieces.
    pub fn candidates<'i>(&'i self, pieces: &'i [Piece], below: i64, newest: Vec<i64>) -> Candidates<'i> {
        let segments = self.segments.values().filter(|segment| segment.first_sequence < below).collect();
        Candidates { segments, pieces, below, next: newest.into() }
    }
}

/// Numbers of entries, descending.
pub struct Candidates<'i> {
    /// The last is the next.
    segments: Vec<&'i Segment>,
    pieces: &'i [Piece],
    below: i64,
    next: VecDeque<i64>,
}

impl Candidates<'_> {
    /// Takes up to `count` candidates; none at the end.
    pub fn take(&mut self, count: usize) -> Result<Vec<i64>, Failure> {
        while self.next.len() < count
            && let Some(segment) = self.segments.pop()
        {
            let all = segment.with_all(self.pieces).map_err(|Damaged| damaged())?;
            self.next.extend(all.into_iter().rev().filter(|number| *number < self.below));
        }
        Ok(self.next.drain(..count.min(self.next.len())).collect())
    }
}

impl Segment {
    /// Ascending.
    fn with_all(&self, pieces: &[Piece]) -> Result<Vec<i64>, Damaged> {
        let list = |piece| block::of_piece(self.blocks.get(piece).map_or(&[], Vec::as_slice), *piece);
        let mut lists = pieces.iter().map(list).collect::<Result<Vec<_>, _>>()?;
        // The rarest piece first: what it does not have is not looked at in the others.
        lists.sort_by_key(|list| list.len());
        let mut all = Vec::new();
        if let Some((shortest, others)) = lists.split_first() {
            block::numbers(shortest, self.first_sequence, &mut all)?;
            others.iter().try_for_each(|list| block::keep_common(&mut all, list, self.first_sequence))?;
        }
        Ok(all)
    }
}

pub fn damaged() -> Failure {
    Failure::fault("a block of the search index is damaged; run `search rebuild`")
}
