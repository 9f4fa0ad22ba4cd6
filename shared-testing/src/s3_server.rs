//! An S3-compatible store that is not ours (s3s-fs), and the one operation that it lacks: the listing of incomplete uploads.

use std::{
    fs,
    net::{SocketAddr, TcpListener},
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use hyper_util::{rt::TokioIo, server::conn::auto};
use s3s::{Body, S3Request, S3Response, S3Result, auth::SimpleAuth, route::S3Route, service::S3ServiceBuilder};
use shared_model::Timestamp;

/// The id of the one key that it knows.
pub const KEY_ID: &str = "fourfold-test-key";
/// Its secret.
pub const SECRET: &str = "a-secret-that-must-never-be-shown";

/// Serves buckets from a folder for as long as the test runs; each folder in it is a bucket.
pub fn serve(folder: &Path) -> SocketAddr {
    let files = s3s_fs::FileSystem::new(folder).expect("a folder");
    let mut service = S3ServiceBuilder::new(files);
    service.set_auth(SimpleAuth::from_single(KEY_ID, SECRET));
    service.set_route(ListMultipartUploads(folder.to_owned()));
    let service = service.build();
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let address = listener.local_addr().expect("a bound socket has an address");
    listener.set_nonblocking(true).expect("it can be polled");
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
            while let Ok((socket, _)) = listener.accept().await {
                let service = service.clone();
                tokio::spawn(async move {
                    let server = auto::Builder::new(hyper_util::rt::TokioExecutor::new());
                    // A client that hangs up is no matter of the test.
                    let _ = server.serve_connection(TokioIo::new(socket), service).await;
                });
            }
        });
    });
    address
}

/// An upload that was begun and neither completed nor aborted.
pub struct IncompleteUpload {
    key: String,
    id: String,
    /// Where the server notes it; its time is that of the upload's begin.
    pub file: PathBuf,
}

/// Those of all buckets, as s3s-fs notes them: `.bucket-B.object-KEY.upload-ID.metadata.json` and `.upload-ID.json`.
pub fn incomplete_uploads(folder: &Path) -> Vec<IncompleteUpload> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder") {
        let file = entry.expect("an entry").path();
        let name = file.file_name().and_then(|name| name.to_str()).expect("a name");
        let parts =
            name.strip_suffix(".metadata.json").and_then(|name| name.split_once(".object-")?.1.split_once(".upload-"));
        let Some((key, id)) = parts else { continue };
        if folder.join(format!(".upload-{id}.json")).exists() {
            let key = URL_SAFE_NO_PAD.decode(key).expect("as s3s-fs writes it");
            let key = String::from_utf8(key).expect("a key of ours");
            found.push(IncompleteUpload { key, id: id.to_owned(), file });
        }
    }
    found
}

/// `GET /BUCKET/?uploads&prefix=…`, for whoever has signed the request.
struct ListMultipartUploads(PathBuf);

#[async_trait::async_trait]
impl S3Route for ListMultipartUploads {
    fn is_match(
        &self,
        method: &hyper::Method,
        uri: &hyper::Uri,
        _: &hyper::HeaderMap,
        _: &mut hyper::http::Extensions,
    ) -> bool {
        method == hyper::Method::GET && uri.query().is_some_and(|query| query.starts_with("uploads=&"))
    }

    async fn call(&self, request: S3Request<Body>) -> S3Result<S3Response<Body>> {
        let url = url::Url::parse(&format!("http://store{}", request.uri)).expect("a URL");
        let prefix = url.query_pairs().find(|(name, _)| name == "prefix").expect("a prefix").1;
        let mut text = "<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>".to_owned();
        for IncompleteUpload { key, id, file } in incomplete_uploads(&self.0) {
            if key.starts_with(&*prefix) {
                let begun = file.metadata().and_then(|metadata| metadata.modified()).expect("a time");
                let initiated = Timestamp::from_micros(0).plus(begun.duration_since(UNIX_EPOCH).expect("after 1970"));
                text += &format!(
                    "<Upload><Key>{key}</Key><UploadId>{id}</UploadId><Initiated>{initiated}</Initiated></Upload>"
                );
            }
        }
        Ok(S3Response::new(Body::from(text + "</ListMultipartUploadsResult>")))
    }
}
