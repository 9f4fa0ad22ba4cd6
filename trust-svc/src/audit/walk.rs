//! The way through a log, from its first entry to its last.

use std::sync::Arc;

use futures_util::{StreamExt as _, TryStreamExt as _, future::try_join, stream};

use super::{
    Finding,
    entry::{self, Kind, Signers},
    levels::{Levels, compare, tile_root},
    source::Source,
};
use crate::{
    merkle::{Frontier, Hash, leaf_hash, size::TILE_WIDTH},
    tlog::{Checkpoint, Tile, bundle, tile::Content},
};

/// Bundles that are fetched and checked at a time, each with its tile.
const PARALLEL: usize = 8;

/// What was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Audited {
    /// Entries, all of which are in the tree of the checkpoint.
    pub entries: u64,
    /// Those that are events, of which the hash and the signature hold. Without signers none is looked at.
    pub events: u64,
}

/// 256 entries, or what there is at the end.
struct Leaves {
    hashes: Vec<Hash>,
    events: u64,
}

/// Fetches the whole log of this checkpoint and compares everything with it; `older` is a checkpoint that the log must be
/// consistent with. `progress` is told how many entries are done.
pub async fn walk(
    source: &Source,
    checkpoint: &Checkpoint,
    older: Option<&Checkpoint>,
    signers: Option<Signers>,
    progress: impl Fn(u64),
) -> Result<Audited, Finding> {
    let size = checkpoint.size();
    if let Some(older) = older.filter(|older| older.size() > size) {
        let problem = format!("had {} entries, and the log has {size} now: it was rolled back", older.size());
        return Err(Finding::at("the older checkpoint", problem));
    }
    let signers = signers.map(Arc::new);
    let fetch = |index| leaves(source, index, size, signers.clone());
    let mut tiles = stream::iter(0..size.div_ceil(TILE_WIDTH)).map(fetch).buffered(PARALLEL);
    let (mut levels, mut frontier, mut audited) = (Levels::new(source, size), Frontier::default(), Audited::default());
    check_older(older, &frontier, &[])?;
    while let Some(Leaves { hashes, events }) = tiles.try_next().await? {
        check_older(older, &frontier, &hashes)?;
        push(&mut frontier, &hashes)?;
        if hashes.len() as u64 == TILE_WIDTH {
            levels.push(tile_root(&hashes)?).await?;
        }
        audited.events += events;
        audited.entries += hashes.len() as u64;
        progress(audited.entries);
    }
    levels.finish().await?;
    let (stated, root) = (checkpoint.root(), frontier.root());
    if stated != root {
        return Err(Finding::at(
            "the checkpoint",
            format!("must have the root {root} of its {size} entries, has {stated}"),
        ));
    }
    Ok(audited)
}

/// The leaves of one bundle, compared with their tile.
async fn leaves(source: &Source, index: u64, size: u64, signers: Option<Arc<Signers>>) -> Result<Leaves, Finding> {
    let at = |content| Tile::at(content, index, size).ok_or_else(|| Finding::at("the tree", "has too many tiles"));
    let (entries, hashes) = (at(Content::Entries)?, at(Content::Hashes(0))?);
    let (bundle, served) = try_join(source.tile(entries), source.tile(hashes)).await?;
    let work = move || check(&entries, &bundle, &hashes, &served, signers.as_deref());
    tokio::task::spawn_blocking(work).await.map_err(|error| Finding::at(entries, error))?
}

fn check(
    entries: &Tile,
    bundle: &[u8],
    hashes: &Tile,
    served: &[u8],
    signers: Option<&Signers>,
) -> Result<Leaves, Finding> {
    let decoded = bundle::decode(bundle, entries.width()).map_err(|error| Finding::at(entries, error))?;
    let computed: Vec<Hash> = decoded.iter().map(|entry| leaf_hash(entry)).collect();
    compare(hashes, &computed, served)?;
    let mut events = 0;
    for (index, entry) in (entries.range().start..).zip(decoded) {
        let Some(signers) = signers else { break };
        let kind = entry::check(entry, signers);
        let kind = kind.map_err(|problem| Finding::at(format!("entry {index}, in {entries}"), problem))?;
        events += u64::from(kind == Kind::Event);
    }
    Ok(Leaves { hashes: computed, events })
}

/// Compares the root of the older checkpoint, where it is of a tree that ends within these leaves.
fn check_older(older: Option<&Checkpoint>, before: &Frontier, leaves: &[Hash]) -> Result<(), Finding> {
    let Some(older) = older else { return Ok(()) };
    let more = older.size().checked_sub(before.size()).and_then(|more| leaves.get(..usize::try_from(more).ok()?));
    let Some(leaves) = more else { return Ok(()) };
    let mut frontier = before.clone();
    push(&mut frontier, leaves)?;
    let (stated, root, size) = (older.root(), frontier.root(), older.size());
    if stated == root {
        return Ok(());
    }
    let problem = format!("has the root {stated} of {size} entries, and the log has {root} now: it has forked");
    Err(Finding::at("the older checkpoint", problem))
}

fn push(frontier: &mut Frontier, leaves: &[Hash]) -> Result<(), Finding> {
    leaves.iter().try_for_each(|leaf| frontier.push(*leaf)).map_err(|error| Finding::at("the tree", error))
}
