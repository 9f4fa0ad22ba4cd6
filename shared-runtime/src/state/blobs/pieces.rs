//! Contents that are stored as several blobs in a row.

use std::ops::Range;

use actix_web::web::Bytes;
use futures_util::{
    StreamExt as _, TryStreamExt as _,
    stream::{self, BoxStream},
};
use shared_model::Failure;

use super::{Blobs, Chunks, hash_state::HashState};

/// A blob of a content.
#[derive(Clone, Debug)]
pub struct Piece {
    pub key: String,
    pub bytes: u64,
    pub check: Check,
}

/// How to see that a blob is what was stored. Disks flip bits, and operators restore the wrong file.
#[derive(Clone, Debug)]
pub enum Check {
    /// The state of the content's SHA-256 before and after the piece. Each read of the piece is checked.
    States { before: HashState, after: String },
    /// The SHA-256 of the piece. Only reads of the whole piece are checked, since it may be large.
    Digest([u8; 32]),
}

impl Blobs {
    /// A range of the whole; `None` when the first blob of the range does not exist. Each blob is opened after the one
    /// before it was read. A blob that is not what was stored ends the stream before its last bytes.
    pub async fn read_pieces(&self, pieces: Vec<Piece>, range: Range<u64>) -> Result<Option<Chunks>, Failure> {
        let mut needed = within(pieces, range).into_iter();
        let Some((piece, range)) = needed.next() else { return Ok(Some(stream::empty().boxed())) };
        let Some(first) = self.read_piece(piece, range).await? else { return Ok(None) };
        let blobs = self.clone();
        let rest: BoxStream<'static, Result<Chunks, Failure>> = stream::iter(needed)
            .then(move |(piece, range)| {
                let blobs = blobs.clone();
                async move {
                    let chunks = blobs.read_piece(piece, range).await?;
                    chunks.ok_or_else(|| Failure::fault("a blob that is on record is not in the store"))
                }
            })
            .boxed();
        Ok(Some(first.chain(rest.try_flatten()).boxed()))
    }

    async fn read_piece(&self, piece: Piece, wanted: Range<u64>) -> Result<Option<Chunks>, Failure> {
        let whole = 0..piece.bytes;
        if matches!(piece.check, Check::Digest(_)) && wanted != whole {
            return self.read(&piece.key, wanted).await;
        }
        Ok(self.read(&piece.key, whole).await?.map(|chunks| checked(chunks, piece, wanted)))
    }
}

/// What is wanted of the chunks of a whole piece. The last of it is held back until the piece is checked: a client never
/// gets a corrupt piece to its end.
fn checked(chunks: Chunks, piece: Piece, wanted: Range<u64>) -> Chunks {
    let hash = match &piece.check {
        Check::States { before, .. } => before.clone(),
        Check::Digest(_) => HashState::of_nothing(),
    };
    let reading = Reading { chunks, piece, wanted, hash, position: 0, held: None };
    stream::try_unfold(Some(reading), |reading| async move {
        let Some(mut reading) = reading else { return Ok(None) };
        while let Some(chunk) = reading.chunks.try_next().await? {
            if let Some(sent) = reading.take(chunk) {
                return Ok(Some((sent, Some(reading))));
            }
        }
        reading.check()?;
        Ok(reading.held.map(|last| (last, None)))
    })
    .boxed()
}

struct Reading {
    chunks: Chunks,
    piece: Piece,
    wanted: Range<u64>,
    hash: HashState,
    position: u64,
    held: Option<Bytes>,
}

impl Reading {
    /// Hashes a chunk and holds back what is wanted of it; what was held back before.
    fn take(&mut self, chunk: Bytes) -> Option<Bytes> {
        self.hash.update(&chunk);
        let (begin, end) = (self.position, self.position + chunk.len() as u64);
        self.position = end;
        let (from, to) = (self.wanted.start.max(begin), self.wanted.end.min(end));
        if from >= to {
            return None;
        }
        // Both are within the chunk, which is in memory.
        let within = |at: u64| usize::try_from(at - begin).unwrap_or(usize::MAX);
        self.held.replace(chunk.slice(within(from)..within(to)))
    }

    fn check(&self) -> Result<(), Failure> {
        let is_stored = match &self.piece.check {
            Check::States { after, .. } => self.hash.to_text() == *after,
            Check::Digest(digest) => self.hash.clone().digest_hex() == hex::encode(digest),
        };
        let corrupt = || Failure::fault(format!("the blob {} is corrupt: it is not what was stored", self.piece.key));
        if is_stored { Ok(()) } else { Err(corrupt()) }
    }
}

fn within(pieces: Vec<Piece>, wanted: Range<u64>) -> Vec<(Piece, Range<u64>)> {
    let mut begin = 0;
    let mut needed = Vec::new();
    for piece in pieces {
        let (first, end) = (begin, begin + piece.bytes);
        let (from, to) = (wanted.start.max(first), wanted.end.min(end));
        if from < to {
            needed.push((piece, from - first..to - first));
        }
        begin = end;
    }
    needed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_begins_and_ends_within_pieces() {
        let piece =
            |(at, bytes): (usize, &u64)| Piece { key: at.to_string(), bytes: *bytes, check: Check::Digest([0; 32]) };
        let needed = |lengths: &[u64], range| -> Vec<(String, Range<u64>)> {
            let pieces = lengths.iter().enumerate().map(piece).collect();
            within(pieces, range).into_iter().map(|(piece, range)| (piece.key, range)).collect()
        };
        let key = |key: &str, range| (key.to_owned(), range);
        assert_eq!(needed(&[4, 4, 3], 0..11), [key("0", 0..4), key("1", 0..4), key("2", 0..3)]);
        assert_eq!(needed(&[4, 4, 3], 3..5), [key("0", 3..4), key("1", 0..1)]);
        assert_eq!(needed(&[4, 4, 3], 4..8), [key("1", 0..4)]);
        assert_eq!(needed(&[4, 4, 3], 10..11), [key("2", 2..3)]);
        assert_eq!(needed(&[4, 4, 3], 5..5), []);
        assert_eq!(needed(&[], 0..0), []);
    }

    const CONTENT: &[u8] = b"0123456789abcdef";

    /// A piece of [`CONTENT`] with what was stored of it.
    fn piece(range: Range<usize>) -> Piece {
        let mut before = HashState::of_nothing();
        before.update(&CONTENT[..range.start]);
        let mut after = before.clone();
        after.update(&CONTENT[range.clone()]);
        let check = Check::States { before, after: after.to_text() };
        Piece { key: "k".to_owned(), bytes: range.len() as u64, check }
    }

    /// What a client gets of a piece that is read in chunks of three bytes, and whether the stream ends well.
    async fn read(stored: &'static [u8], piece: Piece, wanted: Range<u64>) -> (Vec<u8>, bool) {
        let chunks: Vec<_> = stored.chunks(3).map(|chunk| Ok(Bytes::from_static(chunk))).collect();
        let mut read = checked(stream::iter(chunks).boxed(), piece, wanted);
        let mut got = Vec::new();
        loop {
            match read.try_next().await {
                Ok(Some(chunk)) => got.extend_from_slice(&chunk),
                Ok(None) => return (got, true),
                Err(_) => return (got, false),
            }
        }
    }

    #[tokio::test]
    async fn a_range_of_a_whole_piece_is_what_was_stored() {
        for (from, to) in (0..10).flat_map(|from| (from + 1..=10).map(move |to| (from, to))) {
            let whole = CONTENT[4..14][from..to].to_vec();
            let read = read(&CONTENT[4..14], piece(4..14), from as u64..to as u64).await;
            assert_eq!(read, (whole, true), "{from}..{to}");
        }
    }

    #[tokio::test]
    async fn no_corrupt_piece_comes_to_its_end() {
        for stored in [&b"4567 9abcd"[..], b"456789abc", b"4567893abcd", b" 56789abcd", b"456789abc "] {
            for (from, to) in (0..9).flat_map(|from| (from + 1..=9).map(move |to| (from, to))) {
                let (got, ended) = read(stored, piece(4..14), from..to).await;
                assert!(!ended && (got.len() as u64) < to - from, "{from}..{to} of {stored:?}: {got:?}");
            }
        }
    }
}
