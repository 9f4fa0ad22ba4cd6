//! Checks a service's documentation: a page per operation, no dead links, consistent well-known documents.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use serde_json::Value;
use shared_runtime::http::openapi;

use crate::{
    caller::Caller,
    html,
    response::{Response, Text as _},
    stage::Stage,
};

/// Reads all documentation pages and documents as an anonymous caller.
pub async fn suite(stage: &Stage) {
    let stranger = stage.anyone();
    let index = page(stage, &stranger, "/docs").await;
    let mut links: BTreeSet<String> = html::links(&index).into_iter().filter(|link| link.starts_with('/')).collect();
    let document = openapi::inlined(&stage.service().openapi());
    for contract in stage.routes().contracts() {
        let path = format!("/docs/{}", contract.id);
        assert!(links.contains(&path), "/docs does not lead to {path}");
        let page = page(stage, &stranger, &path).await;
        let method = contract.method.as_str().to_lowercase();
        let operation = &document["paths"][contract.path][&method];
        shows_all(&path, &page, operation);
        links.extend(html::links(&page).into_iter().filter(|link| link.starts_with('/')));
    }
    guides(stage, &stranger, &mut links).await;
    for link in links.iter().filter(|link| !link.starts_with("/docs")) {
        let found = fetched(stage, &stranger, link).await;
        // Pages for signed-in people redirect anonymous callers to the sign-in.
        let leads_to_sign_in = || found.header("location").starts_with("/sign-in?");
        assert!(found.status == 200 || found.status == 303 && leads_to_sign_in(), "{link}: {found}");
    }
    for missing in [
        "/docs/no_such_operation",
        "/docs/guides/no_such_guide",
        "/docs/guides/README",
        "/docs/guides/..%2f..%2fCargo.toml",
        "/docs/..%2fguides/concepts",
    ] {
        let answer = fetched(stage, &stranger, missing).await.status(404);
        html::assert_harmless(&answer.body());
    }
    llms_text(stage, &stranger).await;
    api_catalog(stage, &stranger).await;
    if stage.routes().contracts().any(|contract| contract.path == "/mcp") {
        ai_catalog(stage, &stranger).await;
    }
}

/// Follows the links below `/docs` from page to page. Each must lead to a page, and to a heading of it.
async fn guides(stage: &Stage, who: &Caller, links: &mut BTreeSet<String>) {
    let mut pages = BTreeMap::new();
    loop {
        let unread = |link: &&String| link.starts_with("/docs") && !pages.contains_key(place(link));
        let Some(path) = links.iter().find(unread).map(|link| place(link).to_owned()) else { break };
        let text = page(stage, who, &path).await;
        let current = format!("href=\"{path}\" aria-current=\"page\"");
        let is_operation = stage.routes().contracts().any(|contract| path == format!("/docs/{}", contract.id));
        assert_eq!(text.contains(&current), !is_operation, "{path} marks itself in the navigation");
        links.extend(html::links(&text).into_iter().filter(|link| link.starts_with('/')));
        pages.insert(path, text);
    }
    assert!(pages.contains_key("/docs/guides/concepts") && pages.contains_key("/docs/reference/errors"));
    for (link, anchor) in links.iter().filter_map(|link| link.split_once('#')) {
        assert!(pages[link].contains(&format!(" id=\"{anchor}\"")), "{link} has no {anchor}");
    }
}

/// A link without its fragment.
fn place(link: &str) -> &str {
    link.split('#').next().unwrap_or(link)
}

// A new minute for each request, so that no rate limit is reached.
async fn fetched(stage: &Stage, who: &Caller, path: &str) -> Response {
    stage.clock.advance(Duration::from_secs(60));
    who.get(path).await
}

/// Checks one page: cacheable, harmless, headings in order, and no dead links within it.
async fn page(stage: &Stage, who: &Caller, path: &str) -> String {
    let response = fetched(stage, who, path).await.status(200);
    assert_eq!(response.header("content-type"), "text/html; charset=utf-8", "{path}");
    assert_eq!(response.header("cache-control"), "public, max-age=300", "{path}");
    assert!(response.header("content-security-policy").starts_with("default-src 'none'"), "{path}");
    let known = who.get(path).header("If-None-Match", response.header("etag")).await;
    assert_eq!((known.status, known.bytes().len()), (304, 0), "{path}");
    let text = response.body();
    html::assert_harmless(&text);
    assert_eq!(text.matches("<h1").count(), 1, "{path} has one h1");
    let mut level = 0;
    for heading in text.split("<h").skip(1).filter_map(|rest| rest[..1].parse::<usize>().ok()) {
        assert!(heading <= level + 1, "{path} has an h{heading} after an h{level}");
        level = heading;
    }
    let ids: Vec<&str> = text.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{path} has an id twice: {ids:?}");
    for link in html::links(&text).iter().filter_map(|link| link.strip_prefix('#')) {
        assert!(ids.contains(&link), "{path} leads to #{link}, which is nowhere on it");
    }
    text
}

/// Every parameter, status and code of an operation must be on its page.
fn shows_all(path: &str, page: &str, operation: &Value) {
    let shows = |text: &str| page.contains(&format!("<code>{text}</code>"));
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        assert!(shows(parameter["name"].text()), "{path} lacks the parameter {}", parameter["name"]);
    }
    for (status, answer) in operation["responses"].as_object().expect("answers") {
        if status.starts_with(['2', '3']) {
            assert!(page.contains(&format!("<h3>{status} ")), "{path} lacks the answer {status}");
        }
        let examples = answer["content"]["application/json"]["examples"].as_object();
        for example in examples.into_iter().flat_map(|all| all.values()) {
            let code = example["value"]["error"]["code"].text();
            assert!(shows(code), "{path} lacks the code {code}");
        }
    }
}

/// llmstxt.org: a title, a quoted summary, sections of links.
async fn llms_text(stage: &Stage, who: &Caller) {
    let response = fetched(stage, who, "/llms.txt").await.status(200);
    assert_eq!(response.header("content-type"), "text/plain; charset=utf-8");
    let text = response.body();
    let surface = stage.service().surface;
    assert!(text.starts_with(&format!("# {}\n\n> {}\n", surface.title, surface.about)), "{text}");
    let links: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("- [")?.split_once("](")).map(|it| it.1).collect();
    assert!(links.len() > 5, "{text}");
    for link in links {
        let url = link.split_once("): ").expect("a link and what it is").0;
        fetched(stage, who, own_path(stage, url)).await.status(200);
    }
}

/// RFC 9727 with a linkset (RFC 9264): each target must have its declared type.
async fn api_catalog(stage: &Stage, who: &Caller) {
    let response = fetched(stage, who, "/.well-known/api-catalog").await.status(200);
    let profile = "application/linkset+json; profile=\"https://www.rfc-editor.org/info/rfc9727\"";
    assert_eq!(response.header("content-type"), profile);
    for path in ["/.well-known/api-catalog", "/openapi.json"] {
        let first = fetched(stage, who, path).await.status(200);
        assert_eq!(first.header("access-control-allow-origin"), "*", "{path}");
        let known = who.get(path).header("If-None-Match", first.header("etag")).await;
        assert_eq!((known.status, known.bytes().len()), (304, 0), "{path}");
    }
    let contexts = response.json()["linkset"].as_array().expect("a linkset");
    assert_eq!(contexts[0]["anchor"], format!("{}/", stage.base_url()));
    for relation in ["service-desc", "service-doc", "service-meta"] {
        assert!(!contexts[0][relation].as_array().expect(relation).is_empty(), "{relation}");
    }
    for context in contexts {
        let relations = context.as_object().expect("an object").values().filter_map(Value::as_array);
        for target in relations.flatten() {
            is_of_its_type(stage, who, target["href"].text(), target["type"].text()).await;
        }
    }
}

/// The agent catalog must link to the endpoint's card, and the card to the endpoint.
async fn ai_catalog(stage: &Stage, who: &Caller) {
    let catalog = fetched(stage, who, "/.well-known/ai-catalog.json").await.status(200);
    assert_eq!(catalog.header("content-type"), "application/ai-catalog+json");
    assert_eq!(catalog.json()["specVersion"], "1.0");
    let entry = &catalog.json()["entries"][0];
    assert!(entry["identifier"].text().starts_with("urn:air:"), "{entry}");
    let card = is_of_its_type(stage, who, entry["url"].text(), entry["type"].text()).await;
    let card = card.json();
    let (publisher, name) = card["name"].text().split_once('/').expect("a name below a domain");
    assert!(entry["identifier"].text().ends_with(&format!(":{name}")), "{entry} leads to {name}");
    assert!(publisher.chars().all(|c| c.is_ascii_alphanumeric() || ".-".contains(c)), "{publisher}");
    assert!(card["description"].text().len() <= 100, "{card}");
    assert_eq!(card["version"], stage.service().surface.version);
    let endpoint = own_path(stage, card["remotes"][0]["url"].text()).to_owned();
    let other = fetched(stage, who, &endpoint).await.status(stage.service().surface.wrong_method.status);
    assert!(other.header("allow").starts_with("POST"), "{other}");
}

async fn is_of_its_type(stage: &Stage, who: &Caller, url: &str, media_type: &str) -> Response {
    let target = fetched(stage, who, own_path(stage, url)).await.status(200);
    assert!(target.header("content-type").starts_with(media_type), "{url} is no {media_type}");
    target
}

/// The path of one of the service's own URLs.
#[track_caller]
fn own_path<'u>(stage: &Stage, url: &'u str) -> &'u str {
    url.strip_prefix(stage.base_url()).unwrap_or_else(|| panic!("{url} is not the service's"))
}
