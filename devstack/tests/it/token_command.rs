//! `cargo run -- token`.

use crate::{get, stack::Scene};

#[test]
fn the_printed_token_is_as_good_as_its_claims() {
    let scene = Scene::new();
    let stack = scene.start(&[]);
    let workspaces = format!("{}/v1/workspaces", stack.text("/surfaces/cloud/base_url"));
    let asked = |arguments: &[&str]| {
        let arguments = [&["--surface", "cloud"], arguments].concat();
        get(&workspaces, &scene.token(&arguments))
    };
    assert_eq!(asked(&[]).json()["workspaces"][0]["id"], stack.text("/samples/cloud/workspace_id"));
    assert_eq!(asked(&["--sub", "bob"]).json()["actor"]["id"], "bob");
    let other = asked(&["--sub", "dora", "--claim", "workspace_id=\"ws_77\""]).json();
    assert_eq!(other["workspaces"][0]["id"], "ws_77");
    assert_eq!(other["actor"]["id"], "dora");

    let refused = |arguments: &[&str]| asked(arguments).json()["error"]["code"].clone();
    assert_eq!(refused(&["--scope", "cloud.webhooks"]), "insufficient_scope");
    for arguments in [
        &["--ttl", "-3600"][..],
        &["--claim", "aud=null"],
        &["--claim", "aud=\"https://elsewhere.test\""],
        &["--claim", "jti=null"],
    ] {
        assert_eq!(refused(arguments), "invalid_token", "{arguments:?}");
    }
}

#[test]
fn a_claim_that_is_not_json_is_told_with_the_spelling_that_is() {
    let scene = Scene::new();
    let output = scene.token_command(&["--surface", "cloud", "--claim", "workspace_id=ws_2"]);
    assert!(!output.status.success());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains(r#"'workspace_id="ws_2"'"#), "{stderr}");
}

#[test]
fn a_token_that_nobody_reads_ends_as_with_other_programs() {
    let scene = Scene::new();
    scene.start(&["--no-samples"]).stop();
    let (nobody, stdout) = std::io::pipe().expect("a pipe");
    drop(nobody);
    let output = scene.prepared_token_command(&["--surface", "cloud"]).stdout(stdout).output().expect("it runs");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(141), ""));
}

#[test]
fn without_a_stack_the_command_says_what_to_do() {
    let scene = Scene::new();
    std::fs::create_dir(scene.data()).expect("a folder");
    let output = scene.token_command(&["--surface", "locker"]);
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("start the stack first"), "{stderr}");
}

#[test]
fn a_scope_that_the_surface_does_not_have_is_refused_with_those_it_has() {
    let scene = Scene::new();
    let refused = |arguments: &[&str]| {
        let output = scene.token_command(arguments);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{arguments:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let said = refused(&["--surface", "cloud", "--scope", "cloud.read cloud.raed"]);
    assert!(said.starts_with("error: cloud has no scope cloud.raed; it has: cloud.read cloud.propose "), "{said}");
    refused(&["--surface", "orders", "--scope", "cloud.read"]);
    let said = refused(&["--surface", "trust", "--scope", "trust.publish"]);
    assert!(said.contains("it takes no access tokens"), "{said}");
}

#[test]
fn an_id_that_the_surface_will_not_take_is_told_and_the_token_printed_all_the_same() {
    let scene = Scene::new();
    let stack = scene.start(&["--no-samples"]);
    let output = scene.token_command(&["--surface", "cloud", "--claim", "workspace_id=\"two\""]);
    assert!(output.status.success());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains(r#"workspace_id is "two", and must be like "ws_2""#), "{stderr}");
    let token = String::from_utf8(output.stdout).expect("a token is ASCII");
    let workspaces = format!("{}/v1/workspaces", stack.text("/surfaces/cloud/base_url"));
    assert_eq!(get(&workspaces, token.trim_end()).status, 401);
    let good = scene.token_command(&["--surface", "cloud", "--claim", "workspace_id=\"ws_2\""]);
    assert_eq!(String::from_utf8_lossy(&good.stderr), "");
}

#[test]
fn a_wrong_rust_log_is_refused() {
    let output =
        Scene::new().prepared_token_command(&["--surface", "cloud"]).env("RUST_LOG", "cloud-svc=debug").output();
    let output = output.expect("it runs");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: RUST_LOG must be"), "{output:?}");
}
