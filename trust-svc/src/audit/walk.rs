//! Goes through a log from its first entry to its last.

use std::sync::Arc;

use futures_util::{StreamExt as _, TryStreamExt as _, future::try_join, stream};

use trust_log::{
    merkle::{Frontier, Hash, leaf_hash, size::TILE_WIDTH},
    tlog::{Checkpoint, Tile, bundle, tile::Content},
};

use super::{
    Finding,
    entry::{self, EntryKind, Signers},
    levels::{Levels, compare, tile_root},
    source::Source,
};

/// Bundles that are fetched at the same time, each with its tile.
const PARALLEL_BUNDLES: usize = 8;

/// The numbers of checked entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Audited {
    /// Entries in the tree of the checkpoint.
    pub entries: u64,
    /// Entries that are events with a valid hash and a valid signature. Zero if no signers were given.
    pub events: u64,
}

/// The result for one tile: 256 entries, or fewer at the end.
struct CheckedTile {
    hashes: Vec<Hash>,
    events: u64,
}

/// Fetches the whole log of this checkpoint and compares it with the checkpoint. The log must also be consistent with
/// `older`. `progress` gets the number of checked entries.
pub async fn walk(
    source: &Source,
    checkpoint: &Checkpoint,
    older: Option<&Checkpoint>,
    signers: Option<Signers>,
    progress: impl Fn(u64),
) -> Result<Audited, Finding> {
    let size = checkpoint.size();
    if let Some(older) = older.filter(|older| older.size() > size) {
        let problem = format!("had {} entries, but the log has {size} now: the log was rolled back", older.size());
        return Err(Finding::at("the older checkpoint", problem));
    }
    let signers = signers.map(Arc::new);
    let fetch = |index| fetch_tile(source, index, size, signers.clone());
    let mut tiles = stream::iter(0..size.div_ceil(TILE_WIDTH)).map(fetch).buffered(PARALLEL_BUNDLES);
    let (mut levels, mut frontier, mut audited) = (Levels::new(source, size), Frontier::default(), Audited::default());
    // An older checkpoint of an empty log ends before the first tile.
    check_older(older, &frontier, &[])?;
    while let Some(CheckedTile { hashes, events }) = tiles.try_next().await? {
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

/// Fetches the bundle and the tile at `index`, and compares them.
async fn fetch_tile(
    source: &Source,
    index: u64,
    size: u64,
    signers: Option<Arc<Signers>>,
) -> Result<CheckedTile, Finding> {
    let at = |content| Tile::at(content, index, size).ok_or_else(|| Finding::at("the tree", "has too many tiles"));
    let (entries, hashes) = (at(Content::Entries)?, at(Content::Hashes(0))?);
    let (bundle, served) = try_join(source.tile(entries), source.tile(hashes)).await?;
    let work = move || check(&entries, &bundle, &hashes, &served, signers.as_deref());
    // Checking 256 signatures takes milliseconds: on another thread, so that downloads go on.
    tokio::task::spawn_blocking(work).await.map_err(|error| Finding::at(entries, error))?
}

fn check(
    entries: &Tile,
    bundle: &[u8],
    hashes: &Tile,
    served: &[u8],
    signers: Option<&Signers>,
) -> Result<CheckedTile, Finding> {
    let decoded = bundle::decode(bundle, entries.width()).map_err(|error| Finding::at(entries, error))?;
    let computed: Vec<Hash> = decoded.iter().map(|entry| leaf_hash(entry)).collect();
    compare(hashes, &computed, served)?;
    let mut events = 0;
    for (index, entry) in (entries.range().start..).zip(decoded) {
        let Some(signers) = signers else { break };
        let kind = entry::check(entry, signers);
        let kind = kind.map_err(|problem| Finding::at(format!("entry {index}, in {entries}"), problem))?;
        events += u64::from(kind == EntryKind::Event);
    }
    Ok(CheckedTile { hashes: computed, events })
}

/// Compares the root of the older checkpoint, if its tree ends within these leaves.
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
    let problem = format!("has the root {stated} of {size} entries, but the log has {root} now: it has forked");
    Err(Finding::at("the older checkpoint", problem))
}

fn push(frontier: &mut Frontier, leaves: &[Hash]) -> Result<(), Finding> {
    leaves.iter().try_for_each(|leaf| frontier.push(*leaf)).map_err(|error| Finding::at("the tree", error))
}
