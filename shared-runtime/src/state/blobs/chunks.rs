//! Streams the bytes of a blob. A file is read in chunks, one chunk ahead of the client.

use std::{
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom},
    ops::Range,
};

use actix_web::web::Bytes;
use futures_util::{
    StreamExt as _,
    stream::{self, BoxStream},
};
use shared_model::Failure;
use tokio::task::{JoinHandle, spawn_blocking};

const CHUNK_BYTES: u64 = 256 * 1024;
/// One chunk is being sent, one is held back until it is checked, and one is read ahead.
pub const MEMORY_OF_A_READ: usize = 3 * CHUNK_BYTES as usize;

pub type Chunks = BoxStream<'static, Result<Bytes, Failure>>;

/// Reads a range of a file on the blocking pool: the next chunk is read while one is sent.
pub(super) fn read_file(file: File, range: Range<u64>) -> Chunks {
    let left = range.end - range.start;
    stream::try_unfold(Reading::NotBegun(file, range.start, left), |reading| async move {
        let read = match reading {
            Reading::NotBegun(mut file, start, left) => spawn_blocking(move || {
                file.seek(SeekFrom::Start(start))?;
                read_chunk(file, left)
            }),
            Reading::Ahead(read) => read,
            Reading::Done => return Ok(None),
        };
        let Read { chunk, file, left } = match read.await {
            Ok(Ok(read)) => read,
            Ok(Err(error)) => return Err(broken(error)),
            Err(error) => return Err(broken(io::Error::other(error))),
        };
        let next =
            if left == 0 { Reading::Done } else { Reading::Ahead(spawn_blocking(move || read_chunk(file, left))) };
        Ok(Some((chunk, next)))
    })
    .boxed()
}

enum Reading {
    NotBegun(File, u64, u64),
    Ahead(JoinHandle<io::Result<Read>>),
    Done,
}

struct Read {
    chunk: Bytes,
    file: File,
    left: u64,
}

fn read_chunk(file: File, left: u64) -> io::Result<Read> {
    let wanted = left.min(CHUNK_BYTES);
    let mut chunk = Vec::with_capacity(usize::try_from(wanted).map_err(io::Error::other)?);
    let mut part = file.take(wanted);
    part.read_to_end(&mut chunk)?;
    if chunk.len() as u64 != wanted {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file is shorter than it was when it was stored"));
    }
    Ok(Read { chunk: chunk.into(), file: part.into_inner(), left: left - wanted })
}

fn broken(error: io::Error) -> Failure {
    Failure::unavailable("a blob could not be read to its end").from_source(error)
}
