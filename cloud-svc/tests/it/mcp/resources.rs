//! Files by their URIs.

use cloud_svc::service;
use rmcp::model::{ReadResourceRequestParams, ResourceContents};
use serde_json::json;
use shared_testing::Stage;

use super::{client, message};
use crate::samples;

#[shared_testing::test]
async fn files_are_listed_and_read_by_uri() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let client = client(&stage, &ada, ()).await;
    let text = "<b>word</b> ".repeat(800);
    let id = samples::id(&samples::document_of(&ada, &[text.as_str(); 6]).await);
    samples::folder(&ada, "Folder", None).await;
    let templates = client.list_all_resource_templates().await.expect("templates");
    assert_eq!(templates[0].uri_template, "service-cloud://{workspace_id}/{file_id}{?view,cursor}");
    let listed = client.list_all_resources().await.expect("resources");
    let workspace = ada.get("/v1/workspaces").await.status(200)["workspaces"][0]["id"].clone();
    let uri = format!("service-cloud://{}/{id}", workspace.as_str().expect("an id"));
    assert_eq!((listed.len(), listed[0].uri.as_str(), listed[0].name.as_str()), (1, uri.as_str(), "Plan"));
    let (mut next, mut whole, mut pages) = (Some(uri.clone()), String::new(), 0);
    while let Some(uri) = next {
        let read = client.read_resource(ReadResourceRequestParams::new(uri)).await.expect("a resource");
        let [ResourceContents::TextResourceContents { text, mime_type, meta, .. }] = read.contents.as_slice() else {
            panic!("{read:?}");
        };
        assert_eq!(mime_type.as_deref(), Some("text/markdown"));
        let meta = meta.clone().expect("marks").0;
        assert_eq!(meta["service/content_is_untrusted"], true);
        whole.push_str(text);
        pages += 1;
        next = meta.get("service/next_uri").and_then(|uri| Some(uri.as_str()?.to_owned()));
    }
    let markdown = ada.get(format!("/v1/documents/{id}?view=markdown")).await.status(200);
    assert_eq!((pages, json!(whole)), (2, markdown["markdown"].clone()));
}

#[shared_testing::test]
async fn files_of_other_workspaces_do_not_exist() {
    let stage = Stage::of(service()).await;
    let (ada, other) = (stage.caller("ada"), stage.caller("bob").workspace(2));
    let id = samples::id(&samples::create(&ada, "Plan").await);
    for uri in [
        format!("service-cloud://ws_1/{id}"),
        format!("service-cloud://ws_2/{id}"),
        "service-cloud://ws_2/file_0".to_owned(),
        format!("https://ws_2/{id}"),
        format!("service-cloud://ws_2/{id}?x=1"),
        format!("service-cloud://ws_1:80/{id}"),
        format!("service-cloud://ada@ws_1/{id}"),
        "file:///etc/passwd".to_owned(),
    ] {
        let answer = message(&other, "resources/read", json!({"uri": uri})).await;
        assert_eq!(answer["error"]["data"]["error"]["code"], "not_found", "{uri}: {answer}");
    }
}
