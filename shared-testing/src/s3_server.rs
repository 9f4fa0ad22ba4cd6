//! An S3-compatible store that is not ours (s3s-fs).

use std::{
    fs,
    net::{SocketAddr, TcpListener},
    path::Path,
};

use hyper_util::{rt::TokioIo, server::conn::auto};
use s3s::{auth::SimpleAuth, service::S3ServiceBuilder};

/// The id of the only key that the store accepts.
pub const KEY_ID: &str = "fourfold-test-key";
pub const SECRET: &str = "a-secret-that-must-never-be-shown";

/// Serves a folder until the test ends. Each subfolder is a bucket.
pub fn serve(folder: &Path) -> SocketAddr {
    let files = s3s_fs::FileSystem::new(folder).expect("a folder");
    let mut service = S3ServiceBuilder::new(files);
    service.set_auth(SimpleAuth::from_single(KEY_ID, SECRET));
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
                    // An error means that the client closed the connection.
                    let _ = server.serve_connection(TokioIo::new(socket), service).await;
                });
            }
        });
    });
    address
}

/// The number of multipart uploads in all buckets that were neither completed nor aborted. s3s-fs stores each as
/// `.bucket-B.object-KEY.upload-ID.metadata.json` and `.upload-ID.json`.
pub fn incomplete_uploads(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").file_name());
    let id = |name: &str| Some(name.strip_suffix(".metadata.json")?.split_once(".upload-")?.1.to_owned());
    let ids = entries.filter_map(|name| id(name.to_str().expect("a name")));
    ids.filter(|id| folder.join(format!(".upload-{id}.json")).exists()).count()
}
