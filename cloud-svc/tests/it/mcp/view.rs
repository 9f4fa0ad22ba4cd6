//! The view of plans and proposals in a chat client.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Stage, Text as _};

use super::message;
use crate::samples;

async fn read(caller: &Caller, uri: &str) -> Value {
    let answer = message(caller, "resources/read", json!({"uri": uri})).await.status(200);
    answer["result"]["contents"][0].clone()
}

async fn refused(caller: &Caller, uri: &str) {
    let answer = message(caller, "resources/read", json!({"uri": uri})).await;
    assert_eq!(answer["error"]["data"]["error"]["code"], "not_found", "{uri}: {answer}");
}

#[shared_testing::test]
async fn tools_name_a_view_that_loads_nothing() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let listed = message(&ada, "tools/list", json!({})).await.status(200);
    let tools = listed["result"]["tools"].as_array().expect("tools").clone();
    let of = |name: &str| tools.iter().find(|tool| tool["name"] == name).expect("a tool")["_meta"]["ui"].clone();
    for tool in ["edit_document", "edit_spreadsheet", "edit_note", "get_plan", "get_proposal"] {
        assert_eq!(of(tool), json!({"resourceUri": "ui://cloud/review.html"}), "{tool}");
    }
    let view = read(&ada, "ui://cloud/review.html").await;
    assert_eq!(view["mimeType"], "text/html;profile=mcp-app");
    assert_eq!(view["_meta"]["ui"]["csp"], json!({"connectDomains": [], "resourceDomains": []}));
    let html = view["text"].text();
    for loads in ["src=", "href=", "url(", "@import", "fetch("] {
        assert!(!html.contains(loads), "{loads}");
    }
    assert!(html.len() < 40_000, "{} bytes", html.len());
    refused(&ada, "ui://cloud/other.html").await;
}

#[shared_testing::test]
async fn a_result_leads_to_what_the_view_shows() {
    let stage = Stage::of(service()).await;
    let (ada, eve) = (stage.caller("ada"), stage.caller("eve").workspace(2));
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let plan = samples::plan(&ada, &id, "<script>alert(1)</script>").await;
    let arguments = json!({"file_id": id, "plan_id": plan["id"]});
    let call = message(&ada, "tools/call", json!({"name": "get_plan", "arguments": arguments})).await.status(200);
    let uri = call["result"]["_meta"]["service/view_uri"].text().to_owned();
    assert_eq!(uri, format!("service-cloud://plans/{id}/{}", plan["id"].text()));
    let shown = read(&ada, &uri).await;
    assert_eq!(
        (&shown["mimeType"], &shown["_meta"]["service/content_is_untrusted"]),
        (&json!("text/html"), &json!(true))
    );
    let html = shown["text"].text();
    assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && !html.contains("<script>"), "{html}");
    assert!(html.contains(&format!("href=\"/f/{id}/plans/{}\"", plan["id"].text())), "{html}");
    assert!(!html.contains("<form") && !html.contains("<button"), "{html}");

    let whole = json!({"title": "<b>Both</b>", "plans": [{"file_id": id, "plan_id": plan["id"]}]});
    let proposal = ada.post("/v1/proposals").fresh_key().json(whole).await.status(200)["proposal"]["id"].clone();
    let together = read(&ada, &format!("service-cloud://proposals/{}", proposal.text())).await;
    assert!(together["text"].text().contains("Plan 1 of 1"), "{together}");
    assert!(together["text"].text().contains("&lt;b&gt;Both"), "{together}");

    for other in [
        format!("service-cloud://plans/{id}/plan_{}", "0".repeat(32)),
        format!("service-cloud://plans/{id}"),
        format!("{uri}?page=0"),
        format!("{uri}?page=1&page=2"),
        format!("{uri}?x=1"),
        format!("service-cloud://proposals/{}?page=2", proposal.text()),
    ] {
        refused(&ada, &other).await;
    }
    refused(&eve, &uri).await;
    refused(&eve, &format!("service-cloud://proposals/{}", proposal.text())).await;
}

#[shared_testing::test]
async fn the_pages_of_a_plan_are_pages_of_the_same_plan_within_its_proposal() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let id = samples::id(&samples::document_of(&ada, &["one"]).await);
    let paragraphs: Vec<_> = (0..150).map(|number| format!("Paragraph {number}. {}", "word ".repeat(80))).collect();
    let operations = json!([{"op": "insert_markdown", "markdown": paragraphs.join("\n\n")}]);
    let plan = samples::propose(&ada, &id, operations).await.await.status(200)["plan"]["id"].text().to_owned();
    let alone = format!("service-cloud://plans/{id}/{plan}");
    assert!(read(&ada, &alone).await["text"].text().contains("href=\"?page=2#changes\""));
    let whole = json!({"title": "T", "plans": [{"file_id": id, "plan_id": plan}]});
    let proposal = ada.post("/v1/proposals").fresh_key().json(whole).await.status(200)["proposal"]["id"].clone();
    let together = read(&ada, &format!("service-cloud://proposals/{}", proposal.text())).await;
    let second = format!("{alone}?page=2");
    assert!(together["text"].text().contains(&format!("href=\"{second}#changes\"")), "{together}");
    assert!(read(&ada, &second).await["text"].text().contains("Page 2 of "));
}
