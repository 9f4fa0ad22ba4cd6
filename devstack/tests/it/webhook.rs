//! The sample webhook, and the receiver that prints its events.

use serde_json::json;

use crate::{
    get, paste,
    stack::{Scene, Stack},
};

/// Pastes the line that creates a document, and waits until the stack has printed that.
fn receives_a_document(stack: &Stack, name: &str) {
    let curls = stack.curls();
    let create = curls.iter().find(|line| line.contains("hello-1")).expect("a line that creates");
    let created = paste(&create.replace("hello-1", name)).json();
    let id = created["file"]["id"].as_str().expect("an id");
    stack.prints(&["  webhook  file.created  ", id]);
}

#[test]
fn what_happens_in_the_sample_workspace_is_printed_after_a_restart_too() {
    let scene = Scene::new();
    let stack = scene.start(&[]);
    receives_a_document(&stack, "events-1");
    let id = stack.text("/samples/cloud/webhook_id").to_owned();
    stack.stop();

    for arguments in [&[][..], &["--no-samples"]] {
        let stack = scene.start(arguments);
        assert_eq!(stack.text("/samples/cloud/webhook_id"), id);
        let webhooks = format!("{}/v1/webhooks", stack.text("/surfaces/cloud/base_url"));
        let listed = get(&webhooks, stack.text("/tokens/cloud/ada")).json();
        let one = json!([{
            "id": id, "url": stack.text("/webhook_receiver_url"), "state": "active", "failures": 0, "last_error": "",
        }]);
        assert_eq!(listed["webhooks"], one);
        receives_a_document(&stack, &format!("events-{}", arguments.len() + 2));
        stack.stop();
    }
}

#[test]
fn a_lost_secret_is_replaced() {
    let scene = Scene::new();
    scene.start(&[]).stop();
    std::fs::remove_file(scene.data().join("secrets/webhook")).expect("it is there");
    receives_a_document(&scene.start(&[]), "events-1");
}

#[test]
fn what_nobody_has_signed_is_refused() {
    let scene = Scene::new();
    let stack = scene.start(&[]);
    let url = stack.text("/webhook_receiver_url");
    let send = |more: &str, body: &str| paste(&format!("curl {more} -d '{body}' {url}")).status;
    let event = r#"{"type": "file.purged", "data": {}}"#;
    assert_eq!(send("", event), 401);
    let signed = "-H 'webhook-id: evt_1' -H 'webhook-timestamp: 1' -H 'webhook-signature: v1,AAAA'";
    assert_eq!(send(signed, event), 401);
    assert_eq!(send(signed, "{"), 400);
}

#[test]
fn of_this_machine_only_the_stack_s_receivers_are_called() {
    let scene = Scene::new();
    let stack = scene.start(&["--no-samples"]);
    let environment = std::fs::read_to_string(scene.data().join("env")).expect("the variables");
    let reserved = environment.lines().find_map(|line| line.strip_prefix("RECEIVER_PORT=")).expect("a port").to_owned();
    let (cloud, token) = (stack.text("/surfaces/cloud/base_url"), stack.text("/tokens/cloud/ada"));
    let create = |url: &str| {
        let body = json!({"url": url, "events": ["*"]});
        paste(&format!(
            "curl -H 'Authorization: Bearer {token}' -H 'Content-Type: application/json' -H 'Idempotency-Key: {}' \
             -d '{body}' {cloud}/v1/webhooks",
            url.replace([':', '/'], "-")
        ))
    };
    for url in
        [format!("{}/", stack.text("/surfaces/cloud/ops_url")), format!("{cloud}/"), "http://127.0.0.1:1/".to_owned()]
    {
        let refused = create(&url);
        assert_eq!((refused.status, refused.json()["error"]["code"].as_str()), (422, Some("url_not_allowed")), "{url}");
    }
    for url in [format!("http://127.0.0.1:{reserved}/"), stack.text("/webhook_receiver_url").to_owned()] {
        assert_eq!(create(&url).status, 200, "{url}");
    }
}
