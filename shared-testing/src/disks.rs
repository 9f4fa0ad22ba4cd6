//! Disks on which nothing can be written, under a service with a SQLite file. What it answers, counts and keeps there,
//! and how it starts. Needs [`ServiceProcess::bounded`].

use std::process::{Command, Output};

use shared_runtime::service::Service;

use crate::{
    database::{changed, dump},
    request::Request,
    response::Response,
    service_process::ServiceProcess,
};

/// Reads note when a grant was seen.
const SEEN: [&str; 1] = ["grants"];
/// Room for the -shm file, but not for a schema.
const NO_ROOM_TO_GROW: &str = "80";

/// Sends a command twice while nothing can be written. It must be refused for now, change nothing but the metrics, and
/// keep nobody from reading. Then sends it on a disk with room; returns the answer.
pub async fn refuses_commands_alone(
    process: &ServiceProcess,
    service: &Service,
    operation: &str,
    command: impl Fn() -> Request,
    read: impl Fn() -> Request,
) -> Response {
    read().await.status(200);
    let before = dump(process.database_url(), &SEEN);
    // It holds for the log too, which no answer may depend on.
    process.limit_files(Some(0));
    for _ in 0..2 {
        is_refused(command()).await;
        read().await.status(200);
    }
    assert_eq!(process.ready().await, 200, "reads work");
    let surface = service.surface.name;
    has_lines(
        &process.metrics().await,
        &[
            format!("http_failures_total{{surface=\"{surface}\",operation=\"{operation}\"}} 2"),
            format!("http_requests_total{{surface=\"{surface}\",operation=\"{operation}\",status=\"503\"}} 2"),
            format!("database_away{{surface=\"{surface}\"}} 1"),
        ],
    );
    process.limit_files(None);
    let after = dump(process.database_url(), &SEEN);
    assert_eq!(changed(&before, &after), [""; 0], "half-written");
    command().await
}

/// Fails unless the command is refused for now.
pub async fn is_refused(command: Request) {
    let refused = command.await.refused(503, "temporarily_unavailable");
    assert_eq!(refused["error"]["retryable"], true, "{refused}");
}

/// Fails unless the metrics have these lines.
#[track_caller]
pub fn has_lines(metrics: &str, lines: &[String]) {
    for line in lines {
        assert!(metrics.lines().any(|own| own == line), "no {line} in:\n{metrics}");
    }
}

/// Starts the service on full disks. It serves reads, or ends with one sentence that names the database. Once there is
/// room, it starts with these variables, as if nothing had happened.
pub async fn starts_or_says_why(
    process: &mut ServiceProcess,
    environment: &[(&'static str, &str)],
    read: impl Fn() -> Request,
) {
    read().await.status(200);
    process.kill();
    // Commands may still fit: SQLite writes at the beginning of its -wal file again once that is copied.
    process.start(&[environment, &[("FILE_BLOCKS", NO_ROOM_TO_GROW)]].concat()).await;
    read().await.status(200);
    process.kill();

    let url = process.database_url().to_owned();
    // SQLite has no room to read what the kill has left.
    is_refused_start(process, &url, "0");
    process.start(environment).await;
    read().await.status(200);
    process.signal("TERM");
    assert!(process.ended().await.success());
    // Now there is only the file.
    is_refused_start(process, &url, "0");

    // A database that does not exist yet: there is no room for its first page, or for its schema.
    let fresh = format!("{url}.fresh");
    is_refused_start(process, &fresh, "0");
    is_refused_start(process, &fresh, NO_ROOM_TO_GROW);
    let migrated = process.command(&["migrate"]).env("DATABASE_URL", fresh).output().expect("it runs");
    assert!(migrated.status.success(), "{migrated:?}");
    process.start(environment).await;
    read().await.status(200);
}

fn is_refused_start(process: &ServiceProcess, url: &str, blocks: &str) {
    let mut command = process.command(&["serve"]);
    command.env("DATABASE_URL", url).env("FILE_BLOCKS", blocks);
    let said = sentence(&mut command);
    let path = url.strip_prefix("sqlite:").expect("a file");
    assert!(said.contains(&format!("the SQLite database {path} ")), "{said}");
}

/// The one sentence with which a program ends that fails.
#[track_caller]
pub fn sentence(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.env("RUST_LOG", "off").output().expect("it runs");
    let said = String::from_utf8_lossy(&stderr).into_owned();
    assert_eq!((status.code(), stdout.len(), said.lines().count()), (Some(1), 0, 1), "{said}");
    assert!(said.starts_with("error: "), "{said}");
    said
}
