//! Commands of the operator and of signers.

mod audit;
mod self_check;
mod verify;

use std::{fs, path::Path, process::Command};

use clap::Parser as _;
use ed25519_dalek::{SigningKey, pkcs8::EncodePrivateKey as _, pkcs8::EncodePublicKey as _};
use serde_json::Value;
use shared_runtime::service::cli::Commands;
use shared_testing::Stage;
use trust_svc::commands;

use crate::test_signer::{PUBLISH, TestSigner, listed, next};

#[derive(clap::Parser)]
struct Line {
    #[command(subcommand)]
    command: commands::Command,
}

async fn operator(stage: &Stage, words: &[&str]) -> Result<(), String> {
    let line = Line::try_parse_from([&["trust-svc", "signer"], words].concat()).map_err(|error| error.to_string())?;
    Commands::run(line.command, stage.context.clone()).await.map_err(|error| error.to_string())
}

/// The output of `trust-svc sign`, run without a database and without settings.
fn sign(folder: &Path, words: &[&str]) -> Result<Value, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trust-svc"));
    let done = command.arg("sign").args(words).env_clear().current_dir(folder).output().expect("the binary runs");
    if done.status.success() {
        Ok(serde_json::from_slice(&done.stdout).expect("the body is JSON"))
    } else {
        Err(String::from_utf8_lossy(&done.stderr).into_owned())
    }
}

#[shared_testing::test]
async fn the_service_accepts_a_body_that_the_command_signed() {
    let stage = Stage::of(trust_svc::service()).await;
    let folder = stage.folder();
    let key = SigningKey::from_bytes(&[9; 32]);
    let secret = key.to_pkcs8_pem(Default::default()).expect("PEM");
    let public = key.verifying_key().to_public_key_pem(Default::default()).expect("PEM");
    fs::write(folder.join("key.pem"), secret.as_bytes()).expect("written");
    fs::write(folder.join("public.pem"), public).expect("written");
    fs::write(folder.join("event.json"), listed(1, stage.now()).to_string()).expect("written");
    let at = format!("@{}", folder.join("public.pem").display());
    operator(&stage, &["add", "--key-id", "desk", "--public-key", &at]).await.expect("registered");

    let words = ["event.json", "--key", "key.pem", "--key-id", "desk", "--base-url", stage.base_url()];
    let body = sign(folder, &words).expect("signed");
    stage.anyone().post(PUBLISH).json(body).await.status(200);
}

#[shared_testing::test]
async fn signing_reports_every_problem_of_an_event() {
    let stage = Stage::of(trust_svc::service()).await;
    let folder = stage.folder();
    let secret = SigningKey::from_bytes(&[9; 32]).to_pkcs8_pem(Default::default()).expect("PEM");
    fs::write(folder.join("key.pem"), secret.as_bytes()).expect("written");
    fs::write(folder.join("event.json"), r#"{"kind":"market.closed","odds":9007199254740993}"#).expect("written");
    let response = sign(folder, &["event.json", "--key", "key.pem", "--key-id", "desk"]).expect_err("no event");
    for place in ["/event/kind", "/event/odds"] {
        assert!(response.contains(place), "{response}");
    }
}

#[shared_testing::test]
async fn a_signer_is_added_once_retired_and_revoked() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::unregistered(&stage, "press-1");
    let public = shared_runtime::PublicKey::try_from(signer.key.verifying_key()).expect("strong").to_string();
    let add = [
        "add",
        "--key-id",
        "press-1",
        "--public-key",
        &public,
        "--kind",
        "market.listed",
        "--kind",
        "market.updated",
        "--market-prefix",
        "mkt_0",
        "--origin",
        "https://desk.example",
    ];
    operator(&stage, &add).await.expect("registered");
    assert!(operator(&stage, &add).await.expect_err("taken").contains("taken"));
    let again = ["add", "--key-id", "press-2", "--public-key", &public];
    assert!(operator(&stage, &again).await.expect_err("taken").contains("taken"));

    let first = listed(1, stage.now());
    signer.publish(&first).header("origin", "https://desk.example").await.status(200);
    let second = next(&first, "market.updated", stage.now());
    operator(&stage, &["retire", "press-1"]).await.expect("retired");
    signer.publish(&second).await.refused(403, "signer_not_active");
    operator(&stage, &["retire", "press-1", "--at", "2100-01-01T00:00:00Z"]).await.expect("retires later");
    signer.publish(&second).await.status(200);
    operator(&stage, &["revoke", "press-1"]).await.expect("revoked");
    operator(&stage, &["revoke", "press-1"]).await.expect("still revoked");
    assert!(operator(&stage, &["retire", "press-1"]).await.expect_err("it has ended").contains("is revoked"));
    operator(&stage, &["list"]).await.expect("listed");
    assert!(operator(&stage, &["revoke", "nobody"]).await.is_err());
    assert!(operator(&stage, &["retire", "nobody"]).await.is_err());
}

#[shared_testing::test]
async fn a_signer_does_not_retire_before_it_becomes_active() {
    let stage = Stage::of(trust_svc::service()).await;
    let signer = TestSigner::unregistered(&stage, "press-1");
    let public = shared_runtime::PublicKey::try_from(signer.key.verifying_key()).expect("strong").to_string();
    let start = "2100-01-01T00:00:00Z";
    let add = ["add", "--key-id", "press-1", "--public-key", &public, "--active-from", start];
    operator(&stage, &add).await.expect("registered");
    for early in [&["retire", "press-1"][..], &["retire", "press-1", "--at", "2099-12-31T23:59:59Z"]] {
        let said = operator(&stage, early).await.expect_err("too early");
        assert!(said.contains("is active from 2100-01-01T00:00:00"), "{said}");
    }
    operator(&stage, &["retire", "press-1", "--at", start]).await.expect("it is never active");
}

#[shared_testing::test]
async fn a_weak_key_and_a_wrong_origin_are_not_registered() {
    let stage = Stage::of(trust_svc::service()).await;
    let weak = "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    let response = operator(&stage, &["add", "--key-id", "weak", "--public-key", weak]).await;
    assert!(response.expect_err("weak").contains("weak"));
    let key = "/".repeat(42) + "8=";
    for wrong in [
        vec!["add", "--key-id", "a b", "--public-key", &key],
        vec!["add", "--key-id", "a", "--public-key", &key, "--origin", "null"],
        vec!["add", "--key-id", "a", "--public-key", &key, "--kind", "market.closed"],
        vec!["add", "--key-id", "a", "--public-key", &key, "--market-prefix", "x"],
    ] {
        assert!(operator(&stage, &wrong).await.is_err(), "{wrong:?}");
    }
}
