//! Contents that are stored as several blobs in a row.

use std::ops::Range;

use futures_util::{
    StreamExt as _, TryStreamExt as _,
    stream::{self, BoxStream},
};
use shared_model::Failure;

use super::{Blobs, Chunks};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub key: String,
    pub bytes: u64,
}

impl Blobs {
    /// A range of the whole; `None` when the first blob of the range does not exist. Each blob is opened after the one
    /// before it was read.
    pub async fn read_pieces(&self, pieces: Vec<Piece>, range: Range<u64>) -> Result<Option<Chunks>, Failure> {
        let mut needed = within(pieces, range).into_iter();
        let Some((key, range)) = needed.next() else { return Ok(Some(stream::empty().boxed())) };
        let Some(first) = self.read(&key, range).await? else { return Ok(None) };
        let blobs = self.clone();
        let rest: BoxStream<'static, Result<Chunks, Failure>> = stream::iter(needed)
            .then(move |(key, range)| {
                let blobs = blobs.clone();
                async move {
                    let chunks = blobs.read(&key, range).await?;
                    chunks.ok_or_else(|| Failure::fault("a blob that is on record is not in the store"))
                }
            })
            .boxed();
        Ok(Some(first.chain(rest.try_flatten()).boxed()))
    }
}

fn within(pieces: Vec<Piece>, wanted: Range<u64>) -> Vec<(String, Range<u64>)> {
    let mut begin = 0;
    let mut needed = Vec::new();
    for Piece { key, bytes } in pieces {
        let (from, to) = (wanted.start.max(begin), wanted.end.min(begin + bytes));
        if from < to {
            needed.push((key, from - begin..to - begin));
        }
        begin += bytes;
    }
    needed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_begins_and_ends_within_pieces() {
        let pieces = |lengths: &[u64]| -> Vec<Piece> {
            lengths.iter().enumerate().map(|(at, bytes)| Piece { key: at.to_string(), bytes: *bytes }).collect()
        };
        let needed = |lengths: &[u64], range| within(pieces(lengths), range);
        let key = |key: &str, range| (key.to_owned(), range);
        assert_eq!(needed(&[4, 4, 3], 0..11), [key("0", 0..4), key("1", 0..4), key("2", 0..3)]);
        assert_eq!(needed(&[4, 4, 3], 3..5), [key("0", 3..4), key("1", 0..1)]);
        assert_eq!(needed(&[4, 4, 3], 4..8), [key("1", 0..4)]);
        assert_eq!(needed(&[4, 4, 3], 10..11), [key("2", 2..3)]);
        assert_eq!(needed(&[4, 4, 3], 5..5), []);
        assert_eq!(needed(&[], 0..0), []);
    }
}
