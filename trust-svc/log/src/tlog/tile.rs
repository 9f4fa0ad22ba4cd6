//! Tiles: 256 neighboring hashes of one level of the tree, or 256 entries, under a path (C2SP tlog-tiles).

use std::{fmt, str::FromStr};

use super::malformed::Malformed;
use crate::merkle::{
    HashRange, MAX_SIZE,
    size::{TILE_HEIGHT, TILE_WIDTH},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Content {
    /// Hashes of this level: 0 for the leaves, `k` for the roots of subtrees of 256^`k` leaves.
    Hashes(u8),
    /// Entries ([`super::bundle`]).
    Entries,
}

/// As text it is its path, `tile/<L>/<N>[.p/<W>]` or `tile/entries/<N>[.p/<W>]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tile {
    content: Content,
    index: u64,
    width: u16,
}

// The limit of C2SP. A tree of 2^63 leaves needs only 8 levels.
const MAX_LEVEL: u8 = 63;
// The index of the last tile of the largest log.
const MAX_INDEX: u64 = MAX_SIZE >> TILE_HEIGHT;

impl Tile {
    /// The tile at this index of the tree of `size` leaves, full or partial. `None` if the tree has no such tile.
    pub fn at(content: Content, index: u64, size: u64) -> Option<Self> {
        let widest = Self { content, index, width: TILE_WIDTH as u16 };
        let start = index.checked_mul(TILE_WIDTH)?;
        let width = row_length(size, widest.level()).checked_sub(start).filter(|width| *width > 0)?.min(TILE_WIDTH);
        Some(Self { width: width as u16, ..widest })
    }

    pub fn full(self) -> Self {
        Self { width: TILE_WIDTH as u16, ..self }
    }

    pub fn content(&self) -> Content {
        self.content
    }

    pub fn width(&self) -> u16 {
        self.width
    }

    /// The stored hashes of the tile, or the stored leaf hashes of its entries.
    pub fn range(&self) -> HashRange {
        HashRange { level: self.level(), start: self.index * TILE_WIDTH, count: u64::from(self.width) }
    }

    /// Whether the tree of `size` leaves has all of the tile.
    pub fn is_in(&self, size: u64) -> bool {
        let HashRange { start, count, .. } = self.range();
        start + count <= row_length(size, self.level())
    }

    /// All tiles of hashes of the tree of `size` leaves, leaves first. A tree of a million leaves has 3 924.
    pub fn all(size: u64) -> impl Iterator<Item = Self> {
        (0..=MAX_LEVEL).flat_map(move |level| {
            let length = row_length(size, level);
            let width = move |index: u64| (length - index * TILE_WIDTH).min(TILE_WIDTH) as u16;
            let tile = move |index| Self { content: Content::Hashes(level), index, width: width(index) };
            (0..length.div_ceil(TILE_WIDTH)).map(tile)
        })
    }

    fn level(&self) -> u8 {
        match self.content {
            Content::Hashes(level) => level,
            Content::Entries => 0,
        }
    }
}

fn row_length(size: u64, level: u8) -> u64 {
    size.checked_shr(TILE_HEIGHT * u32::from(level)).unwrap_or(0)
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.content {
            Content::Hashes(level) => write!(f, "tile/{level}/")?,
            Content::Entries => write!(f, "tile/entries/")?,
        }
        let groups = self.index.checked_ilog(1000).unwrap_or(0);
        for group in (1..=groups).rev() {
            write!(f, "x{:03}/", self.index / 1000_u64.pow(group) % 1000)?;
        }
        write!(f, "{:03}", self.index % 1000)?;
        if u64::from(self.width) < TILE_WIDTH { write!(f, ".p/{}", self.width) } else { Ok(()) }
    }
}

impl FromStr for Tile {
    type Err = Malformed;

    fn from_str(path: &str) -> Result<Self, Malformed> {
        let tile = read(path).filter(|tile| tile.to_string() == path);
        tile.ok_or_else(|| {
            let rule = "the path of a tile must be tile/<L>/<N>[.p/<W>] or tile/entries/<N>[.p/<W>], with L from 0 to \
                        63, N in groups of three digits like x001/x234/067 and W from 1 to 255";
            Malformed::new(rule, path)
        })
    }
}

// Also accepts other spellings. The caller refuses them by writing the tile again.
fn read(path: &str) -> Option<Tile> {
    let (content, place) = path.strip_prefix("tile/")?.split_once('/')?;
    let content = match content {
        "entries" => Content::Entries,
        level => Content::Hashes(level.parse().ok().filter(|level| *level <= MAX_LEVEL)?),
    };
    let (index, width) = match place.split_once(".p/") {
        Some((index, width)) => (index, width.parse().ok().filter(|width| (1..256).contains(width))?),
        None => (place, TILE_WIDTH as u16),
    };
    let group = |before: u64, group: &str| {
        let digits = group.trim_start_matches('x').parse().ok()?;
        before.checked_mul(1000)?.checked_add(digits)
    };
    let index = index.split('/').try_fold(0, group)?;
    (index <= MAX_INDEX).then_some(Tile { content, index, width })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn paths_are_those_of_the_specification() {
        let tile = |content, index, width| Tile { content, index, width };
        for (path, expected) in [
            ("tile/0/000", tile(Content::Hashes(0), 0, 256)),
            ("tile/63/999.p/1", tile(Content::Hashes(63), 999, 1)),
            ("tile/1/x001/000", tile(Content::Hashes(1), 1000, 256)),
            ("tile/2/x001/x234/067.p/255", tile(Content::Hashes(2), 1_234_067, 255)),
            ("tile/entries/x123/456", tile(Content::Entries, 123_456, 256)),
            ("tile/0/x036/x028/x797/x018/x963/967", tile(Content::Hashes(0), MAX_INDEX, 256)),
        ] {
            assert_eq!(path.parse(), Ok(expected));
            assert_eq!(expected.to_string(), path);
        }
    }

    #[test]
    fn a_path_has_one_spelling() {
        for path in [
            "tile/0/0",
            "tile/0/0000",
            "tile/0/x000/001",
            "tile/0/001/002",
            "tile/0/x001",
            "tile/0/x001/x002",
            "tile/00/000",
            "tile/+1/000",
            "tile/64/000",
            "tile/-1/000",
            "tile/0/000.p/0",
            "tile/0/000.p/256",
            "tile/0/000.p/01",
            "tile/0/000.p/",
            "tile/0/000.p",
            "tile/0/000/",
            "/tile/0/000",
            "tile/0/00a",
            "tile/0/",
            "tile/entries/",
            "tile/Entries/000",
            "tile//000",
            "tile/0/x036/x028/x797/x018/x963/968",
            "tile/0/x999/x999/x999/x999/x999/x999/x999/999",
            "tile/0/٠٠٠",
            "",
        ] {
            assert!(path.parse::<Tile>().is_err(), "{path}");
        }
    }

    #[test]
    fn the_tiles_of_70_000_leaves_are_those_of_the_specification() {
        let tiles: Vec<_> = Tile::all(70_000).collect();
        let of = |level, width| {
            let is = |tile: &&Tile| (tile.content, tile.width) == (Content::Hashes(level), width);
            tiles.iter().filter(is).count()
        };
        assert_eq!([of(0, 256), of(0, 112), of(1, 256), of(1, 17), of(2, 1)], [273, 1, 1, 1, 1]);
        assert_eq!(tiles.len(), 277);
        assert!(tiles.iter().all(|tile| tile.is_in(70_000)));
        let paths: Vec<_> = Tile::all(256).map(|tile| tile.to_string()).collect();
        assert_eq!(paths, ["tile/0/000", "tile/1/000.p/1"]);
        assert_eq!(Tile::all(0).count(), 0);
        assert_eq!(Tile::all(1_000_000).count(), 3_924);
    }

    #[test]
    fn a_tile_is_as_wide_as_its_tree_makes_it() {
        let path = |content, index, size| Tile::at(content, index, size).map(|tile| tile.to_string());
        assert_eq!(path(Content::Hashes(0), 1, 300).as_deref(), Some("tile/0/001.p/44"));
        assert_eq!(path(Content::Entries, 0, 300).as_deref(), Some("tile/entries/000"));
        assert_eq!(path(Content::Hashes(1), 0, 300).as_deref(), Some("tile/1/000.p/1"));
        for (content, index, size) in [
            (Content::Entries, 0, 0),
            (Content::Entries, 1, 256),
            (Content::Hashes(2), 0, 300),
            (Content::Entries, u64::MAX, 1),
        ] {
            assert_eq!(path(content, index, size), None);
        }
        let partial = Tile::at(Content::Entries, 1, 300).expect("a tile");
        assert_eq!((partial.width(), partial.full().width()), (44, 256));
        assert_eq!(partial.full().to_string(), "tile/entries/001");
        assert!(Tile::all(70_000).all(|tile| Tile::at(tile.content, tile.index, 70_000) == Some(tile)));
    }

    #[test]
    fn a_tile_is_in_a_tree_that_has_all_its_hashes() {
        let is_in = |path: &str, size| path.parse::<Tile>().expect("a path").is_in(size);
        assert!(is_in("tile/0/001.p/5", 261) && !is_in("tile/0/001.p/5", 260));
        assert!(is_in("tile/1/000.p/1", 256) && !is_in("tile/1/000.p/1", 255));
        assert!(is_in("tile/entries/000", 256) && !is_in("tile/entries/000", 255));
        assert!(!is_in("tile/8/000.p/1", MAX_SIZE) && !is_in("tile/63/000.p/1", MAX_SIZE));
        assert!(is_in("tile/7/000.p/127", MAX_SIZE) && !is_in("tile/7/000.p/128", MAX_SIZE));
    }

    proptest! {
        #[test]
        fn a_path_is_read_as_it_is_written(
            level in 0u8..64, index in 0..=MAX_INDEX, width in 1u16..=256, shift in 0u32..55
        ) {
            let index = index >> shift;
            for content in [Content::Hashes(level), Content::Entries] {
                let tile = Tile { content, index, width };
                prop_assert_eq!(tile.to_string().parse(), Ok(tile));
            }
        }

        #[test]
        fn what_is_read_is_written_the_same(
            path in "tile/(entries|[0-9+]{0,2})/(x?[0-9]{3}/){0,2}[0-9]{0,4}(\\.p/[0-9]{0,3})?"
        ) {
            if let Ok(tile) = path.parse::<Tile>() {
                prop_assert_eq!(tile.to_string(), path);
            }
        }
    }
}
