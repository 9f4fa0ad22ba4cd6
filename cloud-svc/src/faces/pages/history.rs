//! The versions of a file.

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::SignedIn;

use super::phrases::{actor, address, bytes, file_href, time};
use crate::{
    base::{author::Via, ids::VersionId},
    files::{file::FileRecord, versions::list::VersionList},
};

const ROWS: &str = "20";

/// Newest first. `shown` is the version on the page.
pub async fn show(visit: &SignedIn, file: &FileRecord, shown: VersionId, cursor: &str) -> Result<Markup, Error> {
    let call =
        visit.operation("list_versions").path(&[&file.id.to_string()]).query("limit", ROWS).query("cursor", cursor);
    let list: VersionList = call.answer().await?;
    let href = file_href(file.id);
    let older = |cursor: &str| address(&href, &[("versions", cursor)]);
    Ok(html! {
        section.history aria-labelledby="versions" {
            h2 #versions { "Versions" }
            ul.versions {
                @for version in &list.items {
                    li {
                        a href=(address(&href, &[("version", &version.id.to_string())])) aria-current=[(version.id == shown).then_some("true")] {
                            (time(version.created_at))
                        }
                        " by " (actor(&version.actor)) ", " (bytes(version.bytes)) ", by " (way(version.via))
                        @if version.id == shown { " " span.state { "Shown here" } }
                        @if let Some(current) = file.current_version_id.filter(|current| *current != version.id) {
                            ". " a href=(address(&format!("{href}/compare"), &[("from", &version.id.to_string()), ("to", &current.to_string())])) { "Compare with the current one" }
                        }
                        @if let Some(plan) = &version.plan_id { ", from " a href=(format!("{href}/plans/{plan}")) { "a plan" } }
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

fn way(via: Via) -> &'static str {
    match via {
        Via::Rest => "the API",
        Via::Mcp => "an agent's tool",
        Via::Web => "a page",
        Via::Upload => "an upload",
        Via::Import => "an import",
    }
}
