//! Refusals before anything is changed: another service's database, another secret, a place without a database.

use std::{
    collections::BTreeMap,
    fs,
    hash::{DefaultHasher, Hasher as _},
    os::unix::fs::symlink,
    path::Path,
    process::{Command, Output, Stdio},
};

use shared_testing::{
    SERVICE_SECRET, ServiceProcess,
    database::{Database, dump},
    servers,
};

/// All commands that open the database, except `migrate --new-secret`. Without a command it serves.
const COMMANDS: &[&[&str]] = &[
    &[],
    &["migrate"],
    &["migrate", "--check"],
    &["grant", "revoke", "grant_1"],
    &["import", "orders.jsonl"],
    &["import", "--strict", "orders.jsonl"],
    &["export"],
    &["order", "show", "ord_00000000000000000000000000000001"],
    &["order", "move", "ord_00000000000000000000000000000001", "paid"],
    &["ordering", "close"],
];
const OTHER_SECRET: &str = "fedcba9876543210fedcba9876543210";

fn orders(folder: &Path, url: &str, secret: Option<&str>, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_orders-svc"));
    command.args(arguments).env_clear().env("DATABASE_URL", url).current_dir(folder).stdin(Stdio::null());
    command.env("LISTEN_ADDR", "127.0.0.1:0").env("OPS_LISTEN_ADDR", "127.0.0.1:0");
    command.envs(secret.map(|secret| ("SERVICE_SECRET", secret)));
    command.output().expect("the command runs")
}

/// Runs a command that must be refused; returns its output.
#[track_caller]
fn refused(folder: &Path, url: &str, secret: Option<&str>, arguments: &[&str]) -> String {
    let Output { status, stdout, stderr } = orders(folder, url, secret, arguments);
    assert_eq!(status.code(), Some(1), "{arguments:?}: {}", String::from_utf8_lossy(&stderr));
    assert_eq!(String::from_utf8_lossy(&stdout), "", "{arguments:?}");
    let said = String::from_utf8_lossy(&stderr).into_owned();
    assert!(![SERVICE_SECRET, OTHER_SECRET].iter().any(|secret| said.contains(secret)), "{said}");
    said
}

#[track_caller]
fn succeeds(folder: &Path, url: &str, secret: &str, arguments: &[&str]) {
    let output = orders(folder, url, Some(secret), arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// All files of the folder, with a hash of their bytes.
fn contents(folder: &Path) -> Vec<(String, u64)> {
    let mut contents: Vec<_> = fs::read_dir(folder)
        .expect("the folder")
        .map(|entry| {
            let entry = entry.expect("an entry");
            (entry.file_name().to_string_lossy().into_owned(), hash(&fs::read(entry.path()).unwrap_or_default()))
        })
        .collect();
    contents.sort();
    contents
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

/// What a refused command leaves as it is: the files of the folder, and the rows on PostgreSQL.
fn state(folder: &Path, url: &str) -> (Vec<(String, u64)>, BTreeMap<String, String>) {
    // A SQLite database is one of the files.
    let rows = if url.starts_with("sqlite:") { BTreeMap::new() } else { dump(url, &[]) };
    (contents(folder), rows)
}

/// A folder with a file to import, and a database: a SQLite file, or on the server of this run.
fn place() -> (tempfile::TempDir, Database) {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("orders.jsonl"), "").expect("the file is written");
    let database = Database::fresh(servers::of_this_run().as_ref(), folder.path());
    (folder, database)
}

#[test]
fn every_command_refuses_the_database_of_another_service_and_changes_nothing() {
    let (folder, database) = place();
    let (folder, url) = (folder.path(), database.url.as_str());
    succeeds(folder, url, SERVICE_SECRET, &["migrate"]);
    database.execute("UPDATE database_identity SET surface = 'cloud'");
    let before = state(folder, url);
    // A SQLite file without its secret is refused as another service's; PostgreSQL always needs a secret.
    let secrets =
        if url.starts_with("sqlite:") { vec![None, Some(SERVICE_SECRET)] } else { vec![Some(SERVICE_SECRET)] };
    for secret in secrets {
        for command in COMMANDS {
            let said = refused(folder, url, secret, command);
            assert!(said.contains(" belongs to the cloud service: set DATABASE_URL to "), "{command:?}: {said}");
            assert!(!said.contains("SERVICE_SECRET"), "{command:?}: {said}");
            assert_eq!(state(folder, url), before, "{command:?}");
        }
    }
}

#[test]
fn every_command_refuses_another_secret_until_the_operator_changes_it() {
    let (folder, database) = place();
    let (folder, url) = (folder.path(), database.url.as_str());
    succeeds(folder, url, SERVICE_SECRET, &["migrate"]);
    let before = state(folder, url);
    for command in COMMANDS {
        let said = refused(folder, url, Some(OTHER_SECRET), command);
        assert!(said.starts_with("error: SERVICE_SECRET is not the one that "), "{command:?}: {said}");
        assert!(said.contains("`orders-svc migrate --new-secret`"), "{command:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{command:?}: {said}");
        assert_eq!(state(folder, url), before, "{command:?}");
    }
    succeeds(folder, url, OTHER_SECRET, &["migrate", "--new-secret"]);
    succeeds(folder, url, OTHER_SECRET, &["export"]);
    refused(folder, url, Some(SERVICE_SECRET), &["export"]);
}

#[test]
fn a_missing_folder_is_not_created() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("not/there/orders.db");
    for secret in [None, Some(SERVICE_SECRET)] {
        for command in COMMANDS {
            let said = refused(folder.path(), &format!("sqlite:{}", path.display()), secret, command);
            let sentence = format!(
                "the folder {} of the SQLite database does not exist: create it, or mount what belongs there\n",
                path.parent().expect("a folder").display()
            );
            assert!(said.ends_with(&sentence), "{command:?}: {said}");
        }
    }
    assert_eq!(contents(folder.path()), []);
}

#[test]
fn a_file_that_is_not_a_database_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for text in ["a letter", &"a long letter, ".repeat(1000)] {
        fs::write(folder.path().join("letter"), text).expect("the file is written");
        let before = contents(folder.path());
        for secret in [None, Some(SERVICE_SECRET)] {
            for command in COMMANDS {
                let said = refused(folder.path(), "sqlite:letter", secret, command);
                assert!(said.contains("/letter is not a SQLite database: set DATABASE_URL to "), "{command:?}: {said}");
                assert_eq!(contents(folder.path()), before, "{command:?}");
            }
        }
    }
}

#[test]
fn checking_a_missing_database_does_not_create_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let said = refused(folder.path(), "sqlite:orders.db", None, &["migrate", "--check"]);
    assert!(said.contains("DATABASE_URL names no database: orders.db does not exist; migrate creates it"), "{said}");
    assert_eq!(contents(folder.path()), []);
}

#[shared_testing::test]
async fn a_second_process_that_serves_one_file_is_refused_and_named_the_first() {
    let mut orders_svc = ServiceProcess::on(env!("CARGO_BIN_EXE_orders-svc"), orders_svc::service(), None, &[]).await;
    let (folder, url) = (orders_svc.folder().to_owned(), orders_svc.database_url().to_owned());
    let link = folder.join("link.db");
    symlink(folder.join("stage.sqlite"), &link).expect("a link");
    for url in [url.clone(), format!("sqlite:{}", link.display())] {
        let said = refused(&folder, &url, Some(SERVICE_SECRET), &["serve"]);
        let sentence = format!(" is served by the process {} already: stop that one first", orders_svc.pid());
        assert!(said.contains(&sentence), "{said}");
    }
    let said = refused(&folder, &url, Some(OTHER_SECRET), &["migrate", "--new-secret"]);
    assert!(said.contains(" is served by the process "), "{said}");
    for command in [&["migrate"][..], &["export"], &["ordering", "close"]] {
        succeeds(&folder, &url, SERVICE_SECRET, command);
    }
    orders_svc.kill();
    orders_svc.start(&[]).await;
}

#[shared_testing::test]
async fn a_service_whose_file_was_renamed_is_not_ready_any_more() {
    let orders_svc = ServiceProcess::on(env!("CARGO_BIN_EXE_orders-svc"), orders_svc::service(), None, &[]).await;
    assert_eq!(orders_svc.ready().await, 200);
    let file = |name: &str| orders_svc.folder().join(name);
    fs::rename(file("stage.sqlite"), file("elsewhere.sqlite")).expect("renamed");
    assert_eq!(orders_svc.ready().await, 503);
    fs::rename(file("elsewhere.sqlite"), file("stage.sqlite")).expect("renamed");
    assert_eq!(orders_svc.ready().await, 503, "until it is started again");
}
