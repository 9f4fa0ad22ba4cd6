//! Starting, stopping, starting again.

use std::process::{Output, Stdio};

use shared_model::Secret;
use shared_runtime::{Clock, Db, identity, state::db::DatabaseIdentity};
use shared_testing::servers;

use crate::{get, paste, stack::Scene};

#[test]
fn a_signal_stops_it_and_the_exit_code_is_0() {
    let scene = Scene::new();
    for signal in ["TERM", "INT"] {
        let stack = scene.start(&[]);
        let catalogue = format!("curl {}/api/v1/catalogue", stack.text("/surfaces/locker/base_url"));
        assert_eq!(paste(&catalogue).status, 200);
        stack.signal(signal);
        assert_eq!(stack.ended().code(), Some(0), "{signal}");
    }
}

#[test]
fn a_restart_keeps_samples_keys_addresses_and_the_validity_of_tokens() {
    let scene = Scene::new();
    let first = scene.start(&[]);
    let before = first.manifest.clone();
    first.stop();
    let second = scene.start(&[]);
    for pointer in
        ["/samples/locker", "/samples/cloud", "/samples/orders", "/samples/trust", "/surfaces", "/issuer", "/signer"]
    {
        assert_eq!(second.manifest.pointer(pointer), before.pointer(pointer), "{pointer}");
    }
    let document = format!(
        "{}/v1/documents/{}",
        second.text("/surfaces/cloud/base_url"),
        second.text("/samples/cloud/document_id")
    );
    assert_eq!(get(&document, before["tokens"]["cloud"]["ada"].as_str().expect("a token")).status, 200);
    let subscriptions = format!("{}/api/v1/billing/subscriptions?limit=100", second.text("/surfaces/locker/base_url"));
    let list = get(&subscriptions, before["tokens"]["locker"]["owner"].as_str().expect("a token")).json();
    assert_eq!(list["data"].as_array().map(Vec::len), Some(25));
}

#[test]
fn a_second_stack_on_the_same_folder_is_refused() {
    let scene = Scene::new();
    let first = scene.start(&[]);
    let Output { status, stdout, stderr } =
        scene.command(&[]).stderr(Stdio::piped()).output().expect("the stack's binary starts");
    assert_eq!(status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&stdout), "");
    let stderr = String::from_utf8_lossy(&stderr);
    assert!(stderr.starts_with("error: another stack runs on "), "{stderr}");
    assert!(stderr.contains("--data"), "{stderr}");
    let catalogue = format!("curl {}/api/v1/catalogue", first.text("/surfaces/locker/base_url"));
    assert_eq!(paste(&catalogue).status, 200, "the first one does not notice");
}

#[test]
fn a_stack_whose_sample_grant_was_revoked_still_starts() {
    let scene = Scene::new();
    let first = scene.start(&[]);
    let before = first.manifest.clone();
    let database_url = first.text("/surfaces/cloud/database_url").to_owned();
    first.stop();
    let secret = std::fs::read_to_string(scene.data().join("secrets/cloud")).expect("the secret is kept");
    revoke(&database_url, &secret, "grant_cloud_ada");
    let second = scene.start(&[]);
    assert_eq!(second.manifest["samples"], before["samples"]);
    let workspaces = format!("{}/v1/workspaces", second.text("/surfaces/cloud/base_url"));
    assert_eq!(get(&workspaces, second.text("/tokens/cloud/ada")).status, 401);
    assert_eq!(get(&workspaces, second.text("/tokens/cloud/bob")).status, 200);
}

#[test]
#[ignore = "needs PostgreSQL"]
fn a_server_with_the_databases_of_another_folder_is_refused() {
    servers::needed();
    let scene = Scene::new();
    scene.start(&[]).stop();
    let other = tempfile::tempdir().expect("a folder");
    let Output { status, stderr, .. } =
        scene.command_on(other.path(), &[]).stderr(Stdio::piped()).output().expect("the stack's binary starts");
    assert_eq!(status.code(), Some(1));
    let stderr = String::from_utf8_lossy(&stderr);
    assert!(stderr.contains(" was made by a stack with another data folder: name that folder with --data"), "{stderr}");
}

/// What `cloud-svc grant revoke` does.
fn revoke(database_url: &str, secret: &str, grant_id: &'static str) {
    actix_web::rt::System::new().block_on(async {
        let secret = Secret::from_text(secret).expect("a secret");
        let identity = DatabaseIdentity::new("cloud", &secret, cloud_svc::service().migrations);
        let db = Db::open(database_url, 1, identity).await.expect("the database is there");
        let revoked = db.write(move |conn| Ok(identity::revoke(conn, grant_id, Clock::System.now())?)).await;
        assert!(revoked.expect("the grant can be revoked"));
        db.close().await;
    });
}
