//! Pages with contents of each type.

use cloud_svc::service;
use serde_json::{Value, json};
use shared_testing::{Caller, Stage, html};

use crate::{samples, uploads};

async fn create(caller: &Caller, collection: &str, content: Value) -> String {
    let body = json!({"name": "A file", "content": content});
    samples::id(&caller.post(format!("/v1/{collection}")).fresh_key().json(body).await.status(200))
}

async fn page(stage: &Stage, caller: &Caller, path: &str) -> String {
    let page = stage.browser(caller).get(path).await.status(200).body();
    html::assert_harmless(&page);
    page
}

#[shared_testing::test]
async fn a_document_is_typed_blocks() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let text = |id: &str, kind: &str, text: &str| json!({"id": id, "type": kind, "segments": [{"text": text}]});
    let blocks = json!([
        text("early", "heading2", "Before"),
        text("top", "heading1", "Title"),
        text("sub", "heading2", "Part"),
        {"id": "p", "type": "paragraph", "segments": [
            {"text": "bold", "bold": true}, {"text": " here", "link": "https://good.example/x"}
        ]},
        text("b1", "bullet", "point"),
        text("n1", "number", "first"),
        text("n2", "number", "second"),
        text("q", "quote", "quoted"),
        {"id": "d", "type": "divider", "segments": []},
        {"id": "t", "type": "table", "segments": [], "rows": [[[{"text": "cell"}]]]},
    ]);
    let content = json!({"kind": "docs", "blocks": blocks, "annotations": [{"block": 7, "text": "Whose words?"}]});
    let id = create(&ada, "documents", content).await;
    let page = page(&stage, &ada, &format!("/f/{id}")).await;
    for part in [
        "<h3 id=\"b-early\" dir=\"auto\">Before</h3>",
        "<h3 id=\"b-top\" dir=\"auto\">Title</h3>",
        "<h4 id=\"b-sub\" dir=\"auto\">Part</h4>",
        "<strong>bold</strong>",
        "<a href=\"https://good.example/x\" rel=\"noopener noreferrer nofollow ugc\"> here</a> <span class=\"target\">(<bdi>good.example</bdi>)",
        "<ul><li id=\"b-b1\"",
        "<ol><li id=\"b-n1\"",
        "second</li></ol>",
        "<blockquote id=\"b-q\" dir=\"auto\"><p>quoted</p></blockquote>",
        "Whose words?",
        "<hr id=\"b-d\">",
        "<td dir=\"auto\">cell</td>",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert_eq!(page.matches("<h1").count(), 1, "{page}");
}

#[shared_testing::test]
async fn a_spreadsheet_is_a_grid_of_one_sheet() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let sheets = json!([
        {"name": "Budget", "cells": [["Rent", "900"], ["Sum", "=SUM(B1:B1)"]]},
        {"name": "Other", "cells": [["elsewhere"]]},
    ]);
    let id = create(&ada, "spreadsheets", json!({"kind": "sheets", "sheets": sheets})).await;
    let body = json!({"text": "Is it that much?", "anchor": {"range": "Budget!B1"}});
    ada.post(format!("/v1/files/{id}/comments")).fresh_key().json(body).await.status(200);
    let first = page(&stage, &ada, &format!("/f/{id}")).await;
    for part in [
        "<th scope=\"col\">B</th>",
        "<th scope=\"row\">2</th>",
        "<td class=\"right\" dir=\"auto\">900</td>",
        "900 <code class=\"source\">=SUM(B1:B1)</code>",
        "role=\"region\" aria-label=\"Sheet 1\" tabindex=\"0\"",
        "Budget!B1",
        "Is it that much?",
    ] {
        assert!(first.contains(part), "{part} in {first}");
    }
    assert!(!first.contains("elsewhere"), "{first}");
    let link = format!("/f/{id}?sheet=2");
    assert!(html::links(&first).contains(&link), "{first}");
    assert!(page(&stage, &ada, &link).await.contains("elsewhere"));
    stage.browser(&ada).get(format!("/f/{id}?sheet=x")).await.status(400);
}

#[shared_testing::test]
async fn a_note_is_markdown() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let content = json!({"title": "Shopping", "content": "# List\n\n- **good** bread\n\n1 < 2", "tags": ["home"]});
    let id = create(&ada, "notes", content).await;
    let page = page(&stage, &ada, &format!("/f/{id}")).await;
    for part in ["Shopping</h3>", "List</h4>", "<strong>good</strong> bread", "1 &lt; 2", "<bdi>home</bdi>"] {
        assert!(page.contains(part), "{part} in {page}");
    }
}

#[shared_testing::test]
async fn pages_and_slides_are_pictures_with_their_text() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let element = json!({
        "id": "e1", "type": "text", "x": 10, "y": 12.5, "w": 80, "h": 20, "rotation": 45, "text": "Summer fair",
        "fill": "#ffffff", "color": "#1a2b3c", "fontSize": 48, "align": "center", "weight": 700
    });
    let pages = json!([{"id": "p1", "name": "Front", "size": "a4", "orientation": "landscape", "background": "#f4f1ea", "elements": [element]}]);
    let id = create(&ada, "publications", json!({"pages": pages})).await;
    let body = json!({"text": "Too large?", "anchor": {"block_id": "e1"}});
    ada.post(format!("/v1/files/{id}/comments")).fresh_key().json(body).await.status(200);
    let publication = page(&stage, &ada, &format!("/f/{id}")).await;
    for part in [
        "viewBox=\"0 0 842 595\"",
        "role=\"img\" aria-label=\"Page 1\"",
        "transform=\"rotate(45 421 ",
        "fill=\"#f4f1ea\"",
        "Summer fair",
        "<summary>Text of page 1</summary>",
        "Too large?",
    ] {
        assert!(publication.contains(part), "{part} in {publication}");
    }
    let slides =
        json!([{"name": "Opening", "background": "#ffffff", "elements": [element], "notes": "Welcome everybody."}]);
    let id = create(&ada, "presentations", json!({"aspect": "4:3", "slides": slides})).await;
    let presentation = page(&stage, &ada, &format!("/f/{id}")).await;
    for part in ["viewBox=\"0 0 720 540\"", "Opening", "Welcome everybody."] {
        assert!(presentation.contains(part), "{part} in {presentation}");
    }
}

#[shared_testing::test]
async fn an_uploaded_file_is_described_and_its_text_stays_text() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let bytes = b"<script>alert(1)</script>";
    let sha256 = {
        use sha2::Digest as _;
        hex::encode(sha2::Sha256::digest(bytes))
    };
    let body = json!({"name": "page.html", "size": bytes.len(), "mime": "text/html", "sha256": sha256});
    let begun = ada.post("/v1/uploads").fresh_key().json(body).await.status(200);
    let upload = begun["upload"]["id"].as_str().expect("an upload").to_owned();
    let chunk =
        ada.request("PUT", format!("/v1/uploads/{upload}/chunks/0")).body("application/octet-stream", bytes.to_vec());
    chunk.await.status(200);
    let done = ada.post(format!("/v1/uploads/{upload}/complete")).fresh_key().json(json!({})).await.status(200);
    let path = format!("/f/{}", samples::id(&done));
    let browser = stage.browser(&ada);
    let shown = browser.get(&path).await.status(200);
    html::assert_harmless(&shown.body());
    assert!(shown.body().contains(&sha256) && shown.body().contains("25 bytes"), "{shown}");
    // As text, and only so.
    assert!(shown.body().contains("&lt;script&gt;alert(1)"), "{shown}");
    let version = html::hidden(&shown.body(), &path, "version");
    let link = browser.submit(&shown, &path, &[("version", &version)]).await.status(303);
    let bytes_sent = stage.anyone().get(link.header("location")).await.status(200);
    assert_eq!(bytes_sent.bytes(), bytes);
    assert!(bytes_sent.header("content-disposition").starts_with("attachment"), "{bytes_sent}");
    browser.submit(&shown, &path, &[("version", "ver_999")]).await.status(404);
    browser.post(&path, &[("version", &version)]).await.status(403);
}

#[shared_testing::test]
async fn an_upload_that_is_csv_is_a_table_in_pages_and_what_is_no_text_is_not_shown() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let rows: String = (0..3_000).map(|row| format!("{row},\"a, <b>\",{}\n", "x".repeat(20))).collect();
    let table = uploads::named(&ada, "Prices.CSV", rows.as_bytes()).await;
    let first = browser.get(format!("/f/{table}")).await.status(200).body();
    html::assert_harmless(&first);
    assert!(first.contains("a, &lt;b&gt;") && first.contains("3000 rows") && first.contains("Page 1 of"), "{first}");
    let last = browser.get(format!("/f/{table}?page=999")).await.status(200).body();
    assert!(last.contains("<th scope=\"row\">3000</th>") && !last.contains("<th scope=\"row\">1</th>"), "{last}");
    let named = uploads::named(&ada, "Notes.txt", "one\ntwo \u{202e}".as_bytes()).await;
    assert!(browser.get(format!("/f/{named}")).await.status(200).body().contains("one\ntwo"), "plain text");
    for (name, bytes) in [("Broken.csv", &b"a,\xff\n"[..]), ("Zero.txt", b"a\0b"), ("Large.txt", &[b'a'; 1_048_577])] {
        let file = uploads::named(&ada, name, bytes).await;
        let page = browser.get(format!("/f/{file}")).await.status(200).body();
        assert!(!page.contains("<pre") && !page.contains("class=\"grid\""), "{name}");
    }
    let stranger = stage.browser(&stage.caller("eve").workspace(2));
    stranger.get(format!("/f/{table}")).await.status(404);
}
