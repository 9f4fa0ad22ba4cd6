//! Reads bodies of answers from other servers, up to a limit.

use std::pin::pin;

use http_body_util::BodyExt as _;
use hyper::body::{Body, Bytes};

#[derive(Debug)]
pub enum BodyError<E> {
    TooLong,
    Broken(E),
}

/// Reads a whole body of at most `max` bytes, without trailers.
pub async fn read<B: Body<Data = Bytes>>(body: B, max: usize) -> Result<Vec<u8>, BodyError<B::Error>> {
    // Content-Length already exceeds the limit: read nothing.
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

/// Reads at most the first `max` bytes and leaves the rest unread.
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
