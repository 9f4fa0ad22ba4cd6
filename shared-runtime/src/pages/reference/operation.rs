//! `/docs/{operation_id}`: what one operation takes, answers and refuses with.

use maud::{Markup, html};
use serde_json::Value;
use shared_model::{Error, Failure, code};

use super::{
    curl,
    document::{Document, Outline},
    places::DOCS_PATH,
    plain, prose, refusals, schemas,
    tagged::page,
    types::{self, kind},
};
use crate::{
    http::openapi::OpenApiText,
    pages::{layout::scrollable, page::Page, request::PageRequest},
};

/// Shows it.
pub async fn show(visit: PageRequest) -> Result<Page, Error> {
    let (id,): (String,) = visit.path()?;
    let served = visit.state::<OpenApiText>()?;
    let document = Document::read(served.text())?;
    let Some((outline, operation)) = document.operation(&id)? else { return Err(code::not_found().into()) };
    let command = curl::command(&plain::base_url(&visit), &outline, &operation);
    let body = body(&document, &outline, &operation, &command)?;
    Ok(page(&visit, id, Some(html! { code { (outline.id) } }), body)?)
}

fn body(document: &Document<'_>, outline: &Outline, operation: &Value, command: &str) -> Result<Markup, Failure> {
    let parameters: Vec<&Value> = operation["parameters"].as_array().into_iter().flatten().collect();
    let sent: Vec<_> = contents(&operation["requestBody"]).collect();
    let answers: Vec<(&String, &Value)> = operation["responses"].as_object().into_iter().flatten().collect();
    let is_refusal = |status: &str| status.starts_with(['4', '5']);
    let good: Vec<_> = answers.iter().filter(|(status, _)| !is_refusal(status)).collect();
    let refusals: Vec<_> = answers.iter().copied().filter(|(status, _)| is_refusal(status)).collect();
    let bodies = sent.iter().copied().chain(good.iter().flat_map(|(_, answer)| contents(answer)));
    let mut shown: Vec<&Value> = bodies.map(|(_, content)| &content["schema"]).collect();
    shown.extend(parameters.iter().map(|parameter| &parameter["schema"]));
    let types = schemas::named(document, &shown)?;
    Ok(html! {
        p { (prose::line(&outline.summary)) }
        p { code.endpoint { (outline.method) " " (outline.path) } }
        @if let Some(description) = operation["description"].as_str() { (prose::paragraphs(description)) }
        h2 { "Try it" }
        p { code { "$TOKEN" } " is an access token, where one is needed." }
        pre { code { (command) } }
        @if !parameters.is_empty() {
            h2 { "Parameters" }
            (parameter_table(&parameters))
        }
        @if !sent.is_empty() {
            h2 { "Body" }
            @for (media_type, content) in &sent { (content_of("the body", media_type, content)) }
        }
        h2 { "Answers" }
        @for (status, answer) in &good {
            h3 { (status) " " (answer["description"].as_str().unwrap_or_default()) }
            (header_table(status, answer))
            @for (media_type, content) in contents(answer) { (content_of(&format!("the answer {status}"), media_type, content)) }
        }
        h2 { "Refusals" }
        p { "Each is one object, whose " code { "error.next_action" } " says what a program does next." }
        (refusals::of_operation(&refusals))
        @if let Some(example) = refusals.iter().find_map(|(_, answer)| first_example(answer)) { (example_of("a refusal", example)) }
        @if !types.is_empty() {
            h2 { "Types" }
            @for (name, schema) in &types { (schemas::section(name, schema)) }
        }
        p { a href=(DOCS_PATH) { "All operations" } }
    })
}

/// The bodies of a request or an answer, by media type.
fn contents(of: &Value) -> impl Iterator<Item = (&String, &Value)> {
    of["content"].as_object().into_iter().flatten()
}

fn parameter_table(parameters: &[&Value]) -> Markup {
    scrollable(
        "Parameters",
        html! {
            table {
                caption.hidden { "Parameters" }
                thead {
                    tr {
                        th scope="col" { "Parameter" }
                        th scope="col" { "Where" }
                        th scope="col" { "Type" }
                        th scope="col" { "What it is" }
                        th scope="col" { "Example" }
                    }
                }
                tbody {
                    @for parameter in parameters {
                        tr {
                            th scope="row" {
                                code { (types::plain(&parameter["name"])) }
                                @if parameter["required"] != true { " " span.note { "optional" } }
                            }
                            td { (types::plain(&parameter["in"])) }
                            td { (kind(&parameter["schema"])) }
                            td { (said(parameter)) }
                            td { @if let Some(example) = parameter.get("example") { code { (types::plain(example)) } } }
                        }
                    }
                }
            }
        },
    )
}

/// What a parameter is for: its own description, or that of its type.
fn said(parameter: &Value) -> Markup {
    let own = parameter["description"].as_str().or_else(|| parameter["schema"]["description"].as_str());
    prose::line(own.unwrap_or_default())
}

fn header_table(status: &str, answer: &Value) -> Markup {
    let Some(headers) = answer["headers"].as_object() else { return html! {} };
    let caption = format!("Headers of the answer {status}");
    scrollable(
        &caption,
        html! {
            table {
                caption.hidden { (caption) }
                thead { tr { th scope="col" { "Header" } th scope="col" { "What it is" } th scope="col" { "Example" } } }
                tbody {
                    @for (name, header) in headers {
                        tr {
                            th scope="row" { code { (name) } }
                            td { (said(header)) }
                            td { @if let Some(example) = header.get("example") { code { (types::plain(example)) } } }
                        }
                    }
                }
            }
        },
    )
}

/// A body: its media type, its members and an example.
fn content_of(label: &str, media_type: &str, content: &Value) -> Markup {
    html! {
        p { code { (media_type) } }
        (schemas::shape(label, &content["schema"]))
        @if let Some(example) = content.get("example") { (example_of(label, example)) }
    }
}

fn example_of(label: &str, example: &Value) -> Markup {
    let label = format!("Example of {label}");
    let text = example.as_str().map_or_else(|| format!("{example:#}"), str::to_owned);
    html! {
        p { (label) ":" }
        pre { code { (text) } }
    }
}

fn first_example(answer: &Value) -> Option<&Value> {
    let examples = answer["content"]["application/json"]["examples"].as_object()?;
    examples.values().next().map(|example| &example["value"])
}
