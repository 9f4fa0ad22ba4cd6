//! What the services say that they, and the issuer, are called: names at which somebody listens, and that fit together.

use serde_json::Value;

use crate::{
    paste,
    stack::{Scene, Stack},
};

fn over_tls(stack: &Stack, url: &str, more: &str) -> crate::Response {
    paste(&format!("curl --cacert '{}' {more} {url}", stack.file("/certificate_authority_file").display()))
}

/// The challenge of a request without a token.
fn challenge(stack: &Stack, url: &str, method: &str) -> String {
    let response = over_tls(stack, url, &format!("-X {method}"));
    assert_eq!(response.status, 401, "{}", response.body);
    response.json()["error"]["next_action"]["resource_metadata"].as_str().expect("a URL").to_owned()
}

#[test]
fn each_listener_s_metadata_names_the_resource_that_was_asked_and_a_token_for_that_is_taken() {
    let scene = Scene::new();
    let stack = scene.start(&["--no-samples"]);
    for (surface, path) in [
        ("cloud", "/v1/workspaces"),
        ("locker", "/api/v1/billing/subscriptions"),
        ("orders", "/wp-json/service-net/v1/orders"),
    ] {
        for listener in ["base_url", "tls_base_url"] {
            let base_url = stack.text(&format!("/surfaces/{surface}/{listener}"));
            for (asked, method, resource) in [(path, "GET", ""), ("/mcp", "POST", "/mcp")] {
                // As a strict client goes about it (RFC 9728 §3.3, §5).
                let metadata_url = challenge(&stack, &format!("{base_url}{asked}"), method);
                assert!(metadata_url.starts_with(base_url), "{metadata_url} is not of {base_url}");
                let metadata = over_tls(&stack, &metadata_url, "").json();
                assert_eq!(metadata["resource"], format!("{base_url}{resource}"));
                assert_eq!(metadata["authorization_servers"][0], stack.text("/issuer/url"));
                let audience = format!("aud={}", metadata["resource"]);
                let token = scene.token(&["--surface", surface, "--claim", &audience]);
                let header = format!("-H 'Authorization: Bearer {token}'");
                assert_eq!(over_tls(&stack, &format!("{base_url}{path}"), &header).status, 200, "{base_url}");
            }
        }
    }
}

#[test]
fn whatever_the_service_information_names_answers() {
    let scene = Scene::new();
    let stack = scene.start(&["--no-samples"]);
    let information: Value = paste(&format!("curl {}/v1/service", stack.text("/surfaces/cloud/base_url"))).json();
    let tls = stack.text("/surfaces/cloud/tls_base_url");
    assert_eq!((&information["api"], &information["authentication"]["identity_authority"]), (&tls.into(), &tls.into()));
    for link in ["openapi", "developer_manifest"] {
        assert_eq!(over_tls(&stack, information[link].as_str().expect("a URL"), "").status, 200, "{link}");
    }
}
