//! Cuts a stream of bytes into parts and stores those that are not stored yet.

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

use super::request::{BuildError, Progress, unfit};
use crate::exports::{
    export::{Export, ExportState, MAX_PARTS, Part, part_content_type, part_file_name},
    store,
};

/// The parts of a source that was read to its end.
pub struct Packed {
    /// In order.
    pub parts: Vec<Part>,
    /// The length of the whole.
    pub bytes: i64,
    /// SHA-256 of the whole.
    pub sha256: String,
}

/// Packs one export.
pub struct Packer<'a> {
    context: &'a Context,
    export: &'a Export,
    stored: BTreeMap<i64, Part>,
    parts: Vec<Part>,
    whole: Sha256,
    open: Option<OpenPart>,
    progress: Progress,
    watch: &'a mut dyn FnMut(Progress),
}

/// The part that is being filled.
struct OpenPart {
    hash: Sha256,
    bytes: i64,
    key: String,
    /// `None` when the part is stored already: then its bytes are only compared.
    writer: Option<BlobWriter>,
}

impl<'a> Packer<'a> {
    /// For this export, of which these parts are stored.
    pub fn new(
        context: &'a Context,
        export: &'a Export,
        stored: Vec<Part>,
        total: u64,
        watch: &'a mut dyn FnMut(Progress),
    ) -> Self {
        let stored = stored.into_iter().map(|part| (part.index, part)).collect();
        let progress = Progress { done: 0, total };
        Self { context, export, stored, parts: Vec::new(), whole: Sha256::new(), open: None, progress, watch }
    }

    /// Packs all chunks.
    pub async fn pack(&mut self, mut chunks: Receiver<Result<Bytes, String>>) -> Result<Packed, BuildError> {
        let mut bytes = 0;
        while let Some(chunk) = chunks.recv().await {
            let chunk = chunk.map_err(|why| self.interrupted(&why))?;
            bytes += chunk.len() as i64;
            self.whole.update(&chunk);
            self.progress.done += chunk.len() as u64;
            self.add(chunk).await?;
            (self.watch)(self.progress);
        }
        // An empty source is one empty part, so that there is something to download.
        if self.parts.is_empty() && self.open.is_none() {
            self.open = Some(self.begin_part().await?);
        }
        if let Some(open) = self.open.take() {
            self.end_part(open).await?;
        }
        if self.stored.len() > self.parts.len() {
            return self.changed("is shorter");
        }
        Ok(Packed {
            parts: std::mem::take(&mut self.parts),
            bytes,
            sha256: hex::encode(std::mem::take(&mut self.whole).finalize()),
        })
    }

    /// Discards the part that was being filled.
    pub async fn abandon(&mut self) {
        if let Some(writer) = self.open.take().and_then(|open| open.writer)
            && let Err(failure) = writer.abandon().await
        {
            tracing::warn!(%failure, "an unfinished blob is left behind");
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
            return unfit(format!("the source has grown beyond {MAX_PARTS} parts: choose larger ones"));
        }
        // Another build of the same source may be storing the same part.
        let key = format!("{}/{index:04}-{}", self.export.blob_prefix(), hex::encode(self.context.random.bytes16()));
        let writer = if self.stored.contains_key(&index) {
            None
        } else {
            // Only S3 sends these to browsers itself; whether this is the only part is certain only at the end.
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
        let part = Part {
            export_id: self.export.id,
            index,
            bytes,
            sha256: hex::encode(hash.finalize()),
            blob_key: key.clone(),
        };
        if let Some(writer) = writer {
            writer.finish().await?;
            let now = self.context.clock.now();
            let recorded = insert_or_find(self.context, part.clone(), now).await?;
            if recorded.as_ref().is_none_or(|recorded| recorded.blob_key != key) {
                self.context.blobs.remove(&key).await?;
            }
            let Some(recorded) = recorded else {
                return unfit(format!("{} was ended while it was being built", self.export.id));
            };
            self.stored.insert(index, recorded);
        }
        if self.stored.get(&index).is_some_and(|stored| (stored.bytes, &stored.sha256) != (part.bytes, &part.sha256)) {
            return self.changed(&format!("differs in part {index}"));
        }
        self.parts.push(part);
        Ok(())
    }

    /// The source cannot be read to its end; the parts that are stored stay for the next attempt.
    fn interrupted(&self, why: &str) -> BuildError {
        let id = self.export.id;
        BuildError::Unfit(format!(
            "{why}; {id} stays unfinished: the same command goes on with it, --restart begins anew"
        ))
    }

    fn changed<T>(&self, how: &str) -> Result<T, BuildError> {
        let Export { id, source, .. } = self.export;
        unfit(format!("{source} has changed since the build of {id} began (it {how}): --restart builds it anew"))
    }
}

/// Inserts a part, or finds the one that a concurrent build inserted; `None` when the export is no longer being built.
async fn insert_or_find(context: &Context, part: Part, now: Timestamp) -> Result<Option<Part>, Error> {
    context
        .write(move |conn| {
            let export = store::find(conn, part.export_id)?;
            let is_building = export.is_some_and(|export| export.state == ExportState::Building);
            if is_building && store::add_part(conn, &part, now)? {
                return Ok(Some(part.clone()));
            }
            Ok(store::part(conn, part.export_id, part.index)?.map(|(_, part)| part))
        })
        .await
}
