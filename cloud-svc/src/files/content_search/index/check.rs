//! Compares the index of a workspace with the texts of its files.

use std::collections::{BTreeMap, BTreeSet};

use diesel::{prelude::*, sql_query, sql_types::BigInt};
use shared_model::{Error, Failure};
use shared_runtime::{Conn, Context, on_each};

use super::{
    build,
    lookup::damaged,
    segments::{self, Segment},
};
use crate::{
    base::ids::{FileId, WorkspaceId},
    files::content_search::entry,
};
use cloud_content::search::{
    block::{self, Damaged, Lists},
    fold::Folder,
    pieces::Piece,
};

// Entries that are compared together, which bounds memory.
const TOGETHER: usize = 1_024;
const READ: usize = 32;
const BLOCKS: i64 = 256;

/// A file of which the index says something else than its texts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    pub file: FileId,
    pub what: &'static str,
}

/// Compares all files; empty if nothing differs. Files that are written meanwhile are left out.
pub async fn check(context: &Context, owner: WorkspaceId) -> Result<BTreeSet<Difference>, Error> {
    // A merge can take away the segment that is being compared.
    const ATTEMPTS: usize = 10;
    for _ in 0..ATTEMPTS {
        if let Some(differences) = check_once(context, owner).await? {
            return Ok(differences);
        }
    }
    Err(Failure::fault("the index was merged all the time; check it again when less is written").into())
}

async fn check_once(context: &Context, owner: WorkspaceId) -> Result<Option<BTreeSet<Difference>>, Error> {
    let found = context.read(move |conn| {
        let without: Vec<FileId> = without_entry(conn, owner)?;
        Ok((without, segments::live(conn, owner)?))
    });
    let (without, live) = found.await?;
    let missing = |file| Difference { file, what: "it has no entry" };
    let mut differences: BTreeSet<_> = without.into_iter().map(missing).collect();
    for segment in live {
        let numbers = move |conn: &mut Conn| {
            Ok(entry::sequences_between(conn, owner, segment.first_sequence, segment.last_sequence)?)
        };
        let sequences = context.read(numbers).await?;
        for some in sequences.chunks(TOGETHER) {
            let some = some.to_vec();
            let compared = context.read(move |conn| Ok(compare(conn, owner, segment, &some)?)).await?;
            let Some(found) = compared else { return Ok(None) };
            differences.extend(found);
        }
    }
    Ok(Some(differences))
}

#[derive(QueryableByName)]
struct Without {
    #[diesel(sql_type = BigInt)]
    id: FileId,
}

fn without_entry(conn: &mut Conn, owner: WorkspaceId) -> Result<Vec<FileId>, Failure> {
    const SQL: &str = "SELECT id FROM files WHERE workspace_id = $1
        AND NOT EXISTS (SELECT 1 FROM search_entries WHERE file_id = files.id)";
    let found: Vec<Without> = on_each!(conn, |c| sql_query(SQL).bind::<BigInt, _>(owner).load(c))?;
    Ok(found.into_iter().map(|Without { id }| id).collect())
}

fn compare(
    conn: &mut Conn,
    owner: WorkspaceId,
    segment: Segment,
    sequences: &[i64],
) -> Result<Option<BTreeSet<Difference>>, Failure> {
    let Some((first, last)) = sequences.first().zip(sequences.last()) else { return Ok(Some(BTreeSet::new())) };
    let (mut of_texts, mut folder) = (Vec::new(), Folder::default());
    let mut files = BTreeMap::new();
    for some in sequences.chunks(READ) {
        let mut rest = some;
        while !rest.is_empty() {
            let group;
            (group, rest) = entry::first_group(conn, owner, rest)?;
            for entry in entry::load(conn, owner, group, None)? {
                build::note(&entry, &mut folder, &mut of_texts)?;
                files.insert(entry.sequence, entry.file.id);
            }
        }
    }
    of_texts.sort_unstable();
    let of_index = indexed(conn, segment, (*first, *last))?;
    // Merged meanwhile: what was read may be a part of it.
    if !segments::live(conn, owner)?.contains(&segment) {
        return Ok(None);
    }
    // Written meanwhile: what was read may be older than what is indexed.
    let still = entry::sequences_between(conn, owner, *first, *last)?;
    files.retain(|number, _| still.binary_search(number).is_ok());
    let mut differences = BTreeSet::new();
    for (these, those, what) in [
        (&of_texts, &of_index, "the index lacks words that the file has"),
        (&of_index, &of_texts, "the index has words that the file does not have"),
    ] {
        let only_here = these.iter().filter(|posting| those.binary_search(posting).is_err());
        let found = only_here.filter_map(|(_, number)| files.get(number));
        differences.extend(found.map(|file| Difference { file: *file, what }));
    }
    Ok(Some(differences))
}

/// What the segment has of these numbers, in the order of pieces.
fn indexed(conn: &mut Conn, segment: Segment, (first, last): (i64, i64)) -> Result<Vec<(Piece, i64)>, Failure> {
    let (mut postings, mut after) = (Vec::new(), None);
    loop {
        let blocks = segments::blocks_after(conn, segment.id, after, BLOCKS)?;
        let Some((first_piece, _)) = blocks.last() else { return Ok(postings) };
        after = Some(*first_piece);
        for (_, bytes) in &blocks {
            add(bytes, segment.first_sequence, (first, last), &mut postings).map_err(|Damaged| damaged())?;
        }
    }
}

fn add(bytes: &[u8], base: i64, (first, last): (i64, i64), postings: &mut Vec<(Piece, i64)>) -> Result<(), Damaged> {
    for list in Lists::of(bytes) {
        let (piece, list) = list?;
        let mut numbers = Vec::new();
        block::numbers(list, base, &mut numbers)?;
        let within = numbers.into_iter().filter(|number| (first..=last).contains(number));
        postings.extend(within.map(|number| (piece, number)));
    }
    Ok(())
}
