//! The versions of a file.

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::{SignedIn, Text};

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
            h2 #versions { (text!("Versions")) }
            ul.versions {
                @for version in &list.items {
                    li {
                        @let time = html! {
                            a href=(address(&href, &[("version", &version.id.to_string())])) aria-current=[(version.id == shown).then_some("true")] {
                                (time(version.created_at))
                            }
                        };
                        (text!("{time} by {author}", time = time, author = actor(&version.actor))) ", " (bytes(version.bytes)) ", " (way(version.via))
                        @if version.id == shown { " " span.state { (text!("Shown here")) } }
                        @if let Some(current) = file.current_version_id.filter(|current| *current != version.id) {
                            ". " a href=(address(&format!("{href}/compare"), &[("from", &version.id.to_string()), ("to", &current.to_string())])) {
                                (text!("Compare with the current one"))
                            }
                        }
                        @if let Some(plan) = &version.plan_id {
                            ", " a href=(format!("{href}/plans/{plan}")) { (text!("from a plan")) }
                        }
                        @if let Some(from) = &version.restored_from {
                            @let earlier = html! { a href=(address(&href, &[("version", &from.to_string())])) { (text!("an earlier version")) } };
                            ", " (text!("the content of {version} again", version = earlier))
                        }
                    }
                }
            }
            @if let Some(cursor) = &list.next_cursor {
                nav.pages aria-label=(text!("Pages of the versions")) {
                    a rel="next" href=(older(cursor)) { (text!("Older versions")) }
                }
            }
        }
    })
}

fn way(via: Via) -> Text {
    match via {
        Via::Rest => text!("by the API"),
        Via::Mcp => text!("by an agent's tool"),
        Via::Web => text!("by a page"),
        Via::Upload => text!("by an upload"),
        Via::Import => text!("by an import"),
    }
}
