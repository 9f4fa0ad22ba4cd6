//! Rejected settings, and the defaults of missing ones.

use std::os::unix::fs::PermissionsExt as _;

use clap::{Args as _, Command};
use shared_model::code;

use super::*;

const LIMITS: &[&LimitClass] = &[&LimitClass { name: "read", per_minute: 600 }];

pub static SURFACE: Surface = Surface {
    name: "cloud",
    title: "Test",
    about: "Nothing but a test.",
    version: "v1",
    envelope: shared_model::Envelope::TopLevel,
    invalid_field: &code::INVALID_FIELD,
    wrong_method: &code::METHOD_NOT_ALLOWED,
    body_bytes: 1,
    port: 8082,
    claims: &[],
    codes: &[],
};

#[test]
fn all_mistakes_are_reported_together_without_their_values() {
    let arguments = SettingsArguments {
        listen_addr: Some("here".to_owned()),
        base_url: Some("http://example.com".to_owned()),
        database_url: Some("mysql://user:hunter2@host/db".to_owned()),
        blob_store: Some("ftp://user:hunter2@host".to_owned()),
        redis_url: Some("http://:hunter2@host".to_owned()),
        issuer: Some("http://issuer.example".to_owned()),
        jwks: Some("/no/such/jwks.json".to_owned()),
        service_secret: Some("hunter2".to_owned()),
        log_signing_key: Some("/no/such/key.pem".to_owned()),
        trusted_proxies: Some("10.0.0.0/99".to_owned()),
        cors_origins: Some("*".to_owned()),
        outbound_allow: Some("localhost".to_owned()),
        rate_limits: Some("read=0".to_owned()),
        role: Some("many".to_owned()),
        rust_log: Some("infoo".to_owned()),
        ..SettingsArguments::default()
    };
    let message = arguments.check(&SURFACE, LIMITS).expect_err("fifteen mistakes").to_string();
    for setting in [
        "LISTEN_ADDR",
        "BASE_URL",
        "DATABASE_URL",
        "BLOB_STORE",
        "REDIS_URL",
        "ISSUER",
        "JWKS",
        "SERVICE_SECRET",
        "LOG_SIGNING_KEY",
        "TRUSTED_PROXIES",
        "CORS_ORIGINS",
        "OUTBOUND_ALLOW",
        "RATE_LIMITS",
        "ROLE",
        "RUST_LOG",
    ] {
        assert!(message.contains(setting), "{setting} is not in: {message}");
    }
    assert!(!message.contains("hunter2"), "{message}");
}

/// The mistakes of these settings beside a database that can be used.
fn mistakes(arguments: SettingsArguments) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let database_url = Some(format!("sqlite:{}/cloud.db", folder.path().display()));
    let refused = SettingsArguments { database_url, ..arguments }.check(&SURFACE, LIMITS).err();
    refused.map_or_else(String::new, |mistakes| mistakes.to_string())
}

#[test]
fn an_issuer_is_a_url_and_its_keys_exist() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("jwks.json");
    std::fs::write(&file, "{}").expect("the file is written");
    let of = |issuer: &str, jwks: &str| {
        let (issuer, jwks) = (Some(issuer.to_owned()), Some(jwks.to_owned()));
        mistakes(SettingsArguments { issuer, jwks, ..SettingsArguments::default() })
    };
    let file = file.display().to_string();
    for issuer in ["https://issuer.example/", "http://127.0.0.1:8080", "http://localhost"] {
        assert_eq!(of(issuer, &file), "");
    }
    for issuer in ["nonsense", "http://evil.example", "http://10.0.0.1", "issuer.example"] {
        assert!(of(issuer, &file).contains("ISSUER must be an https URL"), "{issuer}");
    }
    for jwks in ["/nope.json", "http://issuer.example/jwks", "htps://issuer.example", "/"] {
        assert!(of("https://issuer.example", jwks).contains("JWKS must be an https URL"), "{jwks}");
    }
}

#[test]
fn an_origin_of_pages_is_spelled_as_browsers_send_it() {
    let of = |origins: &str| {
        mistakes(SettingsArguments { cors_origins: Some(origins.to_owned()), ..SettingsArguments::default() })
    };
    assert_eq!(of("https://app.example.com, https://app.example.com:8443,http://127.0.0.1:5173,http://localhost"), "");
    for origin in [
        "*",
        "null",
        "app.example.com",
        "https://*.example.com",
        "https://app.example.com/",
        "https://app.example.com/notes",
        "https://app.example.com:443",
        "https://App.example.com",
        "https://ada@app.example.com",
        "http://app.example.com",
        "ftp://localhost",
    ] {
        assert!(of(origin).contains("CORS_ORIGINS must be origins like"), "{origin}");
    }
    assert!(of("*,https://app.example.com,null").starts_with("2 mistakes"));
}

#[test]
fn two_listeners_never_share_an_address() {
    let of = |listen: &str, ops: &str| {
        let (listen_addr, ops_listen_addr) = (Some(listen.to_owned()), Some(ops.to_owned()));
        mistakes(SettingsArguments { listen_addr, ops_listen_addr, ..SettingsArguments::default() })
    };
    assert_eq!(of("127.0.0.1:0", "127.0.0.1:0"), "", "any free port");
    assert_eq!(of("127.0.0.1:9", "127.0.0.2:9"), "");
    assert_eq!(of("0.0.0.0:9", "[::1]:9"), "", "an IPv4 address takes no IPv6");
    for ops in ["127.0.0.1:9", "0.0.0.0:9", "[::]:9"] {
        assert!(of("127.0.0.1:9", ops).contains("OPS_LISTEN_ADDR must not be the address of LISTEN_ADDR"), "{ops}");
    }
}

#[test]
fn missing_certificates_are_reported_with_the_other_mistakes() {
    let said = mistakes(SettingsArguments {
        tls_listen_addr: Some("127.0.0.1:0".to_owned()),
        tls_certificates: Some("/nope".to_owned()),
        tls_key: Some("/nope".to_owned()),
        database_connections: Some("0".to_owned()),
        redis_key: Some("/nope".to_owned()),
        rate_limits: Some("read=0".to_owned()),
        ..SettingsArguments::default()
    });
    for mistake in [
        "4 mistakes in the settings:",
        "TLS_CERTIFICATES or TLS_KEY cannot be used: the TLS certificate is not usable",
        "DATABASE_CONNECTIONS must be",
        "REDIS_KEY needs a REDIS_URL that begins with rediss://",
        "RATE_LIMITS must give read a number from 1",
    ] {
        assert!(said.contains(mistake), "{mistake} is not in: {said}");
    }
}

#[test]
fn a_database_of_another_kind_is_one_mistake() {
    let database_url = Some("mysql://host/database".to_owned());
    let said = SettingsArguments { database_url, ..SettingsArguments::default() }.check(&SURFACE, LIMITS);
    let said = said.expect_err("a mistake").to_string();
    assert!(said.starts_with("1 mistake in the settings:\n  DATABASE_URL must be sqlite:PATH"), "{said}");
}

#[test]
fn a_blob_store_is_in_a_folder_that_exists() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |path: &str| Some(format!("file:{}/{path}", folder.path().display()));
    assert_eq!(mistakes(SettingsArguments { blob_store: place("blobs"), ..SettingsArguments::default() }), "");
    let said = mistakes(SettingsArguments { blob_store: place("not/mounted"), ..SettingsArguments::default() });
    assert!(said.contains("BLOB_STORE must be in a folder that exists"), "{said}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "nothing is made");
}

#[test]
fn every_limit_that_the_service_does_not_have_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |limits: &str| {
        let url = format!("sqlite:{}/cloud.db", folder.path().display());
        let arguments = SettingsArguments {
            database_url: Some(url),
            rate_limits: Some(limits.to_owned()),
            ..SettingsArguments::default()
        };
        arguments.check(&SURFACE, LIMITS)
    };
    assert_eq!(check("read=7").expect("a limit of the service").rate_limits.0, [("read".to_owned(), 7)]);
    let message = check("reads=7, write=8,read,read=9,read=10").expect_err("four mistakes").to_string();
    assert_eq!(message.matches("must name existing limits: read").count(), 2, "{message}");
    assert_eq!(message.matches("\n").count(), 4, "{message}");
}

#[test]
fn embedded_defaults_need_only_a_path_for_the_database() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite:{}/cloud.db", folder.path().display());
    let arguments = SettingsArguments { database_url: Some(url), ..SettingsArguments::default() };
    let first = arguments.clone().check(&SURFACE, LIMITS).expect("embedded defaults");
    let second = arguments.check(&SURFACE, LIMITS).expect("the same again");
    assert_eq!(first.listen.port(), 8082);
    assert_eq!(first.secret.tag(&[b"x"]), second.secret.tag(&[b"x"]), "the secret is made once");
    let file = std::fs::metadata(folder.path().join("cloud.db.secret")).expect("a file");
    assert_eq!(file.permissions().mode() & 0o777, 0o600);
}

#[test]
fn processes_that_start_at_the_same_time_read_one_secret() {
    let folder = tempfile::tempdir().expect("a folder");
    // A process has been killed while it wrote its secret.
    std::fs::write(folder.path().join(".killed.partial"), "0123").expect("the file is written");
    let url = format!("sqlite:{}/cloud.db", folder.path().display());
    let start = || {
        let arguments = SettingsArguments { database_url: Some(url.clone()), ..SettingsArguments::default() };
        arguments.check(&SURFACE, LIMITS).expect("embedded defaults").secret.tag(&[b"x"])
    };
    let tags: Vec<_> = std::thread::scope(|scope| {
        let starts: Vec<_> = (0..8).map(|_| scope.spawn(start)).collect();
        starts.into_iter().map(|start| start.join().expect("no panic")).collect()
    });
    assert!(tags.iter().all(|tag| *tag == tags[0]), "{tags:?}");
    let left = std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(left, 2, "the part and the secret");
}

#[test]
fn an_empty_file_is_no_secret() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite:{}/cloud.db", folder.path().display());
    std::fs::write(folder.path().join("cloud.db.secret"), "").expect("the file is written");
    let arguments = SettingsArguments { database_url: Some(url), ..SettingsArguments::default() };
    let message = arguments.check(&SURFACE, LIMITS).expect_err("no secret").to_string();
    assert!(message.contains("cloud.db.secret"), "{message}");
}

#[test]
fn an_unusable_database_path_is_reported_and_no_file_is_created() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(place("letter"), "Dear Ada,").expect("the file is written");
    for (path, reason) in [
        (
            place("not/there/cloud.db"),
            format!("the folder {} of the SQLite database does not exist", place("not/there")),
        ),
        (place("letter"), format!("{} is not a SQLite database", place("letter"))),
        (place(""), "is a folder".to_owned()),
    ] {
        let arguments =
            SettingsArguments { database_url: Some(format!("sqlite:{path}")), ..SettingsArguments::default() };
        arguments.must_have_database(&SURFACE).expect("the check of all tells it");
        let message = arguments.check(&SURFACE, LIMITS).expect_err("a mistake").to_string();
        assert!(message.starts_with("1 mistake in the settings:") && message.contains(&reason), "{message}");
    }
    let left = std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(left, 1, "the letter alone");
}

#[test]
fn every_setting_rejects_an_empty_value() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = format!("sqlite:{}/cloud.db", folder.path().display());
    let command = SettingsArguments::augment_args(Command::new("settings"));
    let options = command.get_arguments().filter_map(|argument| Some((argument.get_long()?, argument.get_env()?)));
    for (option, variable) in options {
        let line = ["settings".to_owned(), format!("--database-url={database}"), format!("--{option}=")];
        let line = line.into_iter().filter(|word| option != "database-url" || !word.ends_with(&database));
        let command = command.clone().mut_args(|argument| argument.env(None::<&str>));
        let mut matches = command.clone().get_matches_from(line);
        let arguments = SettingsArguments::from_matches(&command, &mut matches).expect("settings");
        let message = arguments.check(&SURFACE, LIMITS).expect_err("a mistake").to_string();
        let mistake = format!("{} must not be empty", variable.display());
        assert!(message.contains(&mistake), "{mistake} is not in: {message}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "nothing is made");
}

#[test]
fn settings_with_a_mistake_create_no_secret() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = SettingsArguments {
        database_url: Some(format!("sqlite:{}/cloud.db", folder.path().display())),
        listen_addr: Some("here".to_owned()),
        ..SettingsArguments::default()
    };
    arguments.check(&SURFACE, LIMITS).expect_err("a mistake");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn postgresql_needs_a_secret_that_all_replicas_share() {
    let url = Some("postgres://app@db/cloud".to_owned());
    let message = SettingsArguments { database_url: url, ..SettingsArguments::default() }
        .check(&SURFACE, LIMITS)
        .expect_err("no secret")
        .to_string();
    assert!(message.contains("SERVICE_SECRET"), "{message}");
}

#[test]
fn a_database_without_its_secret_file_needs_its_original_secret() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("cloud.db");
    let url = format!("sqlite:{}", path.display());
    let arguments = SettingsArguments { database_url: Some(url), ..SettingsArguments::default() };
    arguments.must_have_database(&SURFACE).expect_err("no database yet");
    std::fs::write(&path, "").expect("the file is written");
    arguments.must_have_database(&SURFACE).expect("there is one");
    let message = arguments.check(&SURFACE, &[]).expect_err("no secret").to_string();
    assert!(message.contains("SERVICE_SECRET"), "{message}");
    assert!(!folder.path().join("cloud.db.secret").exists(), "none is made");
}
