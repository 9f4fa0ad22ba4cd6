//! The bodies of answers that others send us, read to their end or to a limit.

use std::pin::pin;

use http_body_util::BodyExt as _;
use hyper::body::{Body, Bytes};

/// Why a body is not there as a whole.
#[derive(Debug)]
pub enum BodyError<E> {
    /// It is longer than the limit, or says that it is.
    TooLong,
    /// It could not be read.
    Broken(E),
}

/// Reads a body of at most `max` bytes. Trailers are no part of it.
pub async fn read<B: Body<Data = Bytes>>(body: B, max: usize) -> Result<Vec<u8>, BodyError<B::Error>> {
    if body.size_hint().lower() > max as u64 {
        return Err(BodyError::TooLong);
    }
    let mut body = pin!(body);
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(BodyError::Broken)?.into_data() else { continue };
        if bytes.len() + data.len() > max {
            return Err(BodyError::TooLong);
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes)
}

/// Reads at most `max` bytes of a body, and leaves what comes after them.
pub async fn read_beginning<B: Body<Data = Bytes>>(body: B, max: usize) -> Result<Vec<u8>, B::Error> {
    let mut body = pin!(body);
    let mut bytes = Vec::new();
    while bytes.len() < max
        && let Some(frame) = body.frame().await
    {
        let Ok(data) = frame?.into_data() else { continue };
        bytes.extend_from_slice(&data[..data.len().min(max - bytes.len())]);
    }
    Ok(bytes)
}
