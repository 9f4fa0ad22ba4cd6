//! The client examples/upload.py on connections that break, with a service that is killed.

use std::{
    io::{Read as _, Write as _},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    path::Path,
    process::{Command, Stdio},
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

use cloud_svc::service;
use shared_testing::{Caller, ServiceProcess, Text, hostile_server::HostileServer};

use super::{CHUNK, begun, bytes, command, put, sha256, status};

const PROGRAM: &str = include_str!("../../../../examples/upload.py");
/// Bytes of the file.
const SIZE: usize = 12 * CHUNK + 4_321;
/// How often the connection breaks.
const CUTS: u64 = 20;
/// How often the service is killed.
const KILLS: usize = 5;
/// No download gets further than this byte.
const CUT_AT: usize = 10_000;

/// A proxy that breaks connections after some bytes, in the middle of anything, for a number of times.
struct BadLine {
    address: SocketAddr,
    to: Arc<Mutex<SocketAddr>>,
    passed: Arc<AtomicU64>,
    cuts: Arc<AtomicU64>,
}

impl BadLine {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it listens");
        let to = Arc::new(Mutex::new(address));
        let line = Self { address, to, passed: Arc::default(), cuts: Arc::new(AtomicU64::new(CUTS)) };
        let (to, passed, cuts) = (Arc::clone(&line.to), Arc::clone(&line.passed), Arc::clone(&line.cuts));
        thread::spawn(move || {
            for (number, client) in (0..).zip(listener.incoming()) {
                let client = client.expect("a connection");
                let target = *to.lock().expect("nobody panics with it");
                // The service has been killed.
                let Ok(server) = TcpStream::connect(target) else { continue };
                // From within a head to more than a chunk, and never the same number twice.
                let room = Arc::new(AtomicU64::new(300 + number * 299_993 % 1_500_000));
                for (from, into) in [(&client, &server), (&server, &client)] {
                    let pair = (from.try_clone().expect("a socket"), into.try_clone().expect("a socket"));
                    let (passed, cuts, room) = (Arc::clone(&passed), Arc::clone(&cuts), Arc::clone(&room));
                    thread::spawn(move || pass(pair, &passed, &cuts, &room));
                }
            }
        });
        line
    }
}

/// Copies bytes until one end is closed, or the connection breaks.
fn pass((mut from, mut into): (TcpStream, TcpStream), passed: &AtomicU64, cuts: &AtomicU64, room: &AtomicU64) {
    let mut bytes = vec![0; 16 * 1024];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        let left = room.load(Ordering::SeqCst);
        let breaks = left < count as u64 && cuts.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less).is_ok();
        let count = if breaks { usize::try_from(left).expect("less than was read") } else { count };
        room.store(left.saturating_sub(count as u64), Ordering::SeqCst);
        passed.fetch_add(count as u64, Ordering::SeqCst);
        if into.write_all(&bytes[..count]).is_err() || breaks {
            break;
        }
    }
    for end in [&from, &into] {
        // The peer may be gone already.
        let _ = end.shutdown(Shutdown::Both);
    }
}

fn less(cuts: u64) -> Option<u64> {
    cuts.checked_sub(1)
}

/// The client, which uploads a file of these bytes.
fn client(folder: &Path, whole: &[u8], cloud: &str, ada: &Caller) -> Command {
    std::fs::write(folder.join("large.bin"), whole).expect("written");
    std::fs::write(folder.join("upload.py"), PROGRAM).expect("written");
    // A client that never ends must fail its test.
    let mut command = Command::new("timeout");
    command
        .args(["300", "python3", "upload.py", "large.bin"])
        .current_dir(folder)
        .env_clear()
        .envs([("CLOUD", cloud), ("CLOUD_TOKEN", &ada.token())])
        .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

#[shared_testing::test]
async fn the_documented_client_uploads_over_a_bad_line_while_the_service_is_killed() {
    let line = BadLine::new();
    let base_url = format!("http://{}", line.address);
    let environment = [("BASE_URL", base_url.as_str())];
    let mut process = ServiceProcess::of(env!("CARGO_BIN_EXE_cloud-svc"), service(), &environment).await;
    *line.to.lock().expect("nobody panics with it") = process.address();
    let ada = process.caller("ada").claim("aud", base_url.as_str());

    let folder = tempfile::tempdir().expect("a folder");
    let whole = bytes(SIZE);
    let mut client = client(folder.path(), &whole, &base_url, &ada).spawn().expect("Python is there");
    for kill in 1..=KILLS {
        let due = (kill * SIZE / (KILLS + 1)) as u64;
        while line.passed.load(Ordering::SeqCst) < due && client.try_wait().expect("our own child").is_none() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        process.kill();
        process.start(&environment).await;
    }
    let output =
        tokio::task::spawn_blocking(move || client.wait_with_output()).await.expect("no panic").expect("it ends");
    let printed = String::from_utf8_lossy(&output.stdout);
    let reported = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{printed}{reported}");
    let (file, rest) = printed.trim().split_once(' ').expect("an id and more");
    assert_eq!(rest, format!("{SIZE} as it was sent"));
    assert_eq!(line.cuts.load(Ordering::SeqCst), 0, "the line broke as often as it was to");

    let listed = ada.get(format!("/v1/files/{file}/versions")).await.status(200);
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        (&listed["items"][0]["bytes"], listed["items"][0]["sha256"].text()),
        (&SIZE.into(), sha256(&whole).as_str())
    );
    assert_eq!((process.count("uploads"), process.count("files"), process.count("manifest_chunks")), (1, 1, 13));
}

/// What the client reports about a file whose downloads are altered on their way. It must fail.
async fn reported(alter: fn(&str, &mut Vec<u8>)) -> String {
    let target = Arc::new(OnceLock::<SocketAddr>::new());
    let service_at = Arc::clone(&target);
    let line = HostileServer::http(move |client, request| {
        let mut service = TcpStream::connect(service_at.get().expect("the service is asked after its start"))?;
        service.write_all(request.as_bytes())?;
        let mut answer = Vec::new();
        service.read_to_end(&mut answer)?;
        if request.starts_with("GET /v1/downloads/") {
            alter(request, &mut answer);
        }
        client.write_all(&answer)
    });
    let base_url = format!("http://{}", line.address);
    let environment = [("BASE_URL", base_url.as_str())];
    let process = ServiceProcess::of(env!("CARGO_BIN_EXE_cloud-svc"), service(), &environment).await;
    target.set(process.address()).expect("it is set once");
    let ada = process.caller("ada").claim("aud", base_url.as_str());
    let folder = tempfile::tempdir().expect("a folder");
    // Text, because the proxy reads requests as text.
    let mut client = client(folder.path(), "large ".repeat(10_000).as_bytes(), &base_url, &ada);
    let output = tokio::task::spawn_blocking(move || client.output()).await.expect("no panic").expect("it ends");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(process.count("files"), 1);
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[shared_testing::test]
async fn the_documented_client_gives_up_if_no_download_reaches_the_end() {
    let reported = reported(|request, answer| {
        let head = answer.windows(4).position(|four| four == b"\r\n\r\n").expect("an answer has a head") + 4;
        let range = request.split("Range: bytes=").nth(1).and_then(|rest| rest.split('-').next());
        let from: usize = range.expect("it asks for a range").parse().expect("a number");
        answer.truncate(head + CUT_AT.saturating_sub(from));
    })
    .await;
    assert_eq!(reported.trim(), "The file cannot be downloaded again.");
}

#[shared_testing::test]
async fn the_documented_client_fails_if_the_download_differs() {
    let reported = reported(|_, answer| *answer.last_mut().expect("an answer") ^= 1).await;
    assert!(reported.trim().ends_with("60000 DAMAGED"), "{reported}");
}

/// The service is killed after it has written the object of a chunk and before it counts the chunk.
#[shared_testing::test]
async fn a_chunk_that_was_written_but_not_counted_is_sent_again() {
    let hangs = [("FAILPOINTS", "uploads::written=return")];
    let mut process = ServiceProcess::of(env!("CARGO_BIN_EXE_cloud-svc"), service(), &hangs).await;
    let ada = process.caller("ada");
    let id = begun(&ada, b"x").await;
    let folder = process.folder().join("blobs/uploads").join(&id);
    // Files that are not complete yet do not count.
    let is_whole = |entry: &std::io::Result<std::fs::DirEntry>| {
        entry.as_ref().is_ok_and(|entry| !entry.file_name().to_string_lossy().contains('#'))
    };
    let objects = || std::fs::read_dir(&folder).map_or(0, |entries| entries.filter(is_whole).count());
    let killed = async {
        while objects() == 0 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        process.kill();
    };
    let (answer, ()) = tokio::join!(put(&ada, &id, 0, b"x").send(), killed);
    assert!(answer.is_err());
    process.start(&[]).await;
    assert_eq!(status(&ada, &id).await["received_bytes"], 0);
    let counted = put(&ada, &id, 0, b"x").await.status(200);
    assert_eq!(counted["upload"]["received_bytes"], 1);
    command(&ada, &id, "complete").await.status(200);
    assert_eq!(objects(), 2, "the first one is nobody's, until it is swept");
}
