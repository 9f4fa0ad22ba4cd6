//! Makes segments of texts.

use shared_model::{Error, Failure};
use shared_runtime::Context;
use tokio::task::{JoinError, spawn_blocking};

use super::segments::{self, NewSegment, Overtaken};
use crate::{
    base::ids::WorkspaceId,
    files::content_search::entry::{self, Entry},
};
use cloud_content::search::{
    block::{Block, BlockWriter},
    fold::Folder,
    found::Folded,
    pieces::Piece,
};

// A segment is made of at most this much, which bounds memory and the time of its transaction.
pub const ENTRIES: usize = 512;
const BYTES: usize = 4_194_304;
// Entries that are read together: each may have a megabyte or more.
const TOGETHER: usize = 32;

/// The postings of some entries.
pub struct Built {
    pub blocks: Vec<Block>,
    pub entries: i64,
    /// How many of the numbers it was made of: too long texts leave the rest for another segment.
    pub done: usize,
}

/// Makes the blocks of entries with these ascending numbers, as far as they fit. `base` is not above any of them.
pub async fn build(context: &Context, owner: WorkspaceId, sequences: &[i64], base: i64) -> Result<Built, Error> {
    let (mut postings, mut folder) = (Vec::new(), Folder::default());
    let (mut entries, mut bytes, mut done) = (0, 0, 0);
    let mut rest = sequences;
    while !rest.is_empty() {
        let some = rest[..rest.len().min(TOGETHER)].to_vec();
        let read = context.read(move |conn| {
            let (group, _) = entry::first_group(conn, owner, &some)?;
            Ok((group.len(), entry::load(conn, owner, group, None)?))
        });
        let (count, loaded) = read.await?;
        rest = &rest[count..];
        entries += i64::try_from(loaded.len()).unwrap_or(i64::MAX);
        bytes += loaded.iter().map(Entry::bytes).sum::<usize>();
        // Not on a thread that answers requests: a megabyte takes some ten milliseconds.
        let read = move || {
            for entry in &loaded {
                note(entry, &mut folder, &mut postings)?;
            }
            Ok::<_, Failure>((postings, folder))
        };
        (postings, folder) = spawn_blocking(read).await.map_err(ended_early)??;
        done += count;
        if bytes > BYTES {
            break;
        }
    }
    let blocks = spawn_blocking(move || blocks(postings, base)).await.map_err(ended_early)?;
    Ok(Built { blocks, entries, done })
}

fn ended_early(error: JoinError) -> Failure {
    Failure::fault(format!("the work on a segment ended early: {error}"))
}

/// Adds the pieces of an entry, each with its number.
pub fn note(entry: &Entry, folder: &mut Folder, postings: &mut Vec<(Piece, i64)>) -> Result<(), Failure> {
    entry.with_texts(|texts, tags| {
        let pieces = Folded::new(texts, folder).pieces(tags);
        postings.extend(pieces.into_iter().map(|piece| (piece, entry.sequence)));
    })
}

fn blocks(mut postings: Vec<(Piece, i64)>, base: i64) -> Vec<Block> {
    postings.sort_unstable();
    let mut writer = BlockWriter::new(base);
    for list in postings.chunk_by(|(one, _), (next, _)| one == next) {
        if let Some((piece, _)) = list.first() {
            writer.push(*piece, list.iter().map(|(_, number)| *number));
        }
    }
    writer.finish()
}

/// Indexes the oldest entries that are not in the index; returns whether there may be more.
pub async fn build_next(context: &Context, owner: WorkspaceId) -> Result<bool, Error> {
    let limit = i64::try_from(ENTRIES).unwrap_or(i64::MAX);
    let found = context.read(move |conn| {
        let after = segments::last_sequence(conn, owner)?;
        Ok((after, entry::sequences_after(conn, owner, after, limit)?))
    });
    let (after, sequences) = found.await?;
    if sequences.is_empty() {
        return Ok(false);
    }
    let Built { blocks, entries, done } = build(context, owner, &sequences, after + 1).await?;
    let Some(last_sequence) = sequences.get(done - 1).copied() else { return Ok(false) };
    let now = context.clock.now();
    let new = NewSegment { first_sequence: after + 1, last_sequence, entries, made_at: now };
    let publish = move |conn: &mut shared_runtime::Conn| {
        // Another process has indexed them meanwhile.
        if segments::last_sequence(conn, owner)? != after {
            return Ok(Err(Overtaken));
        }
        let id = segments::begin(conn, owner, new, now)?;
        segments::add_blocks(conn, id, &blocks)?;
        segments::publish(conn, owner, (&[id], &[]))
    };
    let published = context.db.write_in(owner.lane(), publish).await?;
    Ok(published.is_err() || done < sequences.len() || sequences.len() == ENTRIES)
}
