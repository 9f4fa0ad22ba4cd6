//! TLS with a real Redis that asks its clients for certificates.

use shared_model::Timestamp;
use shared_testing::{Authority, free_address};

use super::{
    RedisSettings,
    test_server::{RedisServer, link},
};
use crate::base::clock::Clock;

/// The outage that a client with these settings finds. The Redis has a certificate for 127.0.0.1 and requires one from
/// clients.
async fn outage(settings: impl FnOnce(RedisSettings, &Authority) -> RedisSettings) -> Option<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let authority = Authority::new(folder.path());
    let (chain, key) = authority.vouch_for("127.0.0.1");
    let port = free_address().port().to_string();
    let path = |path: &std::path::Path| path.display().to_string();
    let _redis = RedisServer::with(
        [
            ["--tls-port", &port],
            ["--tls-cert-file", &path(&chain)],
            ["--tls-key-file", &path(&key)],
            ["--tls-ca-cert-file", &path(&authority.certificate)],
            ["--tls-auth-clients", "yes"],
        ]
        .map(|option| option.map(str::to_owned))
        .concat(),
    );
    let plain = RedisSettings::at(format!("rediss://127.0.0.1:{port}/"));
    let link = link(&settings(plain, &authority), &Clock::at(Timestamp::from_seconds(1_800_000_000)));
    link.check().await;
    link.outage()
}

fn with_certificate(mut settings: RedisSettings, authority: &Authority) -> RedisSettings {
    settings.authorities = Some(authority.certificate.clone());
    settings.client = Some(authority.vouch_for("fourfold"));
    settings
}

#[tokio::test]
async fn a_client_with_a_trusted_certificate_connects() {
    assert_eq!(outage(with_certificate).await, None);
}

#[tokio::test]
async fn a_client_without_a_certificate_cannot_connect() {
    let outage = outage(|mut settings, authority| {
        settings.authorities = Some(authority.certificate.clone());
        settings
    });
    assert!(outage.await.is_some());
}

#[tokio::test]
async fn a_redis_with_a_certificate_of_an_unknown_authority_is_not_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let stranger = Authority::new(folder.path());
    let outage = outage(|settings, authority| {
        let mut settings = with_certificate(settings, authority);
        settings.authorities = Some(stranger.certificate.clone());
        settings
    });
    let why = outage.await.expect("it is away");
    assert!(why.contains("certificate"), "{why}");
}

#[test]
fn a_wrong_file_is_reported_with_its_setting() {
    let folder = tempfile::tempdir().expect("a folder");
    let authority = Authority::new(folder.path());
    let (chain, key) = authority.vouch_for("fourfold");
    let letter = folder.path().join("letter");
    std::fs::write(&letter, "Dear Ada,").expect("the file is written");
    let tls = || RedisSettings::at("rediss://127.0.0.1/");
    for (settings, setting) in [
        (RedisSettings { authorities: Some(letter.clone()), ..tls() }, "REDIS_CA"),
        (RedisSettings { authorities: Some("/no/such/file".into()), ..tls() }, "REDIS_CA"),
        (RedisSettings { client: Some((key.clone(), key)), ..tls() }, "REDIS_CERTIFICATES"),
        (RedisSettings { client: Some((chain.clone(), chain)), ..tls() }, "REDIS_KEY"),
    ] {
        assert_eq!(settings.client().expect_err("a mistake").0, setting);
    }
}
