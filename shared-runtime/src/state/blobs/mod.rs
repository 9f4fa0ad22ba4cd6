//! Where large things rest: files in a folder, or objects in an S3-compatible store.
//!
//! A blob is written once, under a key of its own, and never changes; what it is and whose is for the database to say.

mod bucket;
mod chunks;
mod error;
mod folder;
mod incomplete_uploads;
mod pieces;
mod place;
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
use error::{failed, nowhere};
use folder::Folder;

pub use chunks::Chunks;
pub use pieces::Piece;
pub use place::BlobPlace;
pub use writer::BlobWriter;

/// A blob store.
#[derive(Clone, Debug)]
pub struct Blobs(Arc<Store>);

#[derive(Debug)]
enum Store {
    Nowhere,
    Folder(Folder),
    Bucket(Bucket),
}

/// What a browser is told of a blob that it fetches from the store itself.
#[derive(Clone, Debug)]
pub struct BlobMetadata {
    /// Its media type.
    pub content_type: String,
    /// `Content-Disposition`.
    pub disposition: String,
}

impl Blobs {
    /// The store at this place. A folder is made when something is first put into it; a bucket is not asked for
    /// anything yet, but its credentials and region must be set (the usual `AWS_…` environment variables).
    pub fn open(place: Option<&BlobPlace>) -> Result<Self, Failure> {
        let store = match place {
            None => Store::Nowhere,
            Some(BlobPlace::Folder(path)) => Store::Folder(Folder::at(path.clone())),
            Some(BlobPlace::Bucket { bucket, prefix }) => Store::Bucket(Bucket::open(bucket, prefix)?),
        };
        Ok(Self(Arc::new(store)))
    }

    /// The folder, where the blobs are files.
    pub fn folder(&self) -> Option<&std::path::Path> {
        match &*self.0 {
            Store::Folder(folder) => Some(folder.path()),
            Store::Nowhere | Store::Bucket(_) => None,
        }
    }

    /// Begins a new blob. It is there, and durably so, when [`BlobWriter::finish`] has returned, and not before.
    pub async fn create(&self, key: &str, told: &BlobMetadata) -> Result<BlobWriter, Failure> {
        self.create_in_pieces(key, told, writer::PIECE_OF_A_FILE).await
    }

    /// The same; where it is a file, so many bytes of it wait in memory at most.
    pub async fn create_in_pieces(&self, key: &str, told: &BlobMetadata, piece: usize) -> Result<BlobWriter, Failure> {
        let mut options = PutMultipartOptions::default();
        let (store, path): (&dyn ObjectStore, _) = match &*self.0 {
            Store::Nowhere => return Err(nowhere()),
            Store::Folder(folder) => (folder.made()?, Path::from(key)),
            Store::Bucket(bucket) => {
                options.attributes = Attributes::from_iter([
                    (Attribute::ContentType, told.content_type.clone()),
                    (Attribute::ContentDisposition, told.disposition.clone()),
                ]);
                (&bucket.store, bucket.path(key))
            }
        };
        let upload = store.put_multipart_opts(&path, options).await.map_err(|error| failed("begin a blob", error))?;
        let piece = if matches!(&*self.0, Store::Bucket(_)) { writer::PIECE_OF_AN_OBJECT } else { piece };
        Ok(BlobWriter::new(upload, piece))
    }

    /// These bytes of a blob; `None` when there is no such blob. What lacks of the range is a failure in the stream.
    pub async fn read(&self, key: &str, range: Range<u64>) -> Result<Option<Chunks>, Failure> {
        let found = match &*self.0 {
            Store::Nowhere => return Err(nowhere()),
            Store::Folder(folder) => folder.made()?.get(&Path::from(key)).await,
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
                GetResultPayload::File(file, _) => chunks::of_file(file, range),
                GetResultPayload::Stream(chunks) => chunks.map_err(|error| failed("read a blob", error)).boxed(),
            })),
        }
    }

    /// A URL under which anyone may GET the blob from the store itself for a while; `None` when the store has no
    /// address that the world could reach.
    pub async fn signed_url(&self, key: &str, lifetime: Duration) -> Result<Option<String>, Failure> {
        let Store::Bucket(bucket) = &*self.0 else { return Ok(None) };
        let url = bucket.store.signed_url(reqwest::Method::GET, &bucket.path(key), lifetime).await;
        url.map(|url| Some(url.to_string())).map_err(|error| failed("sign a link to a blob", error))
    }

    /// Removes a blob; one that is gone already is no mistake.
    pub async fn remove(&self, key: &str) -> Result<(), Failure> {
        let removed = match &*self.0 {
            Store::Nowhere => return Err(nowhere()),
            Store::Folder(folder) => folder.made()?.delete(&Path::from(key)).await,
            Store::Bucket(bucket) => bucket.store.delete(&bucket.path(key)).await,
        };
        match removed {
            Ok(()) | Err(StoreError::NotFound { .. }) => Ok(()),
            Err(error) => Err(failed("remove a blob", error)),
        }
    }

    /// Removes what lies under `prefix` (without its slash) but for the blobs to `keep`, if it was last written before
    /// `before`: blobs that nothing refers to, and what writers that died have left. How many that were.
    pub async fn sweep(&self, prefix: &str, keep: HashSet<String>, before: Timestamp) -> Result<u64, Failure> {
        match &*self.0 {
            Store::Nowhere => Ok(0),
            Store::Folder(folder) => folder.sweep(prefix.to_owned(), keep, before).await,
            Store::Bucket(bucket) => bucket.sweep(prefix, &keep, before).await,
        }
    }
}
