//! `/docs`: what the service is for, how to begin, and every operation.

use std::collections::BTreeMap;

use maud::{Markup, html};
use shared_model::Error;

use super::{
    document::{Document, Outline},
    places::{CHANGELOG_PATH, LLMS_PATH, SERVER_CARD_PATH, href},
    plain, prose, refusals,
    tagged::{self, page},
};
use crate::{
    http::openapi::OpenApiText,
    identity::challenge,
    pages::{page::Page, request::PageRequest},
};

/// Shows it.
pub async fn show(visit: PageRequest) -> Result<Page, Error> {
    let served = visit.state::<OpenApiText>()?;
    let document = Document::read(served.text())?;
    let outlines = document.outlines()?;
    let guide = tagged::site(&visit)?.guide;
    let codes = visit.context.surface.all_codes().collect();
    let body = html! {
        (prose::paragraphs(&document.info.description))
        @if !guide.is_empty() {
            h2 { "Begin" }
            ol { @for (id, about) in guide { li { a href=(href(id)) { code { (id) } } ": " (prose::line(about)) } } }
        }
        h2 { "Authenticate" }
        (authentication(&visit, &served))
        h2 { "Operations" }
        @for (group, outlines) in grouped(&outlines) {
            section {
                h3 { (group) }
                ul.operations { @for outline in outlines { (entry(outline)) } }
            }
        }
        h2 { "Error codes" }
        (refusals::of_service(codes))
        h2 { "For programs" }
        ul {
            li { a href="/openapi.json" { "OpenAPI 3.1" } " of these operations" }
            li { a href=(LLMS_PATH) { "llms.txt" } ", a summary for language models" }
            li { a href=(CHANGELOG_PATH) { "Changelog" } ", what has changed from version to version" }
            li { a href="/.well-known/api-catalog" { "API catalog" } " (RFC 9727)" }
            @if plain::has_mcp(&served) {
                li { a href="/.well-known/ai-catalog.json" { "AI catalog" } ", and the "
                    a href=(SERVER_CARD_PATH) { "server card" } " of " code { "/mcp" } }
            }
        }
    };
    Ok(page(&visit, "API reference".to_owned(), None, body)?)
}

fn authentication(visit: &PageRequest, served: &OpenApiText) -> Markup {
    let base = plain::base_url(visit);
    html! {
        @if served.scopes().is_empty() {
            p { "No operation takes an access token." }
        } @else {
            p {
                "An operation that is not public takes the header " code { "Authorization: Bearer …" } ": a JWT access token (RFC 9068) whose "
                code { "aud" } " is " code { (base) } ". "
                a href=(challenge::METADATA_PATH) { "The resource metadata" } " says who issues them."
            }
            p { "Scopes: " @for (at, scope) in served.scopes().iter().enumerate() { @if at > 0 { ", " } code { (scope) } } "." }
        }
    }
}

fn grouped(outlines: &[Outline]) -> BTreeMap<&str, Vec<&Outline>> {
    let mut groups: BTreeMap<&str, Vec<&Outline>> = BTreeMap::new();
    outlines.iter().for_each(|outline| groups.entry(outline.group()).or_default().push(outline));
    groups
}

fn entry(outline: &Outline) -> Markup {
    html! {
        li {
            a href=(href(&outline.id)) { code { (outline.id) } }
            " " code.endpoint { (outline.method) " " (outline.path) }
            br;
            (prose::line(&outline.summary))
        }
    }
}
