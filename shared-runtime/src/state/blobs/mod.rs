//! Large contents: files in a folder, or objects in an S3-compatible store.
//!
//! A blob is written once under its own key and never changes. The database stores what it is and who owns it.

mod bucket;
mod chunks;
mod error;
mod folder;
mod hash_state;
mod location;
mod pieces;
#[cfg(test)]
mod tests;
mod writer;

use std::{collections::HashSet, ops::Range, sync::Arc, time::Duration};

use futures_util::{StreamExt as _, TryStreamExt as _};
use object_store::{
    Attribute, Attributes, Error as StoreError, GetResultPayload, ObjectStore, ObjectStoreExt as _,
    PutMultipartOptions, path::Path, signer::Signer as _,
};
use shared_model::{Failure, Timestamp};

use bucket::Bucket;
use error::{failed, not_configured};
use folder::Folder;

pub use chunks::{Chunks, MEMORY_OF_A_READ};
pub use hash_state::HashState;
pub use location::BlobLocation;
pub use pieces::{Check, Piece};
pub use writer::BlobWriter;

#[derive(Clone, Debug)]
pub struct Blobs(Arc<Store>);

#[derive(Debug)]
enum Store {
    NotConfigured,
    Folder(Folder),
    Bucket(Bucket),
}

/// Headers for a browser that downloads the blob directly from the store.
#[derive(Clone, Debug)]
pub struct BlobMetadata {
    pub content_type: String,
    /// The `Content-Disposition` header.
    pub disposition: String,
}

impl Blobs {
    /// Opens the store. A folder is created at the first write. A bucket is not contacted yet, but its credentials and
    /// region must be set (`AWS_…` environment variables).
    pub fn open(location: Option<&BlobLocation>) -> Result<Self, Failure> {
        let store = match location {
            None => Store::NotConfigured,
            Some(BlobLocation::Folder(path)) => Store::Folder(Folder::at(path.clone())),
            Some(BlobLocation::Bucket { bucket, prefix }) => Store::Bucket(Bucket::open(bucket, prefix)?),
        };
        Ok(Self(Arc::new(store)))
    }

    pub fn folder(&self) -> Option<&std::path::Path> {
        match &*self.0 {
            Store::Folder(folder) => Some(folder.path()),
            Store::NotConfigured | Store::Bucket(_) => None,
        }
    }

    /// Begins a blob. It exists, durably, once [`BlobWriter::finish`] has returned.
    pub async fn create(&self, key: &str, metadata: &BlobMetadata) -> Result<BlobWriter, Failure> {
        self.create_in_pieces(key, metadata, writer::PIECE_OF_A_FILE).await
    }

    /// Like [`Self::create`]; for a file, at most `piece` bytes wait in memory.
    pub async fn create_in_pieces(
        &self,
        key: &str,
        metadata: &BlobMetadata,
        piece: usize,
    ) -> Result<BlobWriter, Failure> {
        let mut options = PutMultipartOptions::default();
        let (store, path): (&dyn ObjectStore, _) = match &*self.0 {
            Store::NotConfigured => return Err(not_configured()),
            Store::Folder(folder) => (folder.open_or_create()?, Path::from(key)),
            Store::Bucket(bucket) => {
                options.attributes = Attributes::from_iter([
                    (Attribute::ContentType, metadata.content_type.clone()),
                    (Attribute::ContentDisposition, metadata.disposition.clone()),
                ]);
                (&bucket.store, bucket.path(key))
            }
        };
        let upload = store.put_multipart_opts(&path, options).await.map_err(|error| failed("begin a blob", error))?;
        let piece = if matches!(&*self.0, Store::Bucket(_)) { writer::PIECE_OF_AN_OBJECT } else { piece };
        Ok(BlobWriter::new(upload, piece))
    }

    /// A range of a blob; `None` when the blob does not exist. If the blob is shorter than the range, the stream ends
    /// with a failure.
    pub async fn read(&self, key: &str, range: Range<u64>) -> Result<Option<Chunks>, Failure> {
        let found = match &*self.0 {
            Store::NotConfigured => return Err(not_configured()),
            Store::Folder(folder) => folder.open_or_create()?.get(&Path::from(key)).await,
            Store::Bucket(bucket) if range.is_empty() => bucket.store.get(&bucket.path(key)).await,
            Store::Bucket(bucket) => {
                let options = object_store::GetOptions { range: Some(range.clone().into()), ..Default::default() };
                bucket.store.get_opts(&bucket.path(key), options).await
            }
        };
        match found {
            Err(StoreError::NotFound { .. }) => Ok(None),
            Err(error) => Err(failed("read a blob", error)),
            Ok(_) if range.is_empty() => Ok(Some(futures_util::stream::empty().boxed())),
            Ok(found) => Ok(Some(match found.payload {
                GetResultPayload::File(file, _) => chunks::read_file(file, range),
                GetResultPayload::Stream(chunks) => chunks.map_err(|error| failed("read a blob", error)).boxed(),
            })),
        }
    }

    /// A URL for anyone to download the blob directly from the store; `None` when the store is a folder.
    pub async fn signed_url(&self, key: &str, lifetime: Duration) -> Result<Option<String>, Failure> {
        let Store::Bucket(bucket) = &*self.0 else { return Ok(None) };
        let url = bucket.store.signed_url(reqwest::Method::GET, &bucket.path(key), lifetime).await;
        url.map(|url| Some(url.to_string())).map_err(|error| failed("sign a link to a blob", error))
    }

    /// Removes a blob. Succeeds when it is gone already.
    pub async fn remove(&self, key: &str) -> Result<(), Failure> {
        let removed = match &*self.0 {
            Store::NotConfigured => return Err(not_configured()),
            Store::Folder(folder) => folder.open_or_create()?.delete(&Path::from(key)).await,
            Store::Bucket(bucket) => bucket.store.delete(&bucket.path(key)).await,
        };
        match removed {
            Ok(()) | Err(StoreError::NotFound { .. }) => Ok(()),
            Err(error) => Err(failed("remove a blob", error)),
        }
    }

    /// Removes the blobs under `prefix` (without a slash at its end) that are not in `keep` and were written before
    /// `before`. No row refers to them. For a folder, also files that writers left behind when they died. Returns the
    /// number.
    pub async fn sweep(&self, prefix: &str, keep: HashSet<String>, before: Timestamp) -> Result<u64, Failure> {
        match &*self.0 {
            Store::NotConfigured => Err(not_configured()),
            Store::Folder(folder) => folder.sweep(prefix.to_owned(), keep, before).await,
            Store::Bucket(bucket) => bucket.sweep(prefix, &keep, before).await,
        }
    }
}
