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
fn without_a_stack_the_command_says_what_to_do() {
    let scene = Scene::new();
    std::fs::create_dir(scene.data()).expect("a folder");
    let output = scene.token_command(&["--surface", "locker"]);
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("start the stack first"), "{stderr}");
}
