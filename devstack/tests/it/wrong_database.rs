//! Every service on every service's database, with its secret and with another: exactly the right pairs start.

use std::path::{Path, PathBuf};

use actix_web::rt::System;
use shared_model::Random;
use shared_runtime::{
    Clock,
    base::signing_key::KeyFile,
    context::settings::SettingsArguments,
    service::{Service, server},
};
use shared_testing::{database::Database, servers};

use crate::services;

const SECRETS: [&str; 2] = ["0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"];

/// Starts a service as its program does, and stops it.
async fn start(service: &Service, database: &Database, secret: &str, blobs: &str) -> Result<(), String> {
    let arguments = SettingsArguments {
        listen_addr: Some("127.0.0.1:0".to_owned()),
        ops_listen_addr: Some("127.0.0.1:0".to_owned()),
        database_url: Some(database.url.clone()),
        service_secret: Some(secret.to_owned()),
        blob_store: Some(blobs.to_owned()),
        log_signing_key: Some(log_key(blobs).display().to_string()),
        ..SettingsArguments::default()
    };
    let settings =
        arguments.check(service.surface, &service.routes().limits()).map_err(|mistakes| mistakes.to_string())?;
    let running = server::start(service.clone(), settings, Clock::System, Random::System).await;
    running.map_err(|failure| failure.to_string())?.stop().await;
    Ok(())
}

/// The one key of the log, whatever database it is on.
fn log_key(blobs: &str) -> PathBuf {
    let key = Path::new(blobs.trim_start_matches("file:")).with_extension("key.pem");
    KeyFile::Generated(key.clone()).read_or_make().expect("a key");
    key
}

/// Starts every service on each of these databases, of which the first is Locker's and so on, with either secret.
async fn matrix(databases: &[Database], blobs: &str) {
    for (database, owner) in databases.iter().zip(services()) {
        for service in services() {
            for secret in SECRETS {
                let started = start(&service, database, secret, blobs).await;
                let (owner, name) = (owner.surface.name, service.surface.name);
                let place = format!("{name} on the database of {owner}, secret {secret}");
                match started {
                    Ok(()) => assert!(name == owner && secret == SECRETS[0], "{place} started"),
                    Err(said) if name != owner => {
                        assert!(said.contains(&format!(" belongs to the {owner} service: ")), "{place}: {said}");
                    }
                    Err(said) => {
                        assert!(secret == SECRETS[1], "{place}: {said}");
                        assert!(said.starts_with("SERVICE_SECRET is not the one "), "{place}: {said}");
                    }
                }
            }
        }
    }
}

/// Four databases, each made by its service with the first secret.
async fn databases(folders: &[tempfile::TempDir; 4], blobs: &str) -> Vec<Database> {
    let servers = servers::of_this_run();
    let mut databases = Vec::new();
    for (folder, service) in folders.iter().zip(services()) {
        let database = Database::fresh(servers.as_ref(), folder.path());
        start(&service, &database, SECRETS[0], blobs).await.expect("a new database");
        databases.push(database);
    }
    databases
}

fn folders() -> ([tempfile::TempDir; 4], String) {
    let folders = [(); 4].map(|()| tempfile::tempdir().expect("a folder"));
    let blobs = format!("file:{}", folders[0].path().join("blobs").display());
    (folders, blobs)
}

#[test]
fn exactly_the_right_pairs_start() {
    let (folders, blobs) = folders();
    System::new().block_on(async {
        let databases = databases(&folders, &blobs).await;
        matrix(&databases, &blobs).await;
    });
}

#[test]
fn a_database_that_lost_its_owner_is_refused_by_every_service() {
    let (folders, blobs) = folders();
    System::new().block_on(async {
        for database in &databases(&folders, &blobs).await {
            database.execute("DROP TABLE database_identity");
            for service in services() {
                let refused = start(&service, database, SECRETS[0], &blobs).await.expect_err("refused");
                let sentence = format!(" has tables that the {} service did not make: ", service.surface.name);
                assert!(refused.contains(&sentence), "{}: {refused}", service.surface.name);
            }
        }
    });
}
