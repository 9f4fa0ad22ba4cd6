//! `/llms.txt`: the service in one screen of Markdown, with links to everything else (llmstxt.org).

use std::fmt::Write as _;

use shared_model::{Error, Failure};

use super::{
    document::Document,
    places::{CHANGELOG_PATH, DOCS_PATH, SERVER_CARD_PATH, href},
    plain, tagged,
};
use crate::{
    http::{openapi::OpenApiText, reply::Reply},
    identity::challenge,
    pages::request::PageRequest,
};

/// Answers with the text.
pub async fn show(visit: PageRequest) -> Result<Reply, Error> {
    let text = text(&visit)?;
    Ok(plain::reply(&visit, "text/plain; charset=utf-8", text.into_bytes()))
}

fn text(visit: &PageRequest) -> Result<String, Failure> {
    let served = visit.state::<OpenApiText>()?;
    let (base, surface) = (plain::base_url(visit), visit.context.surface);
    let mut text = format!(
        "# {}\n\n> {}\n\n\
         Every error says in `error.next_action` what to do next. Commands take an `Idempotency-Key`: sent again with the same key, \
         they happen once.\n",
        surface.title, surface.about
    );
    let mut section = |title: &str, links: &[(&str, String, String)]| {
        // Writing to a String does not fail.
        let _ = write!(text, "\n## {title}\n\n");
        for (name, path, about) in links {
            let _ = writeln!(text, "- [{name}]({base}{path}): {about}");
        }
    };
    let site = tagged::site(visit)?;
    let steps: Vec<_> = site.guide.iter().map(|(id, about)| (*id, href(id), (*about).to_owned())).collect();
    if !steps.is_empty() {
        section("How it is used, in this order", &steps);
    }
    let mut documents = vec![
        ("OpenAPI 3.1", "/openapi.json".to_owned(), "every operation, schema, refusal and example".to_owned()),
        ("API reference", DOCS_PATH.to_owned(), "the same as pages, one for each operation".to_owned()),
        (
            "Authorization",
            challenge::METADATA_PATH.to_owned(),
            "where tokens come from, and the scopes (RFC 9728)".to_owned(),
        ),
    ];
    if served.has_path("/.well-known/developer-manifest.json") {
        let about = "limits, scopes, codes and event types in one document".to_owned();
        documents.push(("Developer manifest", "/.well-known/developer-manifest.json".to_owned(), about));
    }
    documents.push(("Changelog", CHANGELOG_PATH.to_owned(), "what has changed from version to version".to_owned()));
    if plain::has_mcp(&served) {
        let about = format!("the Model Context Protocol is spoken at {}/mcp", plain::base_url(visit));
        documents.push(("MCP server card", SERVER_CARD_PATH.to_owned(), about));
    }
    section("Documents", &documents);
    for part in site.documents.sections {
        let links: Vec<_> =
            part.documents.iter().map(|one| (one.title(), href(one.path), "a page of HTML".to_owned())).collect();
        section(part.title, &links);
    }
    let document = Document::read(served.text())?;
    let outlines = document.outlines()?;
    let operations: Vec<_> = outlines
        .iter()
        .map(|outline| {
            (
                outline.id.as_str(),
                href(&outline.id),
                format!("`{} {}`. {}", outline.method, outline.path, outline.summary),
            )
        })
        .collect();
    section("Optional", &operations);
    Ok(text)
}
