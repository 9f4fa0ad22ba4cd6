//! Multipart uploads that were begun and neither completed nor aborted. A process that is killed leaves them, no listing of
//! objects shows them, and the store keeps their pieces until somebody asks for them (S3: `ListMultipartUploads`).

use std::time::Duration;

use object_store::{
    Error,
    aws::AmazonS3,
    multipart::MultipartStore as _,
    path::Path,
    signer::{SignedUrlOptions, Signer as _},
};
use reqwest::{Client, Method, StatusCode};
use serde::Deserialize;
use shared_model::{Failure, Timestamp};

use super::error::failed;

/// How long a page of the listing may take.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Aborts those under a prefix that were begun before this time; how many.
pub(super) async fn abort(store: &AmazonS3, prefix: &Path, before: Timestamp) -> Result<u64, Failure> {
    let client = Client::builder().timeout(TIMEOUT).build().map_err(unlisted)?;
    let mut aborted = 0;
    let mut after = None;
    loop {
        let Some(page) = list(store, &client, prefix, after).await? else {
            tracing::warn!("the store cannot list incomplete uploads; a lifecycle rule of the bucket must end them");
            return Ok(aborted);
        };
        for upload in page.uploads {
            let initiated = Timestamp::parse(&upload.initiated)
                .ok_or_else(|| Failure::fault("a time in a listing of the S3 store"))?;
            if initiated < before {
                match store.abort_multipart(&Path::from(upload.key), &upload.upload_id).await {
                    // Its writer has completed it, or somebody else has aborted it.
                    Err(Error::NotFound { .. }) => {}
                    outcome => outcome.map(|()| aborted += 1).map_err(|error| failed("abort an upload", error))?,
                }
            }
        }
        match (page.is_truncated, page.next_key_marker, page.next_upload_id_marker) {
            (true, Some(key), Some(upload)) => after = Some((key, upload)),
            _ => return Ok(aborted),
        }
    }
}

/// One page of them; `None` when the store does not know the operation.
async fn list(
    store: &AmazonS3,
    client: &Client,
    prefix: &Path,
    after: Option<(String, String)>,
) -> Result<Option<Page>, Failure> {
    let mut query = vec![("uploads", String::new()), ("prefix", format!("{prefix}/"))];
    if let Some((key, upload)) = after {
        query.extend([("key-marker", key), ("upload-id-marker", upload)]);
    }
    let options = SignedUrlOptions::new().with_query(query);
    let url = store.signed_url_opts(Method::GET, &Path::default(), TIMEOUT, &options).await;
    let url = url.map_err(|error| failed("sign a request", error))?;
    let answer = client.get(url).send().await.map_err(unlisted)?;
    if answer.status() == StatusCode::NOT_IMPLEMENTED {
        return Ok(None);
    }
    let text = answer.error_for_status().map_err(unlisted)?.text().await.map_err(unlisted)?;
    let page = quick_xml::de::from_str(&text);
    page.map(Some).map_err(|error| Failure::unavailable("a listing of the S3 store").from_source(error))
}

/// The URL of the request has a signature, and stays out of the message.
fn unlisted(error: reqwest::Error) -> Failure {
    Failure::unavailable("the blob store could not list incomplete uploads").from_source(error.without_url())
}

/// `ListMultipartUploadsResult`, as far as it is needed.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Page {
    #[serde(default, rename = "Upload")]
    uploads: Vec<Upload>,
    #[serde(default)]
    is_truncated: bool,
    next_key_marker: Option<String>,
    next_upload_id_marker: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Upload {
    key: String,
    upload_id: String,
    initiated: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_read_as_the_manual_of_s3_shows_it() {
        let page: Page = quick_xml::de::from_str(
            r#"<?xml version="1.0" encoding="UTF-8"?>
            <ListMultipartUploadsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
              <Bucket>bucket</Bucket><KeyMarker></KeyMarker><UploadIdMarker></UploadIdMarker>
              <NextKeyMarker>exports/b</NextKeyMarker><NextUploadIdMarker>Yw4</NextUploadIdMarker>
              <MaxUploads>2</MaxUploads><IsTruncated>true</IsTruncated>
              <Upload><Key>exports/a&amp;b</Key><UploadId>XMg</UploadId><Initiator><ID>arn</ID></Initiator>
                <StorageClass>STANDARD</StorageClass><Initiated>2010-11-10T20:48:33.000Z</Initiated></Upload>
              <Upload><Key>exports/b</Key><UploadId>Yw4</UploadId><Initiated>2010-11-10T20:48:33.000Z</Initiated></Upload>
            </ListMultipartUploadsResult>"#,
        )
        .expect("a page");
        assert!(page.is_truncated && page.uploads.len() == 2, "{page:?}");
        assert_eq!((page.uploads[0].key.as_str(), page.uploads[0].upload_id.as_str()), ("exports/a&b", "XMg"));
        assert_eq!(page.next_key_marker.as_deref(), Some("exports/b"));
        assert!(Timestamp::parse(&page.uploads[1].initiated).is_some());
    }

    #[test]
    fn an_empty_page_has_no_uploads() {
        let page: Page = quick_xml::de::from_str(
            "<ListMultipartUploadsResult><IsTruncated>false</IsTruncated></ListMultipartUploadsResult>",
        )
        .expect("a page");
        assert!(page.uploads.is_empty() && !page.is_truncated && page.next_upload_id_marker.is_none());
    }
}
