//! Blobs as objects of an S3-compatible store.

use std::{collections::HashSet, time::Duration};

use futures_util::TryStreamExt as _;
use object_store::{
    ObjectStore as _, ObjectStoreExt as _, RetryConfig,
    aws::{AmazonS3, AmazonS3Builder},
    path::Path,
};
use shared_model::{Failure, Timestamp};

use super::error::failed;

const MAX_RETRIES: usize = 3;
const RETRY_TIMEOUT: Duration = Duration::from_secs(20);

#[derive(Debug)]
pub(super) struct Bucket {
    pub(super) store: AmazonS3,
    prefix: Path,
}

impl Bucket {
    pub(super) fn open(bucket: &str, prefix: &str) -> Result<Self, Failure> {
        let retry = RetryConfig { max_retries: MAX_RETRIES, retry_timeout: RETRY_TIMEOUT, ..RetryConfig::default() };
        let store = AmazonS3Builder::from_env().with_bucket_name(bucket).with_retry(retry).build();
        let store = store.map_err(|error| Failure::fault("the settings of the S3 store").from_source(error))?;
        Ok(Self { store, prefix: Path::from(prefix) })
    }

    pub(super) fn path(&self, key: &str) -> Path {
        Path::from(format!("{}/{key}", self.prefix))
    }

    pub(super) async fn sweep(&self, prefix: &str, keep: &HashSet<String>, before: Timestamp) -> Result<u64, Failure> {
        let keep: HashSet<Path> = keep.iter().map(|key| self.path(key)).collect();
        let prefix = self.path(prefix);
        let mut found = self.store.list(Some(&prefix));
        let mut removed = 0;
        while let Some(object) = found.try_next().await.map_err(|error| failed("list blobs", error))? {
            let written = Timestamp::from_micros(object.last_modified.timestamp_micros());
            if written < before && !keep.contains(&object.location) {
                self.store.delete(&object.location).await.map_err(|error| failed("remove a blob", error))?;
                removed += 1;
            }
        }
        // Multipart uploads of writers that died are not listed as objects. A lifecycle rule of the bucket ends them.
        Ok(removed)
    }
}
