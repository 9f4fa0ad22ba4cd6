//! What the stack keeps in its folder.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path};

use crate::{get, paste, stack::Scene};

#[test]
fn stack_json_has_every_promised_key() {
    let scene = Scene::new();
    let stack = scene.start(&[]);
    let jwks = paste(&format!("curl {}", stack.text("/issuer/jwks_url"))).json();
    assert_eq!(jwks["keys"][0]["kid"], stack.text("/issuer/kid"));
    let metadata = paste(&format!("curl {}/.well-known/oauth-authorization-server", stack.text("/issuer/url"))).json();
    assert_eq!(metadata["issuer"], stack.text("/issuer/url"));
    assert_eq!(metadata["jwks_uri"], stack.text("/issuer/jwks_url"));
    for surface in ["locker", "cloud", "orders", "trust"] {
        for key in ["base_url", "tls_base_url", "ops_url", "database_url"] {
            stack.text(&format!("/surfaces/{surface}/{key}"));
        }
        let ready = paste(&format!("curl {}/readyz", stack.text(&format!("/surfaces/{surface}/ops_url"))));
        assert_eq!(ready.status, 200, "{surface}: {}", ready.body);
    }
    for token in [
        "locker/owner",
        "locker/other",
        "cloud/ada",
        "cloud/bob",
        "cloud/other_workspace",
        "orders/owner",
        "orders/other",
    ] {
        assert_eq!(stack.text(&format!("/tokens/{token}")).split('.').count(), 3, "{token}");
    }
    for sample in [
        "locker/room_id",
        "locker/room_without_model_id",
        "locker/export_id",
        "locker/other_export_id",
        "cloud/workspace_id",
        "cloud/folder_id",
        "cloud/document_id",
        "cloud/spreadsheet_id",
        "cloud/note_id",
        "cloud/publication_id",
        "cloud/presentation_id",
        "cloud/comment_id",
        "cloud/upload_id",
        "cloud/webhook_id",
        "cloud/other_document_id",
        "orders/order_id",
        "orders/other_order_id",
        "orders/draft_order_id",
        "trust/market_id",
    ] {
        stack.text(&format!("/samples/{sample}"));
    }
    assert!(!stack.text("/signer/key_id").is_empty());
    assert!(stack.text("/webhook_receiver_url").starts_with(stack.text("/issuer/url")));
    for key in ["/issuer/signing_key_file", "/signer/signing_key_file"] {
        let pem = fs::read_to_string(stack.file(key)).expect("the key is there");
        assert!(pem.starts_with("-----BEGIN PRIVATE KEY-----\n"), "{key}");
    }
}

#[test]
fn the_samples_are_there_for_those_who_may_see_them_and_for_nobody_else() {
    let scene = Scene::new();
    let stack = scene.start(&[]);
    let url = |surface: &str, path: &str| format!("{}{path}", stack.text(&format!("/surfaces/{surface}/base_url")));
    let (owner, other) = (stack.text("/tokens/locker/owner"), stack.text("/tokens/locker/other"));
    let listed = |token: &str| {
        let list = get(&url("locker", "/api/v1/billing/subscriptions?limit=100"), token).json();
        list["data"].as_array().map_or(0, Vec::len)
    };
    assert_eq!(listed(owner), 25);
    assert!((1..25).contains(&listed(other)));

    let parts = |sample: &str| {
        let id = stack.text(&format!("/samples/locker/{sample}"));
        [owner, other].map(|token| get(&url("locker", &format!("/api/v1/exports/{id}/parts?cursor=16")), token))
    };
    let [own, foreign] = parts("export_id");
    assert_eq!((own.status, foreign.status), (200, 404));
    let data = &own.json()["data"];
    assert_eq!((&data["part_count"], data["parts"].as_array().map_or(0, Vec::len)), (&20.into(), 4));
    let link = data["parts"][0]["download"]["url"].as_str().expect("a link").to_owned();
    let part = paste(&format!("curl '{link}'"));
    assert_eq!((part.status, part.body.len()), (200, 1024));
    assert_eq!(parts("other_export_id").map(|response| response.status), [404, 400]);

    let (ada, bob) = (stack.text("/tokens/cloud/ada"), stack.text("/tokens/cloud/bob"));
    let stranger = stack.text("/tokens/cloud/other_workspace");
    let document = url("cloud", &format!("/v1/documents/{}", stack.text("/samples/cloud/document_id")));
    let elsewhere = url("cloud", &format!("/v1/documents/{}", stack.text("/samples/cloud/other_document_id")));
    let statuses = |url: &str| [ada, bob, stranger].map(|token| get(url, token).status);
    assert_eq!(statuses(&document), [200, 200, 404]);
    assert_eq!(statuses(&elsewhere), [404, 404, 200]);
    let folder = stack.text("/samples/cloud/folder_id");
    for kind in ["spreadsheet", "note", "publication", "presentation"] {
        let id = stack.text(&format!("/samples/cloud/{kind}_id"));
        let read = get(&url("cloud", &format!("/v1/{kind}s/{id}")), bob).json();
        assert_eq!((&read["file"]["type"], &read["file"]["parent_id"]), (&kind.into(), &folder.into()), "{read}");
    }
    let comments = url("cloud", &format!("/v1/files/{}/comments", stack.text("/samples/cloud/document_id")));
    let comments = get(&comments, ada).json();
    assert_eq!(comments["items"][0]["id"], stack.text("/samples/cloud/comment_id"));
    assert_eq!(comments["orphaned"], serde_json::json!([]), "it is about a block that there is");
    // Browsers trust this address, and the session of `/w` counts there.
    let page = url("cloud", &format!("/f/{}", stack.text("/samples/cloud/document_id")));
    assert_eq!(get(&document, ada).json()["file"]["human_url"], page);

    let buyers = [stack.text("/tokens/orders/owner"), stack.text("/tokens/orders/other")];
    let statuses = |sample: &str| {
        let id = stack.text(&format!("/samples/orders/{sample}"));
        buyers.map(|token| get(&url("orders", &format!("/wp-json/service-net/v1/orders/{id}")), token).status)
    };
    assert_eq!(statuses("order_id"), [200, 404]);
    assert_eq!(statuses("other_order_id"), [404, 200]);
    assert_eq!(statuses("draft_order_id"), [404, 404]);
}

#[test]
fn nobody_else_on_the_machine_can_read_a_key_or_a_token() {
    let scene = Scene::new();
    let stack = scene.start(&[]);
    let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    assert_eq!(mode(&scene.data()), 0o700);
    let secret = [
        "stack.json",
        "issuer.pem",
        "signer.pem",
        "attestor.pem",
        "tls/key.pem",
        "secrets/cloud",
        "secrets/webhook",
        "auth/cloud",
        "publish.json",
    ];
    for file in secret {
        assert_eq!(mode(&scene.data().join(file)), 0o600, "{file}");
    }
    drop(stack);
}

#[test]
fn the_local_certificate_is_good_for_this_machine() {
    let scene = Scene::new();
    let stack = scene.start(&[]);
    let authority = stack.file("/certificate_authority_file").display();
    for surface in ["locker", "cloud", "orders", "trust"] {
        let tls = stack.text(&format!("/surfaces/{surface}/tls_base_url"));
        for base_url in [tls.to_owned(), tls.replace("127.0.0.1", "localhost")] {
            let response = paste(&format!("curl --cacert '{authority}' {base_url}/openapi.json"));
            assert_eq!(response.status, 200, "{base_url}: {}", response.body);
        }
    }
}
