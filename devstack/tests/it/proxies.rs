//! Refusals arrive although the body was not read, at clients that send all of it first. They arrive directly, and
//! through nginx and HAProxy with kept-alive connections to the service.

use std::{
    fs,
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use serde_json::Value;
use shared_testing::{Stage, free_address};
use tempfile::TempDir;

const SIZES: [usize; 3] = [50_000, 1 << 20, 9_000_000];
const TIMES: usize = 50;
const CLIENTS: usize = 5;

#[shared_testing::test]
async fn a_refusal_arrives_at_a_client_that_sends_its_whole_body_first() {
    let (stage, requests) = scene().await;
    all_arrive("without a proxy", stage.address(), &requests).await;
    all_arrive("without a proxy, chunked", stage.address(), &requests.map(Refused::chunked)).await;
}

#[shared_testing::test]
async fn a_refusal_arrives_through_nginx() {
    let (stage, requests) = scene().await;
    for buffering in ["on", "off"] {
        let nginx = Proxy::nginx(stage.address(), buffering);
        all_arrive(&format!("nginx, proxy_request_buffering {buffering}"), nginx.address, &requests).await;
    }
}

#[shared_testing::test]
async fn a_refusal_arrives_through_haproxy() {
    let (stage, requests) = scene().await;
    let haproxy = Proxy::haproxy(stage.address());
    all_arrive("HAProxy", haproxy.address, &requests).await;
}

/// A request whose refusal does not depend on its body.
#[derive(Clone)]
struct Refused {
    head: String,
    status: u16,
    /// With smaller bodies the answer is another.
    from_bytes: usize,
    is_chunked: bool,
}

impl Refused {
    fn new(line: &str, token: &str, status: u16) -> Self {
        let head = format!(
            "{line} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Idempotency-Key: k\r\nConnection: close\r\n{token}"
        );
        Self { head, status, from_bytes: 0, is_chunked: false }
    }

    fn chunked(self) -> Self {
        Self { is_chunked: true, ..self }
    }

    /// Sends everything before it reads anything, like Python's `http.client`.
    fn send(&self, address: SocketAddr, body: &[u8]) -> Result<(), String> {
        let lost = |error: std::io::Error| error.to_string();
        let mut stream = TcpStream::connect(address).map_err(lost)?;
        stream.set_read_timeout(Some(Duration::from_secs(20))).map_err(lost)?;
        stream.set_write_timeout(Some(Duration::from_secs(20))).map_err(lost)?;
        if self.is_chunked {
            stream.write_all(format!("{}Transfer-Encoding: chunked\r\n\r\n", self.head).as_bytes()).map_err(lost)?;
            for piece in body.chunks(16 * 1024) {
                stream.write_all(format!("{:x}\r\n", piece.len()).as_bytes()).map_err(lost)?;
                stream.write_all(piece).map_err(lost)?;
                stream.write_all(b"\r\n").map_err(lost)?;
            }
            stream.write_all(b"0\r\n\r\n").map_err(lost)?;
        } else {
            let head = format!("{}Content-Length: {}\r\n\r\n", self.head, body.len());
            stream.write_all(head.as_bytes()).map_err(lost)?;
            stream.write_all(body).map_err(lost)?;
        }
        let mut answer = Vec::new();
        let read = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer);
        let (head, body) = answer.split_once("\r\n\r\n").ok_or_else(|| format!("{read:?}: {answer:?}"))?;
        let body: Value = serde_json::from_str(body).map_err(|error| format!("{error}: {answer}"))?;
        let is_ours = head.starts_with(&format!("HTTP/1.1 {} ", self.status)) && body["error"]["code"].is_string();
        if is_ours { Ok(()) } else { Err(answer.into_owned()) }
    }
}

async fn scene() -> (Stage, [Refused; 4]) {
    let stage = Stage::of(cloud_svc::service()).settings(|settings| {
        settings.rate_limits.0.extend([("anonymous".to_owned(), 100_000), ("write".to_owned(), 100_000)]);
    });
    let stage = stage.await;
    let token = format!("Authorization: Bearer {}\r\n", stage.caller("ada").token());
    let too_large = Refused { from_bytes: 9_000_000, ..Refused::new("POST /v1/documents", &token, 413) };
    let requests = [
        Refused::new("POST /v1/documents", "", 401),
        Refused::new("POST /v1/no-such-route", "", 404),
        Refused::new("PATCH /v1/documents", "", 405),
        too_large,
    ];
    (stage, requests)
}

async fn all_arrive(way: &str, address: SocketAddr, requests: &[Refused]) {
    let mut lost = Vec::new();
    for request in requests {
        for size in SIZES.into_iter().filter(|size| *size >= request.from_bytes) {
            let clients = (0..CLIENTS).map(|_| {
                let (request, body) = (request.clone(), vec![b' '; size]);
                let each = move || (0..TIMES / CLIENTS).filter_map(|_| request.send(address, &body).err()).collect();
                // On threads of their own: the service needs that of the test.
                tokio::task::spawn_blocking::<_, Vec<String>>(each)
            });
            let failed = futures_util::future::join_all(clients).await;
            let failed: Vec<_> = failed.into_iter().flat_map(|client| client.expect("a client ends")).collect();
            if let Some(first) = failed.first() {
                lost.push(format!("{} of {TIMES} × {} with {size} bytes: {first}", failed.len(), request.status));
            }
        }
    }
    assert!(lost.is_empty(), "{way}: lost\n{}", lost.join("\n"));
}

/// A proxy process for one test.
struct Proxy {
    address: SocketAddr,
    process: Child,
    _folder: TempDir,
}

impl Proxy {
    fn nginx(service: SocketAddr, buffering: &str) -> Self {
        Self::start("nginx", |folder, address| {
            let settings = format!(
                "daemon off; pid {folder}/pid; error_log stderr error; worker_processes 1; user root;
                 events {{ worker_connections 256; }}
                 http {{
                   access_log off; client_max_body_size 64m;
                   client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
                   fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
                   upstream service {{ server {service}; keepalive 8; }}
                   server {{
                     listen {address};
                     location / {{
                       proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection \"\";
                       proxy_request_buffering {buffering};
                     }}
                   }}
                 }}",
                folder = folder.display()
            );
            (settings, vec!["-c"])
        })
    }

    fn haproxy(service: SocketAddr) -> Self {
        Self::start("haproxy", |_, address| {
            let settings = format!(
                "global\n  maxconn 256\ndefaults\n  mode http\n  http-reuse always\n  timeout connect 5s\n  \
                 timeout client 20s\n  timeout server 20s\nfrontend all\n  bind {address}\n  default_backend service\n\
                 backend service\n  server one {service}\n"
            );
            (settings, vec!["-db", "-f"])
        })
    }

    fn start(program: &str, settings: impl FnOnce(&Path, SocketAddr) -> (String, Vec<&'static str>)) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let address = free_address();
        let (settings, arguments) = settings(folder.path(), address);
        let file = folder.path().join("settings");
        fs::write(&file, settings).expect("the file is written");
        // In Debian they are not on the PATH of a user.
        let debian = Path::new("/usr/sbin").join(program);
        let process = Command::new(if debian.exists() { debian.as_path() } else { Path::new(program) })
            .args(arguments)
            .arg(&file)
            .stdin(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{program} is installed, for example by ./test: {error}"));
        let mut proxy = Self { address, process, _folder: folder };
        // It reports no readiness, so connect until it listens.
        while TcpStream::connect(address).is_err() {
            let ended = proxy.process.try_wait().expect("our own child can be waited for");
            assert!(ended.is_none(), "{program} ended before it listened: {ended:?}");
            thread::sleep(Duration::from_millis(5));
        }
        proxy
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // SIGTERM: nginx ends its worker too.
        let id = self.process.id().to_string();
        let asked = Command::new("kill").arg(id).status();
        assert!(asked.expect("procps is installed").success(), "our own child can be ended");
        self.process.wait().expect("our own child can be waited for");
    }
}
