//! The tiles above the leaves, computed from the roots of those below.

use super::{Finding, source::Source};
use crate::{
    merkle::{Frontier, Hash, size::TILE_WIDTH},
    tlog::{Tile, tile::Content},
};

/// The last row of each level, not more than a tile of it.
pub struct Levels<'a> {
    source: &'a Source,
    size: u64,
    /// Level 1 first. What the tiles before the last have is compared already.
    rows: Vec<Row>,
}

#[derive(Default)]
struct Row {
    tiles: u64,
    hashes: Vec<Hash>,
}

impl<'a> Levels<'a> {
    /// Of a tree of `size` leaves.
    pub fn new(source: &'a Source, size: u64) -> Self {
        Self { source, size, rows: Vec::new() }
    }

    /// Adds the root of a full tile of leaves. Each tile that it completes is compared with the one that is served.
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

    /// Compares the tiles at the end of each level, which are not full.
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
        // A tree has less than 8 levels above that of the leaves.
        let content = Content::Hashes(at as u8 + 1);
        let tile = Tile::at(content, *tiles, self.size).ok_or_else(|| Finding::at("the tree", "has too many tiles"))?;
        compare(&tile, hashes, &self.source.tile(tile).await?)
    }
}

/// Compares a tile that is served with the hashes that it must have.
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

/// The root of a full tile.
pub fn tile_root(hashes: &[Hash]) -> Result<Hash, Finding> {
    let mut frontier = Frontier::default();
    for hash in hashes {
        frontier.push(*hash).map_err(|error| Finding::at("the tree", error))?;
    }
    Ok(frontier.root())
}
