//! The versions of a file.

use maud::{Markup, html};
use serde::Deserialize;
use shared_model::{Error, Failure, Timestamp};
use shared_runtime::{identity::Actor, pages::SignedIn};

use super::{
    listing::FileSeen,
    phrases::{actor, address, bytes, time},
};

const ROWS: &str = "20";

#[derive(Deserialize)]
struct List {
    items: Vec<Version>,
    next_cursor: Option<String>,
}

#[derive(Deserialize)]
struct Version {
    id: String,
    created_at: Timestamp,
    actor: Actor,
    bytes: u64,
    plan_id: Option<String>,
    via: String,
    restored_from: Option<String>,
}

/// Newest first. `shown` is the version on the page.
pub async fn show(visit: &SignedIn, file: &FileSeen, shown: &str, cursor: &str) -> Result<Markup, Error> {
    let call = visit.operation("list_versions").path(&[&file.id]).query("limit", ROWS).query("cursor", cursor);
    let list: List = serde_json::from_value(call.answer().await?).map_err(Failure::from)?;
    let older = |cursor: &str| address(&file.href(), &[("versions", cursor)]);
    Ok(html! {
        section.history aria-labelledby="versions" {
            h2 #versions { "Versions" }
            ul.versions {
                @for version in &list.items {
                    li {
                        a href=(address(&file.href(), &[("version", &version.id)])) aria-current=[(version.id == shown).then_some("true")] {
                            (time(version.created_at))
                        }
                        " by " (actor(&version.actor)) ", " (bytes(version.bytes)) ", by " (way(&version.via))
                        @if version.id == shown { " " span.state { "Shown here" } }
                        @if let Some(plan) = &version.plan_id { ", from " a href=(format!("{}/plans/{plan}", file.href())) { "a plan" } }
                        @if let Some(from) = &version.restored_from { ", the content of " code { (from) } " again" }
                    }
                }
            }
            @if let Some(cursor) = &list.next_cursor {
                nav.pages aria-label="Pages of the versions" { a rel="next" href=(older(cursor)) { "Older versions" } }
            }
        }
    })
}

fn way(via: &str) -> &str {
    match via {
        "rest" => "the API",
        "mcp" => "an agent's tool",
        "web" => "a page",
        "upload" => "an upload",
        "import" => "an import",
        // A way that is newer than this page.
        other => other,
    }
}
