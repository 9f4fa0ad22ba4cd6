//! `GET /v1/service` and the developer manifest.

use cloud_svc::service;
use serde_json::Value;
use shared_runtime::identity::settings::IssuerSettings;
use shared_testing::{Stage, Text};

#[shared_testing::test]
async fn the_service_describes_itself() {
    let stage = Stage::of(service()).await;
    let response = stage.anyone().get("/v1/service").await.status(200);
    insta::assert_json_snapshot!(response.redacted(), @r#"
    {
      "api": "[base_url]",
      "authentication": {
        "delegated_oauth_ready": true,
        "identity_authority": "https://issuer.test",
        "mode": "bearer_grant",
        "provisioning": "first_use"
      },
      "developer_manifest": "[base_url]/.well-known/developer-manifest.json",
      "limits": {
        "change_cursor_seconds": 2592000,
        "download_grant_seconds": 120,
        "edit_operations": 50,
        "edit_plan_seconds": 900,
        "grant_max_seconds": 2592000,
        "idempotency_seconds": 86400,
        "list_cursor_seconds": 3600,
        "list_page": 100,
        "rate_limit_key": "grant",
        "reads_per_minute": 600,
        "request_bytes": 2097152,
        "response_bytes": 4194304,
        "review_plan_seconds": 604800,
        "sheet_range_cells": 1000,
        "upload_bytes": 1073741824,
        "upload_chunk_bytes": 1048576,
        "upload_session_seconds": 86400,
        "writes_per_minute": 120
      },
      "mcp": "[base_url]/mcp",
      "name": "Fourfold Cloud",
      "openapi": "[base_url]/openapi.json",
      "privacy": {
        "private_content_in_ad_telemetry": false,
        "private_responses_cacheable": false,
        "private_results_sponsored": false
      },
      "request_id": "[req]",
      "schema": "service/service/v1",
      "storage_quota_bytes": 5368709120,
      "unsupported": [],
      "version": "v1.8.3"
    }
    "#);
}

#[test]
fn its_schema_allows_no_other_member() {
    let document: Value = serde_json::from_str(&service().openapi()).expect("the document is JSON");
    let schema = |name: &str| &document["components"]["schemas"][name];
    let has = |name: &str, member: &str| schema(name)["properties"][member].is_object();
    assert_eq!(schema("ServiceInformation")["additionalProperties"], false);
    assert!(has("ServiceInformation", "request_id"));
    assert!(!has("ServiceInformation", "replayed"), "it takes no key");
    assert!(has("FileAnswer", "replayed"), "reads have this answer, but commands have it too");
}

#[shared_testing::test]
async fn the_manifest_leads_to_everything() {
    let stage = Stage::of(service()).await;
    let service = stage.anyone().get("/v1/service").await.status(200);
    let manifest = service["developer_manifest"].text();
    let path = manifest.strip_prefix(service["api"].text()).expect("a link to the service itself");
    let response = stage.anyone().get(path).await.status(200);
    let mut manifest = response.redacted();
    let error_codes = manifest["error_codes"].take();
    let event_types = manifest["event_types"].take();
    insta::assert_json_snapshot!(manifest, @r#"
    {
      "api": "[base_url]",
      "changelog": "[base_url]/changelog.md",
      "docs": "[base_url]/docs",
      "error_codes": null,
      "event_types": null,
      "limits_url": "[base_url]/v1/service",
      "llms": "[base_url]/llms.txt",
      "mcp": "[base_url]/mcp",
      "name": "Fourfold Cloud",
      "openapi": "[base_url]/openapi.json",
      "request_id": "[req]",
      "resource_metadata": "[base_url]/.well-known/oauth-protected-resource",
      "schema": "service/developer-manifest/v1",
      "scopes": [
        "cloud.approve",
        "cloud.propose",
        "cloud.read",
        "cloud.webhooks",
        "cloud.write"
      ],
      "service_information": "[base_url]/v1/service",
      "unsupported": [],
      "version": "v1.8.3"
    }
    "#);
    for link in ["changelog", "docs", "limits_url", "llms", "openapi", "resource_metadata", "service_information"] {
        let path = response[link].text().strip_prefix(service["api"].text()).expect("a link to the service itself");
        stage.anyone().get(path).await.status(200);
    }
    let openapi = stage.anyone().get("/openapi.json").await.status(200);
    assert_eq!(event_types, openapi["components"]["schemas"]["EventType"]["enum"]);
    let known: Vec<_> = error_codes.as_array().expect("codes").iter().map(Text::text).collect();
    assert!(known.is_sorted(), "{known:?}");
    let members = |value: &Value| value.as_object().expect("an object").values().cloned().collect::<Vec<_>>();
    // Repeated responses are references to components.
    let inlined = shared_runtime::http::openapi::inlined(&cloud_svc::service().openapi());
    let operations = members(&inlined["paths"]).into_iter().flat_map(|path| members(&path));
    let responses = operations.flat_map(|operation| members(&operation["responses"]));
    for response in responses.filter(|response| response["description"].text().starts_with('`')) {
        for code in response["description"].text().split(", ").map(|code| code.trim_matches('`')) {
            assert!(known.contains(&code), "{code}");
        }
    }
}

#[shared_testing::test]
async fn every_link_is_https_even_where_the_issuer_is_not() {
    let local = |issuer: &mut IssuerSettings| "http://127.0.0.1:8080".clone_into(&mut issuer.issuer);
    let stage = Stage::of(service())
        .settings(|settings| {
            "http://cloud.test".clone_into(&mut settings.base_url);
            settings.issuer.iter_mut().for_each(local);
        })
        .await;
    let response = stage.anyone().get("/v1/service").await.status(200);
    assert_eq!(response["api"], "https://cloud.test");
    assert_eq!(
        response["authentication"]["identity_authority"], "https://cloud.test",
        "its resource metadata tells more"
    );
    assert_eq!(response["authentication"]["delegated_oauth_ready"], false);
}
