//! Web pages of other origins: what they may call, and what they may read.

use shared_testing::{Request, Response, Stage, StageBuilder};

use super::service;

const APP: &str = "https://app.example.com";

fn stage() -> StageBuilder {
    let origins = ["http://localhost:5173", APP].map(str::to_owned).to_vec();
    Stage::of(service()).settings(|settings| settings.cors_origins = origins)
}

fn preflight(stage: &Stage, path: &str, origin: &str) -> Request {
    let asked = stage.anyone().request("OPTIONS", path).header("origin", origin);
    asked.header("access-control-request-method", "POST").header("access-control-request-headers", "authorization")
}

/// Fails unless the page may read it all, without cookies.
#[track_caller]
fn may_be_read(response: &Response) {
    assert_eq!(response.header("access-control-allow-origin"), APP, "{response}");
    assert_eq!(response.header("access-control-expose-headers"), "*", "{response}");
    assert_eq!(response.header("vary"), "origin", "{response}");
    assert!(!response.has_header("access-control-allow-credentials"), "{response}");
}

#[track_caller]
fn is_closed(response: &Response) {
    let opened = response.headers().iter().find(|(name, _)| name.starts_with("access-control-"));
    assert!(opened.is_none(), "{response}");
}

#[shared_testing::test]
async fn a_preflight_names_what_the_operations_of_a_path_take() {
    let stage = stage().await;
    let common = "Authorization, Content-Type, X-Request-Id, traceparent";
    for (path, methods, headers) in [
        ("/v1/picture", "GET, HEAD", common),
        ("/openapi.json", "GET, HEAD", "Authorization, Content-Type, If-None-Match, X-Request-Id, traceparent"),
        ("/v1/picture/hang", "POST", "Authorization, Content-Type, Idempotency-Key, X-Request-Id, traceparent"),
    ] {
        let allowed = preflight(&stage, path, APP).await.status(204);
        may_be_read(&allowed);
        assert_eq!(allowed.header("access-control-allow-methods"), methods, "{path}");
        assert_eq!(allowed.header("access-control-allow-headers"), headers, "{path}");
        assert_eq!(allowed.header("access-control-max-age"), "7200", "{path}");
        assert_eq!(allowed.bytes(), b"", "{path}");
    }
}

#[shared_testing::test]
async fn a_page_reads_every_answer_of_an_operation_and_every_refusal() {
    let stage = stage().settings(|settings| settings.rate_limits.0 = vec![("anonymous".to_owned(), 2)]).await;
    let ada = stage.caller("ada");
    for _ in 0..3 {
        // It counts against no limit.
        preflight(&stage, "/v1/picture", APP).await.status(204);
        preflight(&stage, "/v1/pictur", APP).await.status(204);
    }
    for (request, status) in [
        (ada.get("/v1/picture"), 200),
        (ada.head("/v1/picture"), 200),
        (ada.post("/v1/picture/hang").fresh_key(), 200),
        (ada.post("/v1/picture/hang"), 400),
        // Before the body is read.
        (ada.post("/v1/picture/hang").fresh_key().announcing(1_000_000), 413),
        (stage.anyone().get("/v1/picture"), 401),
        (stage.anyone().get("/v1/nowhere"), 404),
        (stage.anyone().request("DELETE", "/v1/picture"), 429),
        (ada.get("/.well-known/oauth-protected-resource"), 200),
    ] {
        may_be_read(&request.header("origin", APP).await.status(status));
    }
    let own = ada.get("/v1/picture").await.status(200);
    assert_eq!(own.header("vary"), "origin", "a cache must not give it to a page");
    is_closed(&own);
}

#[shared_testing::test]
async fn pages_of_other_origins_may_not_call() {
    let stage = stage().await;
    let ada = stage.caller("ada");
    for origin in ["https://evil.example", "https://app.example.com.evil.example", "http://app.example.com", "null"] {
        is_closed(&ada.get("/v1/picture").header("origin", origin).await.status(200));
        let refused = preflight(&stage, "/v1/picture", origin).await.status(204);
        assert_eq!(refused.header("allow"), "GET, HEAD, OPTIONS");
        is_closed(&refused);
    }
    // Without the setting.
    let usual = Stage::of(service()).await;
    let read = usual.caller("ada").get("/v1/picture").header("origin", APP);
    for request in [read, preflight(&usual, "/v1/picture", APP)] {
        let answer = request.await;
        is_closed(&answer);
        assert!(!answer.has_header("vary"), "{answer}");
    }
}

#[shared_testing::test]
async fn no_page_is_shown_to_another_origin() {
    let stage = stage().await;
    let ada = stage.browser(&stage.caller("ada"));
    for (path, status) in [("/w", 200), ("/about", 200), ("/no/such/page", 404)] {
        is_closed(&ada.get(path).header("accept", "text/html").header("origin", APP).await.status(status));
    }
    is_closed(&preflight(&stage, "/w", APP).await.status(405));
    // The session is of no use for operations.
    may_be_read(&ada.get("/v1/picture").header("origin", APP).await.status(401));
}

#[shared_testing::test]
async fn public_documents_are_for_every_page() {
    let stage = stage().await;
    for path in ["/openapi.json", "/llms.txt"] {
        for origin in [APP, "https://other.example"] {
            let read = stage.anyone().get(path).header("origin", origin).await.status(200);
            assert_eq!(read.header("access-control-allow-origin"), "*", "{read}");
            assert_eq!(read.header("access-control-expose-headers"), "*", "{read}");
        }
    }
}
