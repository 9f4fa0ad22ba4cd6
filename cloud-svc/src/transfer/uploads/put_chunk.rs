//! `PUT /v1/uploads/{upload_id}/chunks/{index}`: send a chunk, once or repeatedly.

use std::str::FromStr;

use shared_model::{Error, Failure, NextAction, Problem, Refusal, Timestamp, code};
use shared_runtime::{
    Answer, ByteBody, Caller, Conn, ContentDigest, Context, Path, Permission as _, State, base::failpoint,
    http::incoming_body::IncomingBody, state::blobs::HashState,
};
use utoipa::{
    PartialSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

use super::{
    receive::{ExpectedChunk, ReceivedChunk},
    store::{self, Progress},
    upload::{Upload, UploadAnswer},
};
use crate::{
    base::{
        author::Author, codes, ids::UploadId, limits::UPLOAD_CHUNK_BYTES, links::FileLinks, permissions::WriteFiles,
    },
    files::chunk_lists::{
        self,
        chunk::{self, Chunk},
        chunk_list::recognized,
        upload_state::UploadState,
    },
    workspace,
};

/// From 0.
#[derive(Clone, Copy, Debug)]
pub struct ChunkIndex(i64);

impl FromStr for ChunkIndex {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const RULE: &str = "must be a whole number from 0";
        let is_plain = text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
        text.parse().ok().filter(|_| is_plain).map(Self).ok_or(RULE)
    }
}

impl PartialSchema for ChunkIndex {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0)).examples([0]).into()
    }
}

const MAX_CHUNK_BYTES: usize = UPLOAD_CHUNK_BYTES as usize;

// The next chunk is stored and counted; an earlier one is compared. No lock is held while bytes arrive, so a stuck
// connection delays nobody.
pub async fn put(
    caller: Caller<WriteFiles>,
    Path((id, ChunkIndex(index))): Path<(UploadId, ChunkIndex)>,
    ContentDigest(digest): ContentDigest,
    ByteBody(mut body): ByteBody<MAX_CHUNK_BYTES>,
    context: Context,
    State(links): State<FileLinks>,
) -> Result<Answer<UploadAnswer>, Error> {
    let author = Author::from_identity(&caller)?;
    let put = ChunkPut { id, index, digest, author, links: &links, context: &context };
    match put.run(&mut body).await {
        Ok(upload) => Ok(UploadAnswer::ok(upload, &links, context.clock.now())?),
        Err(Error::Refused(refusal)) => Err(drain_then_refuse(*refusal, &mut body).await.into()),
        Err(failed) => Err(failed),
    }
}

// Many clients look for the answer only after they have sent the whole body.
async fn drain_then_refuse(refusal: Refusal, body: &mut IncomingBody) -> Refusal {
    let is_over = refusal.code.status == 413 || refusal.headers.iter().any(|(name, _)| *name == "connection");
    match if is_over { Ok(()) } else { body.drain().await } {
        Ok(()) => refusal,
        Err(_) => refusal.header("connection", "close"),
    }
}

struct ChunkPut<'p> {
    id: UploadId,
    index: i64,
    digest: Option<[u8; 32]>,
    author: Author,
    links: &'p FileLinks,
    context: &'p Context,
}

enum Counted {
    New(Upload),
    /// Another request counted the same bytes first.
    Earlier(Upload),
}

impl ChunkPut<'_> {
    async fn run(&self, body: &mut IncomingBody) -> Result<Upload, Error> {
        let (id, index) = (self.id, self.index);
        let Progress { upload, before, after } = self.progress().await?;
        let bytes = self.check_turn(&upload, self.context.clock.now())?;
        let wanted = ExpectedChunk { bytes: bytes.unsigned_abs(), digest: self.digest };
        // Before any byte is read.
        wanted.check_announced(body)?;
        let hash = match before {
            Some(state) => HashState::stored(&state)?,
            None if index == 0 => HashState::of_nothing(),
            None => return Err(Failure::fault("a counted chunk has no row").into()),
        };
        if let Some(after) = after {
            let ReceivedChunk { hash, .. } = wanted.receive(body, hash, None).await?;
            return if hash.to_text() == after { Ok(upload) } else { Err(self.conflict(&upload).into()) };
        }
        let key = chunk::blob_key(id, index, self.context.random.bytes16());
        let ReceivedChunk { hash, head } = wanted.store(body, hash, &self.context.blobs, &key).await?;
        failpoint::hang("uploads::written").await;
        let chunk = Chunk { manifest_id: id, number: index, blob_key: key.clone(), hash_state: hash.to_text() };
        match self.count(chunk, bytes, (index == 0).then(|| recognized(&head))).await {
            Ok(Counted::New(upload)) => Ok(upload),
            // The row names the object of the other request, so ours is not needed.
            Ok(Counted::Earlier(upload)) => self.forget(&key).await.map(|()| upload),
            Err(Error::Refused(refusal)) => {
                self.forget(&key).await?;
                Err(Error::Refused(refusal))
            }
            // Whether it was counted is unknown. If it was not, the sweep removes the object.
            Err(failed) => Err(failed),
        }
    }

    async fn progress(&self) -> Result<Progress, Error> {
        let (id, index, author, now) = (self.id, self.index, self.author.clone(), self.context.clock.now());
        self.context
            .read(move |conn| {
                // A chunk is not a command, but an agent that may no longer write must not continue to send it.
                workspace::agents::check_may(conn, &author, WriteFiles::SCOPE)?;
                Ok(store::progress(conn, &author, id, index, now)?.ok_or_else(code::not_found)?)
            })
            .await
    }

    /// The length of the chunk, if it may be sent now.
    fn check_turn(&self, upload: &Upload, now: Timestamp) -> Result<i64, Refusal> {
        if upload.state_at(now) != UploadState::Pending {
            return Err(upload.wrong_state(self.links, now));
        }
        if self.index > upload.next_chunk_index && !upload.is_whole() {
            let message = format!(
                "Chunks must be sent in order: the next one has index {}, not {}.",
                upload.next_chunk_index, self.index
            );
            return Err(codes::CHUNK_OUT_OF_ORDER.because(message).next(upload.next_action(self.links, now)));
        }
        upload.bytes_of(self.index).ok_or_else(|| {
            let rule = match upload.next_chunk_index {
                0 => "names no chunk: an empty file has none".to_owned(),
                count => format!("must be a whole number from 0 to {}", count - 1),
            };
            let problems = vec![Problem { at: "index".to_owned(), rule }];
            code::not_found().next(NextAction::CorrectRequest { problems })
        })
    }

    // The object exists before its row: a crash between the two leaves an object that the sweep removes.
    async fn count(&self, chunk: Chunk, bytes: i64, media_type: Option<&'static str>) -> Result<Counted, Error> {
        let (id, author, now) = (self.id, self.author.clone(), self.context.clock.now());
        let (links, index) = (self.links.clone(), self.index);
        let transaction = move |conn: &mut Conn| {
            if let Some(upload) = store::advance(conn, &author, id, (index, bytes), now)? {
                chunk_lists::store::insert_chunk(conn, &chunk)?;
                if let Some(media_type) = media_type {
                    chunk_lists::store::set_media_type(conn, id, media_type)?;
                }
                return Ok(Counted::New(upload));
            }
            let upload = store::find(conn, &author, id, now)?.ok_or_else(code::not_found)?;
            match chunk_lists::store::hash_state(conn, id, chunk.number)? {
                _ if upload.state_at(now) != UploadState::Pending => Err(upload.wrong_state(&links, now).into()),
                // Equal states mean equal bytes, so the stored chunk need not be read.
                Some(known) if known == chunk.hash_state => Ok(Counted::Earlier(upload)),
                _ => Err(conflict(&upload, &links, index, now).into()),
            }
        };
        self.context.db.write_in(self.author.workspace.lane(), transaction).await
    }

    fn conflict(&self, upload: &Upload) -> Refusal {
        conflict(upload, self.links, self.index, self.context.clock.now())
    }

    /// Removes an object that has no row.
    async fn forget(&self, key: &str) -> Result<(), Error> {
        Ok(self.context.blobs.remove(key).await?)
    }
}

/// 409: the chunk was counted with other bytes. `next_action` shows how far the upload is.
fn conflict(upload: &Upload, links: &FileLinks, index: i64, now: Timestamp) -> Refusal {
    let message = format!("The chunk with index {index} was already received with other bytes; it stays unchanged.");
    codes::CHUNK_CONFLICT.because(message).next(upload.next_action(links, now))
}
