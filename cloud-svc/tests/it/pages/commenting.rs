//! Comments that people write on pages.

use cloud_svc::service;
use shared_testing::{Browser, Response, Stage, Text as _, html};

use crate::samples;

async fn send(browser: &Browser, page: &Response, file: &str, fields: &[(&str, &str)]) -> Response {
    html::assert_harmless(&page.body());
    browser.submit(page, &format!("/f/{file}/comments"), fields).await
}

#[shared_testing::test]
async fn a_comment_is_written_answered_resolved_and_reopened() {
    let stage = Stage::of(service()).await;
    let (ada, bob) = (stage.caller("ada"), stage.caller("bob"));
    let (adas, bobs) = (stage.browser(&ada), stage.browser(&bob));
    let file = samples::id(&samples::create(&ada, "Minutes").await);
    let path = format!("/f/{file}");
    let page = adas.get(&path).await.status(200);
    let fields = [("action", "write"), ("text", "Is nine right?\r\nI think so.")];
    send(&adas, &page, &file, &fields).await.status(303);
    send(&adas, &page, &file, &fields).await.status(303);
    let list = ada.get(format!("/v1/files/{file}/comments")).await.status(200);
    assert_eq!(list["items"].as_array().map(Vec::len), Some(1), "sent twice, it is one comment: {list}");
    assert_eq!(list["items"][0]["text"], "Is nine right?\nI think so.");
    let comment = list["items"][0]["id"].text().to_owned();

    let page = bobs.get(&path).await.status(200);
    send(&bobs, &page, &file, &[("action", "write"), ("comment", &comment), ("text", "It is ten.")]).await.status(303);
    let page = bobs.get(&path).await.status(200);
    let body = page.body();
    let order = ["Is nine right?", "It is ten."].map(|text| body.find(text));
    assert!(order[0].is_some() && order[0] < order[1], "{body}");
    let etag = list["items"][0]["etag"].text();
    let resolve = [("action", "resolve"), ("comment", comment.as_str()), ("etag", etag)];
    send(&bobs, &page, &file, &resolve).await.status(303);
    let page = bobs.get(&path).await.status(200);
    assert!(page.body().contains("Resolved") && page.body().contains("Reopen"), "{page}");
    let stale = send(&bobs, &page, &file, &[("action", "reopen"), ("comment", &comment), ("etag", etag)]).await;
    html::assert_harmless(&stale.status(412).body());
    let etag = ada.get(format!("/v1/files/{file}/comments?status=resolved")).await.status(200);
    let etag = etag["items"][0]["etag"].text().to_owned();
    let reopen = [("action", "reopen"), ("comment", comment.as_str()), ("etag", &etag)];
    send(&bobs, &bobs.get(&path).await.status(200), &file, &reopen).await.status(303);
}

#[shared_testing::test]
async fn who_may_not_write_settles_only_the_own_comments() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let file = samples::id(&samples::create(&ada, "Minutes").await);
    samples::comment(&ada, &file, "by somebody else").await;
    let carol = stage.caller("carol").scope("cloud.read cloud.propose");
    let browser = stage.browser(&carol);
    let path = format!("/f/{file}");
    let page = browser.get(&path).await.status(200);
    assert!(page.body().contains("Reply") && !page.body().contains("Resolve"), "{page}");
    send(&browser, &page, &file, &[("action", "write"), ("text", "my own")]).await.status(303);
    let page = browser.get(&path).await.status(200);
    assert_eq!(page.body().matches("value=\"resolve\"").count(), 1, "{page}");
    let list = carol.get(format!("/v1/files/{file}/comments")).await.status(200);
    let (id, etag) = (list["items"][0]["id"].text(), list["items"][0]["etag"].text());
    send(&browser, &page, &file, &[("action", "resolve"), ("comment", id), ("etag", etag)]).await.status(303);
}

#[shared_testing::test]
async fn a_comment_that_is_refused_stays_in_its_form() {
    let stage = Stage::of(service()).await;
    let ada = stage.caller("ada");
    let browser = stage.browser(&ada);
    let file = samples::id(&samples::create(&ada, "Minutes").await);
    let page = browser.get(format!("/f/{file}")).await.status(200);
    let long = format!("<i>{}</i>", "w".repeat(5_000));
    let refused = send(&browser, &page, &file, &[("action", "write"), ("text", &long)]).await.status(422).body();
    html::assert_harmless(&refused);
    assert!(refused.contains("Nothing was done.") && refused.contains("&lt;i&gt;wwww"), "{refused}");
    // The file is trashed meanwhile: the text is not lost either.
    samples::command(&ada, &file, "trash", serde_json::json!({})).await.await.status(200);
    let fields = [("action", "write"), ("text", "late"), ("comment", "")];
    let refused = send(&browser, &page, &file, &fields).await.status(409).body();
    assert!(refused.contains("readonly") && refused.contains("late</textarea>"), "{refused}");
}
