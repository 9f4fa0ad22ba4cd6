//! What is around every page: headers, errors, limits, assets; and that pages are not operations.

use shared_testing::{Stage, html};

use super::service;

#[shared_testing::test]
async fn a_page_has_the_headers_of_a_page_and_a_layout_with_one_script() {
    let stage = Stage::of(service()).await;
    let ada = stage.browser(&stage.caller("ada"));
    let page = ada.get("/w").await.status(200);
    html::assert_harmless(&page.body());
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(
        page.header("content-security-policy"),
        "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; \
         form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    assert_eq!(page.header("cache-control"), "private, no-store");
    assert_eq!(page.header("vary"), "cookie, accept-language");
    assert_eq!(page.header("referrer-policy"), "no-referrer");
    assert_eq!(page.header("x-robots-tag"), "noindex, nofollow");
    assert_eq!(page.header("x-content-type-options"), "nosniff");
    assert_eq!(page.header("cross-origin-opener-policy"), "same-origin");
    assert!(page.has_header("x-request-id") && page.has_header("ratelimit"), "{page}");
    let html = page.body();
    assert_eq!(html.matches("<h1").count(), 1);
    for part in [
        "<html lang=\"en\">",
        "<title>Gallery – A gallery</title>",
        "href=\"#main\"",
        "<main id=\"main\">",
        "<a href=\"/w\" aria-current=\"page\" aria-keyshortcuts=\"g\">",
        "Signed in as <bdi>ada</bdi>",
        "role=\"region\" aria-label=\"Sizes\" tabindex=\"0\"",
    ] {
        assert!(html.contains(part), "{part} in {html}");
    }
    let token = stage.caller("ada").token();
    assert!(!html.contains(&token) && !page.to_string().contains(&token), "the token is on the page");
}

#[shared_testing::test]
async fn what_others_wrote_is_text_on_the_page() {
    let stage = Stage::of(service()).await;
    let ada = stage.browser(&stage.caller("ada"));
    let page = ada.get("/w?q=%3Cscript%3Ealert(1)%3C/script%3E%22%3E%3Cimg%20onerror=x%3E").await.status(200);
    html::assert_harmless(&page.body());
    assert!(page.body().contains("&lt;script&gt;"), "{page}");
}

#[shared_testing::test]
async fn a_public_page_is_the_same_for_everyone() {
    let stage = Stage::of(service()).await;
    let anyone = stage.anyone().get("/about").await.status(200);
    assert_eq!(anyone.header("cache-control"), "public, max-age=300");
    assert_eq!(anyone.header("vary"), "accept-language");
    assert!(!anyone.has_header("x-robots-tag"), "{anyone}");
    let ada = stage.browser(&stage.caller("ada")).get("/about").await.status(200);
    assert_eq!(ada.body(), anyone.body());
    let head = stage.anyone().head("/about").await.status(200);
    assert_eq!((head.bytes().len(), head.header("content-length")), (0, anyone.header("content-length")));
}

#[shared_testing::test]
async fn a_page_is_in_the_language_that_the_browser_prefers() {
    let stage = Stage::of(service()).await;
    let ada = stage.browser(&stage.caller("ada"));
    for (accepted, lang, says) in [
        ("de-AT,de;q=0.9,en;q=0.8", "de", "Galerie"),
        ("fr,en;q=0.5", "en", "Gallery"),
        ("nonsense;;q", "en", "Gallery"),
    ] {
        let page = ada.get("/w").header("accept-language", accepted).await.status(200);
        html::assert_harmless(&page.body());
        assert!(page.body().contains(&format!("<html lang=\"{lang}\">")), "{page}");
        assert!(page.body().contains(&format!("{says}</h1>")), "{page}");
    }
    let german = |path: &str| stage.anyone().get(path).header("accept-language", "de");
    let refused = german("/pictures/x").await.status(404);
    assert!(refused.body().contains("<h1 dir=\"auto\">Diese Seite gibt es nicht</h1>"), "{refused}");
    assert!(refused.body().contains("<span lang=\"en\">"), "refusals are English in every language: {refused}");
    let reference = german("/docs").await.status(200);
    assert!(reference.body().contains("<html lang=\"en\">"), "{reference}");
    assert_eq!(reference.header("vary"), "accept-encoding");
}

#[shared_testing::test]
async fn refusals_and_failures_of_verbs_become_pages() {
    let stage = Stage::of(service()).await;
    let ada = stage.browser(&stage.caller("ada"));
    for (request, status, says) in [
        (stage.anyone().get("/pictures/x"), 404, "There is no such page"),
        (stage.anyone().get("/about?x=1"), 400, "x is not a field of this page."),
        (ada.get("/w?q=1&amp;q=2&q=3"), 400, "is not valid"),
        (stage.anyone().request("PUT", "/about"), 405, "This page takes GET and HEAD."),
    ] {
        let page = request.await.status(status);
        html::assert_harmless(&page.body());
        assert!(page.body().contains(says), "{page}");
        assert!(page.body().contains(page.request_id()), "{page}");
        assert!(!page.has_header("www-authenticate"), "{page}");
    }
    stage.expects_failures();
    let page = ada.get("/broken").await.status(500);
    assert!(page.body().contains("Something went wrong on our side") && !page.body().contains("secret"), "{page}");
    html::assert_harmless(&page.body());
}

#[shared_testing::test]
async fn pages_are_limited_and_measured_and_in_no_document() {
    let stage = Stage::of(service()).settings(|settings| settings.rate_limits.0 = vec![("pages".to_owned(), 2)]).await;
    stage.anyone().get("/about").await.status(200);
    stage.anyone().get("/about").await.status(200);
    let page = stage.anyone().get("/about").await.status(429);
    assert!(page.has_header("retry-after") && page.body().contains("Too many requests"), "{page}");
    let ada = stage.browser(&stage.caller("ada"));
    ada.get("/w").await.status(200);
    let metrics = stage.metrics().await;
    assert!(metrics.contains("operation=\"about_page\",status=\"429\"} 1"), "{metrics}");
    assert!(!stage.service().openapi().contains("gallery_page"));
}

#[shared_testing::test]
async fn caches_keep_the_stylesheet_and_the_script_under_names_derived_from_their_content() {
    let stage = Stage::of(service()).await;
    let page = stage.anyone().get("/about").await.body();
    let (_, rest) = page.split_once("rel=\"stylesheet\" href=\"").expect("a stylesheet");
    let (path, _) = rest.split_once('"').expect("its end");
    let sheet = stage.anyone().get(path).await.status(200);
    assert_eq!(sheet.header("content-type"), "text/css; charset=utf-8");
    assert_eq!(sheet.header("cache-control"), "public, max-age=31536000, immutable");
    assert!(sheet.body().contains("prefers-color-scheme: dark") && !sheet.body().contains("url("), "{sheet}");
    stage.anyone().get("/assets/0000000000000000.css").await.status(404);
    let (_, rest) = page.split_once("<script src=\"").expect("the script");
    let (path, _) = rest.split_once('"').expect("its end");
    let script = stage.anyone().get(path).await.status(200);
    assert_eq!(script.header("content-type"), "text/javascript; charset=utf-8");
    assert_eq!(script.header("cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(page.matches("<script").count(), 1, "{page}");
    let icon = stage.anyone().get("/assets/icon.svg").await.status(200);
    assert_eq!(icon.header("content-type"), "image/svg+xml");
}
