//! The bytes of a chunk on their way in: hashed as they come and, where they are new, written to an object of their own.

use sha2::{Digest as _, Sha256};
use shared_model::{Error, Problem, Refusal, code};
use shared_runtime::{
    http::incoming_body::IncomingBody,
    state::blobs::{BlobMetadata, BlobWriter, Blobs},
};

use crate::{base::codes, files::chunk_lists::hash_state::HashState};

/// First bytes of a file by which it is recognized.
const SNIFF_BYTES: usize = 8 * 1024;

/// What a chunk is to be.
#[derive(Clone, Copy, Debug)]
pub struct ExpectedChunk {
    pub bytes: u64,
    /// Its SHA-256, if its sender says so.
    pub digest: Option<[u8; 32]>,
}

/// A chunk that has come as it was to be.
#[derive(Debug)]
pub struct ReceivedChunk {
    /// The hash up to its end.
    pub hash: HashState,
    /// Its first bytes.
    pub head: Vec<u8>,
}

impl ExpectedChunk {
    /// 422 unless the body has this length, as far as one can tell before it has come.
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

    /// Reads it; `hash` is that of all bytes before it. What is written of it goes to `writer`.
    pub async fn receive(
        self,
        body: &mut IncomingBody,
        mut hash: HashState,
        mut writer: Option<&mut BlobWriter>,
    ) -> Result<ReceivedChunk, Error> {
        let (mut head, mut received) = (Vec::new(), 0_u64);
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

    /// The same, into an object of its own, which is there when this returns; one that is refused leaves nothing.
    pub async fn store(
        self,
        body: &mut IncomingBody,
        hash: HashState,
        blobs: &Blobs,
        key: &str,
    ) -> Result<ReceivedChunk, Error> {
        let told =
            BlobMetadata { content_type: "application/octet-stream".to_owned(), disposition: "attachment".to_owned() };
        let mut writer = blobs.create_in_pieces(key, &told, PIECE).await?;
        match self.receive(body, hash, Some(&mut writer)).await {
            Ok(received) => {
                writer.finish().await?;
                Ok(received)
            }
            Err(error) => {
                if let Err(failure) = writer.abandon().await {
                    // The sweep removes it.
                    tracing::warn!(%failure, "what was written of a refused chunk stays for now");
                }
                Err(error)
            }
        }
    }
}

/// Bytes that wait in memory to be written, for each connection.
const PIECE: usize = 128 * 1024;
