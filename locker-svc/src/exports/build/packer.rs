//! Cuts a stream of bytes into parts, and stores the parts that are not stored yet.

use std::collections::BTreeMap;

use actix_web::web::Bytes;
use sha2::{Digest as _, Sha256};
use shared_model::{Error, Timestamp};
use shared_runtime::{
    Context,
    http::download::disposition,
    state::blobs::{BlobMetadata, BlobWriter},
};
use tokio::sync::mpsc::Receiver;

use super::request::{BuildError, Progress, reject};
use crate::exports::{
    export::{Export, ExportPart, ExportState, MAX_PARTS, part_content_type, part_file_name},
    store,
};

pub struct PackedSource {
    pub parts: Vec<ExportPart>,
    pub bytes: i64,
    pub sha256: String,
}

pub struct Packer<'a> {
    context: &'a Context,
    export: &'a Export,
    stored: BTreeMap<i64, ExportPart>,
    parts: Vec<ExportPart>,
    whole: Sha256,
    open: Option<OpenPart>,
    progress: Progress,
    watch: &'a mut dyn FnMut(Progress),
}

struct OpenPart {
    hash: Sha256,
    bytes: i64,
    key: String,
    /// `None` when the part is already stored; then its bytes are only compared.
    writer: Option<BlobWriter>,
}

impl<'a> Packer<'a> {
    /// `stored` are the parts of an earlier, interrupted build.
    pub fn new(
        context: &'a Context,
        export: &'a Export,
        stored: Vec<ExportPart>,
        total: u64,
        watch: &'a mut dyn FnMut(Progress),
    ) -> Self {
        let stored = stored.into_iter().map(|part| (part.index, part)).collect();
        let progress = Progress { done: 0, total };
        Self { context, export, stored, parts: Vec::new(), whole: Sha256::new(), open: None, progress, watch }
    }

    pub async fn pack(&mut self, mut chunks: Receiver<Result<Bytes, String>>) -> Result<PackedSource, BuildError> {
        let mut bytes = 0;
        while let Some(chunk) = chunks.recv().await {
            let chunk = chunk.map_err(|why| self.interrupted(&why))?;
            bytes += chunk.len() as i64;
            self.whole.update(&chunk);
            self.progress.done += chunk.len() as u64;
            self.add(chunk).await?;
            (self.watch)(self.progress);
        }
        // An empty source becomes one empty part: an export without parts could not be downloaded.
        if self.parts.is_empty() && self.open.is_none() {
            self.open = Some(self.begin_part().await?);
        }
        if let Some(open) = self.open.take() {
            self.end_part(open).await?;
        }
        if self.stored.len() > self.parts.len() {
            return self.changed("is shorter");
        }
        Ok(PackedSource {
            parts: std::mem::take(&mut self.parts),
            bytes,
            sha256: hex::encode(std::mem::take(&mut self.whole).finalize()),
        })
    }

    pub async fn abandon(&mut self) {
        if let Some(writer) = self.open.take().and_then(|open| open.writer)
            && let Err(failure) = writer.abandon().await
        {
            tracing::warn!(%failure, "an unfinished blob could not be removed");
        }
    }

    async fn add(&mut self, mut chunk: Bytes) -> Result<(), BuildError> {
        while !chunk.is_empty() {
            if self.open.is_none() {
                self.open = Some(self.begin_part().await?);
            }
            let Some(open) = &mut self.open else { break };
            let room = usize::try_from(self.export.part_bytes - open.bytes).unwrap_or(usize::MAX);
            let piece = chunk.split_to(room.min(chunk.len()));
            open.bytes += piece.len() as i64;
            open.hash.update(&piece);
            if let Some(writer) = &mut open.writer {
                writer.write(piece).await?;
            }
            if open.bytes == self.export.part_bytes
                && let Some(open) = self.open.take()
            {
                self.end_part(open).await?;
            }
        }
        Ok(())
    }

    async fn begin_part(&self) -> Result<OpenPart, BuildError> {
        let index = self.parts.len() as i64;
        if index == MAX_PARTS {
            return reject(format!("the source has grown beyond {MAX_PARTS} parts: choose a larger --part-bytes"));
        }
        // The random suffix keeps a concurrent build of the same part from writing the same blob.
        let key = format!("{}/{index:04}-{}", self.export.blob_prefix(), hex::encode(self.context.random.bytes16()));
        let writer = if self.stored.contains_key(&index) {
            None
        } else {
            // Only S3 needs them now. Whether this is the only part is certain only at the end, so the estimate
            // decides.
            let count = if self.progress.total <= self.export.part_bytes.unsigned_abs() { 1 } else { MAX_PARTS };
            let metadata = BlobMetadata {
                content_type: part_content_type(&self.export.content_type, count).to_owned(),
                disposition: disposition(&part_file_name(&self.export.file_name, index, count)),
            };
            Some(self.context.blobs.create(&key, &metadata).await?)
        };
        Ok(OpenPart { hash: Sha256::new(), bytes: 0, key, writer })
    }

    async fn end_part(&mut self, open: OpenPart) -> Result<(), BuildError> {
        let OpenPart { hash, bytes, key, writer } = open;
        let index = self.parts.len() as i64;
        let part = ExportPart {
            export_id: self.export.id,
            index,
            bytes,
            sha256: hex::encode(hash.finalize()),
            blob_key: key.clone(),
        };
        if let Some(writer) = writer {
            // Blob before row: a crash in between leaves an unused blob, which `export gc` removes. The other order
            // would lose data.
            writer.finish().await?;
            let now = self.context.clock.now();
            let recorded = insert_or_find(self.context, part.clone(), now).await?;
            // A concurrent build recorded this part first. Its blob has the row, so ours is removed.
            if recorded.as_ref().is_none_or(|recorded| recorded.blob_key != key) {
                self.context.blobs.remove(&key).await?;
            }
            let Some(recorded) = recorded else {
                return reject(format!("{} was ended while it was being built", self.export.id));
            };
            self.stored.insert(index, recorded);
        }
        if self.stored.get(&index).is_some_and(|stored| (stored.bytes, &stored.sha256) != (part.bytes, &part.sha256)) {
            return self.changed(&format!("differs in part {index}"));
        }
        self.parts.push(part);
        Ok(())
    }

    // The stored parts remain, so that the next attempt need not upload them again.
    fn interrupted(&self, why: &str) -> BuildError {
        let id = self.export.id;
        BuildError::Rejected(format!(
            "{why}; {id} is unfinished: run the same command to resume it, or add --restart to start again"
        ))
    }

    fn changed<T>(&self, how: &str) -> Result<T, BuildError> {
        let Export { id, source, .. } = self.export;
        reject(format!(
            "{source} has changed since the build of {id} began (it {how}): add --restart to build it again"
        ))
    }
}

/// Inserts a part, or returns the one that a concurrent build inserted. `None` when the export is no longer being
/// built.
async fn insert_or_find(context: &Context, part: ExportPart, now: Timestamp) -> Result<Option<ExportPart>, Error> {
    context
        .write(move |conn| {
            let export = store::find(conn, part.export_id)?;
            let is_building = export.is_some_and(|export| export.state == ExportState::Building);
            if is_building && store::add_part(conn, &part, now)? {
                return Ok(Some(part.clone()));
            }
            Ok(store::find_part(conn, part.export_id, part.index)?.map(|(_, part)| part))
        })
        .await
}
