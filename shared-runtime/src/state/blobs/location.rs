//! The address of a blob store: `file:PATH` or `s3://BUCKET/PREFIX`.

use std::{
    path::{Path, PathBuf},
    str::FromStr,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlobLocation {
    Folder(PathBuf),
    /// Credentials, region and endpoint come from the `AWS_…` environment variables.
    Bucket {
        bucket: String,
        prefix: String,
    },
}

impl FromStr for BlobLocation {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const RULE: &str = "must be file:PATH or s3://BUCKET/PREFIX";
        if let Some(path) = text.strip_prefix("file:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            let path = std::path::absolute(path).map_err(|_| RULE)?;
            if path.exists() {
                return if path.is_dir() { Ok(Self::Folder(path)) } else { Err("must name a folder, not a file") };
            }
            // A volume that is not mounted: blobs would go to the disk below it.
            let is_in_folder = path.parent().is_some_and(Path::is_dir);
            return is_in_folder
                .then_some(Self::Folder(path))
                .ok_or("must be in a folder that exists: create it, or mount the volume");
        }
        let (bucket, prefix) =
            text.strip_prefix("s3://").map(|rest| rest.split_once('/').unwrap_or((rest, ""))).ok_or(RULE)?;
        let is_name = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-._".contains(&b);
        if !(3..=63).contains(&bucket.len()) || !bucket.bytes().all(is_name) {
            return Err("must name a bucket of 3 to 63 lowercase letters, digits, hyphens and dots");
        }
        if !prefix.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._/".contains(&b)) || prefix.contains("..") {
            return Err("must have a prefix of letters, digits, hyphens, dots and slashes");
        }
        Ok(Self::Bucket { bucket: bucket.to_owned(), prefix: prefix.trim_matches('/').to_owned() })
    }
}
