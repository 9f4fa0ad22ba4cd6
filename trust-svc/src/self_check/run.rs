//! A whole self-check: all entries in parallel, then the tree above them and the signers.

use std::{collections::HashMap, thread};

use futures_util::{StreamExt as _, stream};
use shared_model::Timestamp;
use shared_runtime::Context;
use trust_log::merkle::{
    Frontier, Hash, HashRange,
    size::{TILE_HEIGHT, TILE_WIDTH},
};

use super::{
    mismatch::{CheckError, Mismatch},
    range::{self, CheckedRange, RangeHashes},
    signer_table,
};
use crate::{
    log::store::{self, StoredHead},
    signers,
};

/// A log that was found intact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    pub at: Timestamp,
    pub size: u64,
    // The root of the entries. The head of the log has the same root.
    pub root: Hash,
}

/// Checks the whole log. `progress` gets the number of entries of each checked range.
pub async fn run(context: &Context, progress: impl Fn(u64)) -> Result<Checked, CheckError> {
    let at = context.clock.now();
    // The stored row, not `read_head`: that fails on a damaged head, and here damage is a result with a place.
    let head = context.read(|conn| Ok(store::stored_head(conn)?)).await?;
    let size = head.size;
    let stray = context.read(move |conn| Ok(store::first_entry_from(conn, size)?)).await?;
    let rows = context.read(|conn| Ok(signers::store::all(conn)?)).await?;
    // The head is read again, because another process may have appended between the queries.
    let later = context.read(|conn| Ok(store::stored_head(conn)?.size)).await?;
    if let Some(stray) = stray.filter(|stray| *stray >= later) {
        let what = format!("the log has {later} entries, but this entry is beyond them");
        return Err(Mismatch { place: format!("entry {stray}"), what }.into());
    }
    let ranges = (0..size.div_ceil(range::RANGE)).map(|number| {
        let start = number * range::RANGE;
        (start, (start + range::RANGE).min(size))
    });
    // One thread computes hashes for each core, but never more than there are connections to read with.
    let workers = thread::available_parallelism().map_or(1, usize::from).min(context.settings.connections).max(1);
    let mut checked = stream::iter(ranges)
        .map(|(start, end)| async move {
            let hashed = context.read(move |conn| Ok(range::check(conn, start, end, size)?)).await?;
            Ok::<_, CheckError>((end - start, hashed?))
        })
        .buffered(workers);
    let (mut tree, mut recorded) = (Tree::default(), HashMap::new());
    while let Some(range) = checked.next().await {
        let (entries, CheckedRange { hashes, signers }) = range?;
        tree.push(hashes);
        recorded.extend(signers);
        progress(entries);
    }
    drop(checked);
    tree.check(context, &head).await?;
    let newer = context.read(move |conn| Ok(range::changed_signers(conn, size, later)?)).await?;
    signer_table::compare(recorded, rows, &newer)?;
    Ok(Checked { at, size, root: head.root })
}

/// The tree above the leaves, computed from the entries.
#[derive(Debug, Default)]
struct Tree {
    /// Row 0: the roots of full tiles of leaves. Each next row: the roots of full tiles of the row before.
    rows: Vec<Vec<Hash>>,
    frontier: Frontier,
}

impl Tree {
    fn push(&mut self, RangeHashes { tiles, rest }: RangeHashes) {
        for root in tiles {
            self.push_root(0, root);
            self.frontier.push_subtree(TILE_HEIGHT, root).expect("only the last range may end within a tile");
        }
        for hash in rest {
            self.frontier.push(hash).expect("no log is that large");
        }
    }

    fn push_root(&mut self, row: usize, root: Hash) {
        if self.rows.len() == row {
            self.rows.push(Vec::new());
        }
        self.rows[row].push(root);
        if (self.rows[row].len() as u64).is_multiple_of(TILE_WIDTH) {
            let tile = self.rows[row].len() - TILE_WIDTH as usize..;
            let above = range::root(&self.rows[row][tile]);
            self.push_root(row + 1, above);
        }
    }

    async fn check(self, context: &Context, head: &StoredHead) -> Result<(), CheckError> {
        for (row, expected) in self.rows.into_iter().enumerate() {
            let level = u8::try_from(row + 1).expect("a tree has eight rows");
            let range = HashRange { level, start: 0, count: expected.len() as u64 };
            let stored = context.read(move |conn| Ok(store::hashes(conn, range)?)).await?;
            let place = |at: usize| format!("tile/{level}/{:03}, hash {}", at >> TILE_HEIGHT, at % TILE_WIDTH as usize);
            for (at, expected) in expected.iter().enumerate() {
                match stored.get(at) {
                    Some(stored) if stored == expected => {}
                    Some(stored) => return Err(Mismatch::new(place(at), "the subtree root", expected, stored).into()),
                    None => {
                        return Err(
                            Mismatch { place: place(at), what: "the subtree root is missing".to_owned() }.into()
                        );
                    }
                }
            }
        }
        let place = || "the head of the log".to_owned();
        if head.root != self.frontier.root() {
            return Err(Mismatch::new(place(), "the root", self.frontier.root(), head.root).into());
        }
        if head.frontier != self.frontier.to_bytes() {
            let what = "the frontier must follow from the entries, and does not".to_owned();
            return Err(Mismatch { place: place(), what }.into());
        }
        Ok(())
    }
}
