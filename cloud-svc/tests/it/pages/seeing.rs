//! What a page shows of pictures, sound, films, PDFs and long texts, and who wrote them.

use std::io::Cursor;

use cloud_svc::service;
use image::{DynamicImage, ImageFormat, RgbImage};
use serde_json::{Value, json};
use shared_testing::{Browser, Response, Stage, Text as _, html};

use crate::{samples, uploads};

// What a browser would show of it by itself has no script, no frame, no session.
const SANDBOX: &str = "default-src 'none'; sandbox; frame-ancestors 'none'";

fn drawn(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::from(RgbImage::new(width, height)).write_to(&mut bytes, format).expect("a picture");
    bytes.into_inner()
}

async fn page(browser: &Browser, path: &str) -> Response {
    let page = browser.get(path).await.status(200);
    html::assert_harmless(&page.body());
    page
}

#[shared_testing::test]
async fn a_picture_is_shown_re_encoded_to_those_who_may_read_it() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    for (format, media_type) in [
        (ImageFormat::Png, "image/png"),
        (ImageFormat::Jpeg, "image/jpeg"),
        (ImageFormat::Gif, "image/png"),
        (ImageFormat::WebP, "image/png"),
    ] {
        let mut bytes = drawn(2_000, 10, format);
        bytes.extend_from_slice(b"<script>alert(1)</script>");
        let file = uploads::named(&ada, "Hall \"of\" <fame>", &bytes).await;
        let shown = page(&browser, &format!("/f/{file}")).await.body();
        assert!(shown.contains("width=\"2000\" height=\"10\"") && shown.contains("2000 × 10 pixels"), "{shown}");
        let version = html::hidden(&shown, &format!("/f/{file}"), "version");
        let picture = format!("/f/{file}/picture?version={version}");
        assert!(shown.contains(&format!("src=\"{picture}\"")), "{shown}");
        let sent = browser.get(&picture).await.status(200);
        assert_eq!(sent.header("content-type"), media_type, "{format:?}");
        assert_eq!(sent.header("content-security-policy"), SANDBOX);
        assert_eq!(sent.header("x-content-type-options"), "nosniff");
        assert_eq!(sent.header("cache-control"), "private, no-store");
        let decoded = image::load_from_memory(sent.bytes()).expect("a picture");
        assert_eq!((decoded.width(), decoded.height()), (1_600, 8), "{format:?}");
        assert!(!sent.bytes().windows(8).any(|window| window == b"<script>"));
        stage.browser(&stage.caller("eve").workspace(2)).get(&picture).await.status(404);
        stage.anyone().get(&picture).await.status(303);
    }
}

#[shared_testing::test]
async fn a_picture_that_cannot_be_shown_is_said_to_be_so() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let whole = drawn(600, 600, ImageFormat::Png);
    // Its header claims more pixels than are decoded.
    let huge = drawn(30_000, 1_000, ImageFormat::Gif);
    for (bytes, words) in [
        (&whole[..12], Some("cannot be read")),
        (&huge[..], Some("too large to be shown")),
        // The page sees its size. That the rest is missing shows when it is decoded.
        (&whole[..whole.len() - 16], None),
    ] {
        let file = uploads::named(&ada, "Broken.png", bytes).await;
        let shown = page(&browser, &format!("/f/{file}")).await.body();
        match words {
            Some(words) => assert!(shown.contains(words) && !shown.contains("<img"), "{words} in {shown}"),
            None => assert!(shown.contains("<img"), "{shown}"),
        }
        let refused = browser.get(format!("/f/{file}/picture")).await.status(422);
        html::assert_harmless(&refused.body());
    }
    let text = uploads::named(&ada, "Text.png", b"no picture").await;
    browser.get(format!("/f/{text}/picture")).await.status(404);
}

#[shared_testing::test]
async fn sound_is_played_by_the_browser_in_ranges() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let mut wave =
        b"RIFF\x24\x04\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\0\x04\0\0".to_vec();
    wave.resize(1_068, 128);
    let file = uploads::named(&ada, "Song.wav", &wave).await;
    let shown = page(&browser, &format!("/f/{file}")).await.body();
    let version = html::hidden(&shown, &format!("/f/{file}"), "version");
    let media = format!("/f/{file}/media?version={version}");
    assert!(
        shown.contains(&format!("<audio class=\"media\" src=\"{media}\" controls preload=\"metadata\"")),
        "{shown}"
    );
    let part = browser.get(&media).header("range", "bytes=4-7").await.status(206);
    assert_eq!((part.bytes(), part.header("content-range")), (&wave[4..8], "bytes 4-7/1068"));
    assert!(part.header("content-type").starts_with("audio/"), "{part}");
    // Opened by itself it is saved.
    assert!(part.header("content-disposition").starts_with("attachment"), "{part}");
    assert_eq!(part.header("content-security-policy"), SANDBOX);
    assert_eq!(browser.get(&media).await.status(200).bytes(), wave);
    browser.get(&media).header("range", "bytes=5000-").await.status(416);
    stage.browser(&stage.caller("eve").workspace(2)).get(&media).await.status(404);
    stage.anyone().get(&media).await.status(303);
    // Bytes of other types never come in this way.
    for bytes in [&b"<script>alert(1)</script>"[..], &drawn(2, 2, ImageFormat::Png)] {
        let other = uploads::named(&ada, "Song.wav", bytes).await;
        browser.get(format!("/f/{other}/media")).await.status(404);
    }
}

#[shared_testing::test]
async fn a_pdf_opens_in_a_tab_of_its_own_without_rights() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let file = uploads::named(&ada, "Plan.pdf", b"%PDF-1.4\n%%EOF").await;
    let shown = page(&browser, &format!("/f/{file}")).await.body();
    let version = html::hidden(&shown, &format!("/f/{file}"), "version");
    let media = format!("/f/{file}/media?version={version}");
    assert!(shown.contains(&format!("href=\"{media}\" target=\"_blank\" rel=\"noopener\"")), "{shown}");
    let sent = browser.get(&media).await.status(200);
    assert_eq!((sent.header("content-type"), sent.header("content-disposition")), ("application/pdf", "inline"));
    assert_eq!(sent.header("content-security-policy"), SANDBOX);
    assert_eq!(sent.header("x-content-type-options"), "nosniff");
    assert_eq!(sent.header("cross-origin-resource-policy"), "same-origin");
}

#[shared_testing::test]
async fn a_long_text_has_a_table_of_contents_across_its_pages() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let block = |kind: &str, text: String| json!({"type": kind, "segments": [{"text": text}]});
    let words = "words ".repeat(600);
    let chapter = |number: usize| {
        let kind = if number.is_multiple_of(2) { "heading1" } else { "heading2" };
        let paragraphs = std::iter::repeat_with(|| block("paragraph", words.clone())).take(6);
        std::iter::once(block(kind, format!("Chapter <{number}>"))).chain(paragraphs).collect::<Vec<_>>()
    };
    let blocks: Vec<Value> = (0..8).flat_map(chapter).collect();
    let body = json!({"name": "Long", "content": {"kind": "docs", "blocks": blocks}});
    let document = samples::id(&ada.post("/v1/documents").fresh_key().json(body).await.status(200));
    let text: String =
        (0..8).map(|number| format!("# Chapter <{number}>\n\n{}", format!("{words}\n\n").repeat(6))).collect();
    let body = json!({"name": "Long", "content": {"title": "", "content": text}});
    let note = samples::id(&ada.post("/v1/notes").fresh_key().json(body).await.status(200));
    for file in [document, note] {
        let first = page(&browser, &format!("/f/{file}")).await.body();
        let links: Vec<String> = html::links(&first).into_iter().filter(|link| link.contains('#')).collect();
        assert!(first.contains("Chapter &lt;7&gt;</a>"), "{first}");
        let last = links.iter().rfind(|link| link.contains("page=")).expect("a heading on another page");
        let (path, anchor) = last.split_once('#').expect("an anchor");
        let there = page(&browser, path).await.body();
        assert!(there.contains(&format!("id=\"{anchor}\"")), "{anchor} in {there}");
        // On the same page the link only scrolls.
        let here = links.iter().filter(|link| !link.contains("page=") && *link != "#main");
        for link in here {
            assert!(first.contains(&format!("id=\"{}\"", &link[1..])), "{link} in {first}");
        }
    }
}

#[shared_testing::test]
async fn a_page_says_who_wrote_which_part() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let file = samples::id(&samples::document_of(&ada, &["begin at nine", "two"]).await);
    let block = json!({"id": "b1", "type": "paragraph", "segments": [{"text": "bring a <chair>"}]});
    let operations = json!([{"op": "replace_block", "block_id": "b1", "block": block}]);
    let plan = samples::propose(&bob, &file, operations).await.await.status(200)["plan"].clone();
    samples::apply(&bob, &plan).await.await.status(200);
    let browser = stage.browser(&ada);
    let link = format!("/f/{file}/authors");
    assert!(html::links(&page(&browser, &format!("/f/{file}")).await.body()).contains(&link));
    let shown = page(&browser, &link).await.body();
    for part in
        ["begin at nine", "bring a &lt;chair&gt;", "ada", "bob", &format!("/f/{file}/plans/{}", plan["id"].text())]
    {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    stage.browser(&stage.caller("eve").workspace(2)).get(&link).await.status(404);
    let note = json!({"name": "N", "content": {"title": "N", "content": "one\ntwo\nthree"}});
    let note = samples::id(&ada.post("/v1/notes").fresh_key().json(note).await.status(200));
    let shown = page(&browser, &format!("/f/{note}/authors")).await.body();
    assert!(shown.contains("Lines 1 to 3"), "{shown}");
}

#[shared_testing::test]
async fn a_plan_for_a_document_comes_as_a_word_file() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let file = samples::id(&samples::document_of(&ada, &["one"]).await);
    let plan = samples::plan(&ada, &file, "two").await;
    let path = format!("/f/{file}/plans/{}", plan["id"].text());
    let word = format!("{path}/word");
    assert!(html::links(&page(&browser, &path).await.body()).contains(&word));
    let sent = browser.get(&word).await.status(200);
    assert!(sent.bytes().starts_with(b"PK") && sent.header("content-disposition").starts_with("attachment"), "{sent}");
    assert_eq!(sent.header("x-content-type-options"), "nosniff");
    stage.browser(&stage.caller("eve").workspace(2)).get(&word).await.status(404);
}

#[shared_testing::test]
async fn native_files_are_downloaded_in_the_formats_that_they_have() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let content = json!({"kind": "sheets", "sheets": [{"name": "S", "cells": [["a", "=1+1"]]}]});
    let body = json!({"name": "Budget", "content": content});
    let file = samples::id(&ada.post("/v1/spreadsheets").fresh_key().json(body).await.status(200));
    let path = format!("/f/{file}");
    let shown = page(&browser, &path).await;
    let version = html::hidden(&shown.body(), &path, "version");
    for (format, name) in [("xlsx", "Budget.xlsx"), ("csv", "Budget.csv")] {
        let link = browser.submit(&shown, &path, &[("version", &version), ("format", format)]).await.status(303);
        let sent = stage.anyone().get(link.header("location")).await.status(200);
        assert_eq!(sent.header("content-disposition"), format!("attachment; filename=\"{name}\""));
    }
    browser.submit(&shown, &path, &[("version", &version), ("format", "markdown")]).await.status(422);
}
