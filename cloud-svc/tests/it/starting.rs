//! The log of a start: mistakes, missing settings, and the configuration of the service.

use std::{
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use shared_testing::ServiceProcess;

/// A process that is killed when this is dropped.
struct Started(Child);

impl Drop for Started {
    fn drop(&mut self) {
        self.0.kill().expect("our own child can be killed");
        self.0.wait().expect("our own child can be waited for");
    }
}

/// Starts it and reads its log until each of these texts has appeared; waits at most a minute for each line.
fn start(mut command: Command, texts: &[&str]) -> (Started, String) {
    let mut started = Started(command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the binary starts"));
    let stderr = started.0.stderr.take().expect("it is piped");
    let (tell, lines) = mpsc::channel();
    // Ends with the process, or when the receiver is dropped.
    thread::spawn(move || BufReader::new(stderr).lines().try_for_each(|line| tell.send(line)));
    let mut log = String::new();
    while !texts.iter().all(|text| log.contains(text)) {
        let line = lines.recv_timeout(Duration::from_secs(60));
        let line = line.unwrap_or_else(|error| panic!("{error} before it had said {texts:?}:\n{log}"));
        log += &format!("{}\n", line.expect("text"));
    }
    (started, log)
}

/// The settings of a service on its own database, which is migrated already.
async fn made() -> ServiceProcess {
    let mut process = ServiceProcess::of(env!("CARGO_BIN_EXE_cloud-svc"), cloud_svc::service(), &[]).await;
    process.kill();
    process
}

#[shared_testing::test]
async fn missing_dependencies_are_logged_at_the_start_without_passwords() {
    let process = made().await;
    let mut command = process.command(&[]);
    command.env("LISTEN_ADR", "x").env("RATE_LIMITS", "read=7");
    command
        .env("REDIS_URL", "redis://:hunter2@127.0.0.1:1")
        .env("JWKS", "http://ada:hunter2@127.0.0.1:1/jwks?key=hunter2");
    let (_started, log) = start(command, &["\"serving\"", "Redis is away", "none are known", "LISTEN_ADR"]);
    let line = |text: &str| log.lines().find(|line| line.contains(text)).expect("it is there");
    assert!(line("LISTEN_ADR").contains("\"setting\":\"LISTEN_ADDR\""), "{log}");
    assert!(line("Redis is away").contains("refused") && line("Redis is away").contains("127.0.0.1:1"), "{log}");
    assert!(line("none are known").contains("\"jwks\":\"http://127.0.0.1:1/jwks\""), "{log}");
    let serving = line("\"serving\"");
    let is_file = process.database_url().starts_with("sqlite:");
    for (field, value) in [
        ("version", env!("CARGO_PKG_VERSION")),
        ("database", if is_file { "SQLite /" } else { "PostgreSQL " }),
        ("redis", "127.0.0.1:1\""),
        ("issuer", "https://issuer.test\""),
        ("limits", "read=7\""),
    ] {
        assert!(serving.contains(&format!("\"{field}\":\"{value}")), "{field} in {serving}");
    }
    assert!(!log.contains("hunter2"), "{log}");

    let health = process.command(&["healthcheck"]).output().expect("it runs");
    let said = String::from_utf8_lossy(&health.stdout);
    assert!(health.status.success(), "the database alone decides: {said}");
    for part in ["database: ok\n", "redis: away: ", "issuer_keys: away: "] {
        assert!(said.contains(part), "{said}");
    }
}

#[shared_testing::test]
async fn a_service_without_an_issuer_says_so() {
    let process = made().await;
    let mut command = process.command(&[]);
    command.env_remove("ISSUER").env_remove("JWKS").env_remove("REDIS_URL");
    let (_started, log) = start(command, &["\"serving\""]);
    assert!(log.contains("ISSUER and JWKS are not set"), "{log}");
    assert!(log.contains("\"issuer\":\"none\"") && log.contains("\"redis\":\"none\""), "{log}");
}

#[shared_testing::test]
async fn a_wrong_rust_log_is_reported_with_the_other_mistakes() {
    let process = made().await;
    let mut command = process.command(&[]);
    command.env("RUST_LOG", "infoo").env("LISTEN_ADDR", "").env("DATABASE_CONNECTIONS", "many");
    let refused = command.output().expect("it runs");
    let said = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1), "{said}");
    assert!(said.contains("3 mistakes in the settings:"), "{said}");
    for mistake in ["RUST_LOG must be", "LISTEN_ADDR must not be empty", "DATABASE_CONNECTIONS must be"] {
        assert!(said.contains(mistake), "{said}");
    }
}
