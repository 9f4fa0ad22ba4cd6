//! The search itself: candidates of the index, newest first, compared one by one.

use std::{cmp::Reverse, fmt, str::FromStr};

use shared_model::{Failure, InvalidCursor};
use shared_runtime::Conn;

use super::{
    entry::{self, Entry, Findable},
    index::lookup::Index,
};
use crate::{base::owner::Owner, files::file::File};
use cloud_content::search::{excerpt::Match, fold::Folder, found::Folded, query::SearchQuery, term::Has};

// One request compares at most this much; the next page continues. A megabyte takes about ten milliseconds.
const BYTES: usize = 8_388_608;
const CANDIDATES: usize = 2_000;
// Candidates that are read together.
const TOGETHER: usize = 64;
const BYTES_TOGETHER: usize = 4_194_304;

/// A place in the results: first all files with whole words, then those with parts; in both, newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub has: Has,
    pub sequence: i64,
}

pub const START: Place = Place { has: Has::Whole, sequence: i64::MAX };

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", if self.has == Has::Whole { "w" } else { "p" }, self.sequence)
    }
}

impl FromStr for Place {
    type Err = InvalidCursor;

    fn from_str(text: &str) -> Result<Self, InvalidCursor> {
        let (has, sequence) = match text.split_once(' ') {
            Some(("w", sequence)) => (Has::Whole, sequence),
            Some(("p", sequence)) => (Has::Part, sequence),
            _ => return Err(InvalidCursor),
        };
        Ok(Self { has, sequence: sequence.parse().map_err(|_| InvalidCursor)? })
    }
}

/// A found file.
#[derive(Debug)]
pub struct Hit {
    pub file: File,
    pub matches: Vec<Match>,
    pub place: Place,
}

/// What one request found.
#[derive(Debug, Default)]
pub struct Hits {
    pub hits: Vec<Hit>,
    /// Where it stopped because it had compared enough. `None` if it came to the end, or has as many as it should find.
    pub stopped_at: Option<Place>,
}

/// Finds up to `wanted` files after a place.
pub fn run(
    conn: &mut Conn,
    owner: Owner,
    (query, findable): (&SearchQuery, &Findable),
    after: Place,
    wanted: usize,
) -> Result<Hits, Failure> {
    let ways: &[Has] = match (query.has_parts(), after.has) {
        (true, Has::Whole) => &[Has::Whole, Has::Part],
        (true, Has::Part) => &[Has::Part],
        (false, _) => &[Has::Whole],
    };
    let pieces: Vec<Vec<_>> = ways.iter().map(|has| query.pieces(*has)).collect();
    let index = Index::read(conn, owner.workspace(), &pieces.concat())?;
    let mut search =
        Search { query, findable, folder: Folder::default(), examined: 0, bytes: 0, hits: Hits::default() };
    // More than one request compares. A search that stops there has met only entries that are not indexed. The next
    // page continues with the rest.
    let limit = i64::try_from(CANDIDATES + TOGETHER).unwrap_or(i64::MAX);
    // Mostly nothing is newer than the index, and that needs no second look.
    let mut is_all_indexed = false;
    for (has, pieces) in ways.iter().zip(&pieces) {
        let below = if *has == after.has { after.sequence } else { i64::MAX };
        let newest = match is_all_indexed {
            true => Vec::new(),
            false => entry::newest(conn, owner.workspace(), index.last_sequence(), below, limit)?,
        };
        is_all_indexed = newest.is_empty() && below == i64::MAX;
        let mut candidates = index.candidates(pieces, below, newest);
        loop {
            let together = search.together(wanted);
            let batch = candidates.take(together)?;
            if batch.is_empty() {
                break;
            }
            if search.examine(conn, owner, *has, &batch, wanted)? {
                return Ok(search.hits);
            }
        }
    }
    Ok(search.hits)
}

struct Search<'a> {
    query: &'a SearchQuery,
    findable: &'a Findable,
    folder: Folder,
    /// Candidates, and the bytes of their texts.
    examined: usize,
    bytes: usize,
    hits: Hits,
}

impl Search<'_> {
    /// How many candidates to read next.
    fn together(&self, wanted: usize) -> usize {
        if self.examined == 0 {
            return (wanted - self.hits.hits.len()).clamp(8, TOGETHER / 2);
        }
        (BYTES_TOGETHER / (self.bytes / self.examined).max(1)).clamp(1, TOGETHER)
    }

    /// Compares candidates, newest first; returns whether the search is over.
    fn examine(
        &mut self,
        conn: &mut Conn,
        owner: Owner,
        has: Has,
        batch: &[i64],
        wanted: usize,
    ) -> Result<bool, Failure> {
        let is_found = |sequence: &i64| self.hits.hits.iter().any(|hit| hit.place.sequence == *sequence);
        // What has been found with whole words is not found again with parts.
        let new: Vec<i64> = batch.iter().copied().filter(|sequence| !is_found(sequence)).collect();
        self.examined += batch.len();
        let mut rest = new.as_slice();
        while !rest.is_empty() {
            let group;
            (group, rest) = entry::first_group(conn, owner.workspace(), rest)?;
            let entries = entry::load(conn, owner.workspace(), group, Some((owner, self.findable)))?;
            debug_assert!(entries.is_sorted_by_key(|entry| Reverse(entry.sequence)));
            for entry in entries {
                let place = Place { has, sequence: entry.sequence };
                self.bytes += entry.bytes();
                if let Some(matches) = self.compare(&entry, has)? {
                    self.hits.hits.push(Hit { file: entry.file, matches, place });
                    if self.hits.hits.len() >= wanted {
                        return Ok(true);
                    }
                }
                if self.bytes > BYTES {
                    self.hits.stopped_at = Some(place);
                    return Ok(true);
                }
            }
        }
        if self.examined >= CANDIDATES {
            self.hits.stopped_at = batch.last().map(|sequence| Place { has, sequence: *sequence });
        }
        Ok(self.hits.stopped_at.is_some())
    }

    fn compare(&mut self, entry: &Entry, has: Has) -> Result<Option<Vec<Match>>, Failure> {
        let (query, folder) = (self.query, &mut self.folder);
        let mut matches = None;
        entry.with_texts(|texts, tags| {
            let folded = Folded::new(texts, folder);
            if query.find(&folded, tags) == Some(has) {
                matches = Some(query.matches(texts, &folded));
            }
        })?;
        Ok(matches)
    }
}
