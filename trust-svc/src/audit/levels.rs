//! Computes the tiles above the leaves and compares them with the served ones.

use super::{Finding, source::Source};
use trust_log::{
    merkle::{Frontier, Hash, size::TILE_WIDTH},
    tlog::{Tile, tile::Content},
};

/// The unfinished tile of each level above the leaves.
pub struct Levels<'a> {
    source: &'a Source,
    size: u64,
    // Level 1 first. Finished tiles are compared and dropped, so memory does not grow with the log.
    rows: Vec<Row>,
}

#[derive(Default)]
struct Row {
    tiles: u64,
    hashes: Vec<Hash>,
}

impl<'a> Levels<'a> {
    pub fn new(source: &'a Source, size: u64) -> Self {
        Self { source, size, rows: Vec::new() }
    }

    /// Adds the root of a full tile of leaves, and compares every tile that this completes.
    pub async fn push(&mut self, root: Hash) -> Result<(), Finding> {
        let mut root = root;
        for at in 0.. {
            if self.rows.len() == at {
                self.rows.push(Row::default());
            }
            let row = &mut self.rows[at];
            row.hashes.push(root);
            if (row.hashes.len() as u64) < TILE_WIDTH {
                break;
            }
            self.compare(at).await?;
            let row = &mut self.rows[at];
            root = tile_root(&row.hashes)?;
            row.tiles += 1;
            row.hashes.clear();
        }
        Ok(())
    }

    /// Compares the partial tile at the end of each level.
    pub async fn finish(self) -> Result<(), Finding> {
        for at in 0..self.rows.len() {
            if !self.rows[at].hashes.is_empty() {
                self.compare(at).await?;
            }
        }
        Ok(())
    }

    async fn compare(&self, at: usize) -> Result<(), Finding> {
        let Row { tiles, hashes } = &self.rows[at];
        // A tree of 2^63 leaves has 7 levels of tiles above the leaves.
        let content = Content::Hashes(at as u8 + 1);
        let tile = Tile::at(content, *tiles, self.size).ok_or_else(|| Finding::at("the tree", "has too many tiles"))?;
        compare(&tile, hashes, &self.source.tile(tile).await?)
    }
}

pub fn compare(tile: &Tile, expected: &[Hash], served: &[u8]) -> Result<(), Finding> {
    let (hashes, rest) = served.as_chunks::<32>();
    if !rest.is_empty() || hashes.len() != expected.len() {
        return Err(Finding::at(tile, format!("must have {} bytes, has {}", 32 * expected.len(), served.len())));
    }
    let wrong = (0..).zip(expected.iter().zip(hashes)).find(|(_, (expected, hash))| expected.as_bytes() != *hash);
    let Some((at, (expected, hash))) = wrong else { return Ok(()) };
    let place = tile.range().start + at;
    let under = match tile.range().level {
        0 => format!("entry {place}"),
        level => format!("the subtree {place} of level {level}"),
    };
    let served = Hash::from_bytes(*hash);
    Err(Finding::at(tile, format!("must have the hash {expected} of {under}, has {served}")))
}

pub fn tile_root(hashes: &[Hash]) -> Result<Hash, Finding> {
    let mut frontier = Frontier::default();
    for hash in hashes {
        frontier.push(*hash).map_err(|error| Finding::at("the tree", error))?;
    }
    Ok(frontier.root())
}
