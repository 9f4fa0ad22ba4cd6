//! Receives the bytes of a chunk: hashes them and writes them to a new object if the chunk is new.

use sha2::{Digest as _, Sha256};
use shared_model::{Error, Problem, Refusal, code};
use shared_runtime::{
    http::incoming_body::IncomingBody,
    state::blobs::{BlobMetadata, BlobWriter, Blobs, HashState},
};

use crate::base::codes;

/// Bytes that the media type is recognized from.
const SNIFF_BYTES: usize = 8 * 1024;

#[derive(Clone, Copy, Debug)]
pub struct ExpectedChunk {
    pub bytes: u64,
    /// The SHA-256 that the sender declares.
    pub digest: Option<[u8; 32]>,
}

#[derive(Debug)]
pub struct ReceivedChunk {
    /// The hash state after the chunk.
    pub hash: HashState,
    /// The first bytes.
    pub head: Vec<u8>,
}

impl ExpectedChunk {
    /// 422 if `Content-Length` shows a wrong length.
    pub fn check_announced(self, body: &IncomingBody) -> Result<(), Refusal> {
        body.announced().map_or(Ok(()), |announced| self.check_length(announced))
    }

    fn check_length(self, bytes: u64) -> Result<(), Refusal> {
        if bytes == self.bytes {
            return Ok(());
        }
        Err(self.wrong_length(&bytes.to_string()))
    }

    fn wrong_length(self, has: &str) -> Refusal {
        let rule = format!("must have the {} bytes of this chunk, has {has}", self.bytes);
        Refusal::problems(&code::INVALID_FIELD, vec![Problem { at: String::new(), rule }])
    }

    /// `hash` is the state before the chunk. The bytes are written to `writer`.
    pub async fn receive(
        self,
        body: &mut IncomingBody,
        mut hash: HashState,
        mut writer: Option<&mut BlobWriter>,
    ) -> Result<ReceivedChunk, Error> {
        let (mut head, mut received) = (Vec::new(), 0_u64);
        // The sender's digest is of this chunk alone; `hash` continues over the whole file.
        let mut own = self.digest.map(|_| Sha256::new());
        while let Some(bytes) = body.next().await? {
            received += bytes.len() as u64;
            if received > self.bytes {
                return Err(self.wrong_length("more").into());
            }
            hash.update(&bytes);
            if let Some(own) = &mut own {
                own.update(&bytes);
            }
            let wanted = SNIFF_BYTES.saturating_sub(head.len()).min(bytes.len());
            head.extend_from_slice(&bytes[..wanted]);
            if let Some(writer) = &mut writer {
                writer.write(bytes).await?;
            }
        }
        self.check_length(received)?;
        if let (Some(digest), Some(own)) = (self.digest, own)
            && own.finalize()[..] != digest
        {
            let rule = "must be the digest of the bytes that are sent".to_owned();
            let problems = vec![Problem { at: "Content-Digest".to_owned(), rule }];
            return Err(Refusal::problems(&codes::DIGEST_MISMATCH, problems).into());
        }
        Ok(ReceivedChunk { hash, head })
    }

    /// Also writes the bytes to a new object, which is complete when this returns. A refused chunk leaves no object.
    pub async fn store(
        self,
        body: &mut IncomingBody,
        hash: HashState,
        blobs: &Blobs,
        key: &str,
    ) -> Result<ReceivedChunk, Error> {
        let metadata =
            BlobMetadata { content_type: "application/octet-stream".to_owned(), disposition: "attachment".to_owned() };
        let mut writer = blobs.create_in_pieces(key, &metadata, PIECE).await?;
        match self.receive(body, hash, Some(&mut writer)).await {
            Ok(received) => {
                writer.finish().await?;
                Ok(received)
            }
            Err(error) => {
                if let Err(failure) = writer.abandon().await {
                    // The sweep removes it.
                    tracing::warn!(%failure, "the object of a refused chunk stays until the next sweep");
                }
                Err(error)
            }
        }
    }
}

/// Bytes that each connection keeps in memory before they are written.
const PIECE: usize = 64 * 1024;
