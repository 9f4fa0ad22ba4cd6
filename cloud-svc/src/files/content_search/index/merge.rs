//! Merges adjacent segments into one. Entries that were written again since are left out.

use std::collections::VecDeque;

use shared_model::Error;
use shared_runtime::Context;

use super::{
    lookup::damaged,
    segments::{self, NewSegment, Overtaken, Segment},
};
use crate::{base::ids::WorkspaceId, files::content_search::entry};
use cloud_content::search::{
    block::{self, Block, BlockWriter, Damaged, Lists},
    pieces::Piece,
};

// Blocks that are read from one segment, and written in one transaction.
const READ: i64 = 64;
const WRITTEN: usize = 256;

/// Replaces these neighbors, the newest first, by one segment.
pub async fn merge(context: &Context, owner: WorkspaceId, old: Vec<Segment>) -> Result<Result<(), Overtaken>, Error> {
    let (Some(newest), Some(oldest)) = (old.first(), old.last()) else { return Ok(Ok(())) };
    let (first, last, now) = (oldest.first_sequence, newest.last_sequence, context.clock.now());
    let made_at = old.iter().map(|segment| segment.made_at).min().unwrap_or(now);
    let alive = context.read(move |conn| Ok(entry::sequences_between(conn, owner, first, last)?)).await?;
    let entries = i64::try_from(alive.len()).unwrap_or(i64::MAX);
    let new = NewSegment { first_sequence: first, last_sequence: last, entries, made_at };
    let id = context.db.write_in(owner.lane(), move |conn| Ok(segments::begin(conn, owner, new, now)?)).await?;
    let alive = Alive::new(first, &alive);
    let mut sources: Vec<Source> = old.iter().rev().map(Source::new).collect();
    let mut writer = BlockWriter::new(first);
    let mut done = Vec::new();
    loop {
        for source in &mut sources {
            source.fill(context).await?;
        }
        let Some(piece) = sources.iter().filter_map(Source::piece).min() else { break };
        // The oldest source is the first, so that numbers ascend.
        let numbers = sources.iter_mut().filter_map(|source| source.take(piece)).flatten();
        writer.push(piece, numbers.filter(|number| alive.has(*number)));
        done.extend(writer.take_done());
        if done.len() >= WRITTEN {
            write(context, owner, id, std::mem::take(&mut done)).await?;
        }
    }
    done.extend(writer.finish());
    write(context, owner, id, done).await?;
    context.db.write_in(owner.lane(), move |conn| segments::publish(conn, owner, (&[id], &old))).await
}

async fn write(context: &Context, owner: WorkspaceId, segment: i64, blocks: Vec<Block>) -> Result<(), Error> {
    context.db.write_in(owner.lane(), move |conn| Ok(segments::add_blocks(conn, segment, &blocks)?)).await
}

/// A set of numbers.
struct Alive {
    first: i64,
    bits: Vec<u64>,
}

impl Alive {
    fn new(first: i64, numbers: &[i64]) -> Self {
        let mut alive = Self { first, bits: Vec::new() };
        for number in numbers {
            let (word, bit) = alive.place(*number);
            if alive.bits.len() <= word {
                alive.bits.resize(word + 1, 0);
            }
            alive.bits[word] |= 1 << bit;
        }
        alive
    }

    fn has(&self, number: i64) -> bool {
        let (word, bit) = self.place(number);
        self.bits.get(word).is_some_and(|bits| bits & 1 << bit != 0)
    }

    fn place(&self, number: i64) -> (usize, i64) {
        let offset = number - self.first;
        (usize::try_from(offset / 64).unwrap_or(usize::MAX), offset % 64)
    }
}

/// The lists of a segment, one after another.
struct Source {
    segment: Segment,
    lists: VecDeque<(Piece, Vec<i64>)>,
    /// The first piece of the last block that was read.
    after: Option<Piece>,
    is_read: bool,
}

impl Source {
    fn new(segment: &Segment) -> Self {
        Self { segment: *segment, lists: VecDeque::new(), after: None, is_read: false }
    }

    async fn fill(&mut self, context: &Context) -> Result<(), Error> {
        if !self.lists.is_empty() || self.is_read {
            return Ok(());
        }
        let (id, after) = (self.segment.id, self.after);
        let blocks = context.read(move |conn| Ok(segments::blocks_after(conn, id, after, READ)?)).await?;
        self.is_read = blocks.is_empty();
        for (first_piece, bytes) in blocks {
            self.after = Some(first_piece);
            self.add(&bytes).map_err(|Damaged| damaged())?;
        }
        Ok(())
    }

    fn add(&mut self, bytes: &[u8]) -> Result<(), Damaged> {
        for list in Lists::of(bytes) {
            let (piece, list) = list?;
            let mut numbers = Vec::new();
            block::numbers(list, self.segment.first_sequence, &mut numbers)?;
            self.lists.push_back((piece, numbers));
        }
        Ok(())
    }

    fn piece(&self) -> Option<Piece> {
        self.lists.front().map(|(piece, _)| *piece)
    }

    fn take(&mut self, piece: Piece) -> Option<Vec<i64>> {
        self.lists.pop_front_if(|(next, _)| *next == piece).map(|(_, numbers)| numbers)
    }
}

/// Deletes segments that nobody needs, some blocks at a time.
pub async fn clean(context: &Context, owner: WorkspaceId) -> Result<(), Error> {
    // A builder that lives writes within seconds.
    const LONG_AGO: std::time::Duration = std::time::Duration::from_secs(3_600);
    const BLOCKS: i64 = 1_000;
    let before = context.clock.now().minus(LONG_AGO);
    while let Some(segment) = context.read(move |conn| Ok(segments::abandoned(conn, owner, before)?)).await? {
        context.db.write_in(owner.lane(), move |conn| Ok(segments::remove_some(conn, segment, BLOCKS)?)).await?;
    }
    Ok(())
}
