//! `GET /w`: the files at the top level, in the trash, or that a search finds. And the files of a folder.

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::{Page, SignedIn};

use super::{
    agents,
    listing::{self, Listing},
    new_file,
    phrases::address,
    recent, reviews,
    search::{self, Search},
    webhooks,
};
use crate::files::file::{FileRecord, FileState};

const ROWS: &str = "100";
const DETAILS: &str = "details";

pub async fn workspace(visit: SignedIn) -> Result<Page, Error> {
    if Search::of(&visit).is_asked() {
        return search::show(&visit).await;
    }
    let state = visit.value("state").unwrap_or_default();
    let cursor = visit.value("cursor").unwrap_or_default();
    let is_trash = state == "trashed";
    // The trash has files of all folders.
    let place = if is_trash { "" } else { "root" };
    let call = visit.operation("list_files").query("parent_id", place).query("state", state).query("include", DETAILS);
    let (waiting, recent) = match is_trash || !cursor.is_empty() {
        true => (Markup::default(), Markup::default()),
        false => (reviews::waiting(&visit).await?, recent::show(&visit).await?),
    };
    let list = call.query("limit", ROWS).query("cursor", cursor).answer().await?;
    let (title, caption, empty) = match is_trash {
        true => (text!("Trash"), text!("In the trash"), text!("Nothing is in the trash.")),
        false => (text!("Files"), text!("At the top"), text!("Nothing is here yet.")),
    };
    let next = |cursor: &str| address("/w", &[("state", state), ("cursor", cursor)]);
    let listing = Listing { list: &list, caption, empty, here: "/w", is_choosable: !is_trash };
    Ok(Page::new(
        title,
        html! {
            (waiting)
            (search::form(""))
            @if !is_trash { (new_file::links(&visit, "")) }
            (recent)
            (listing::table(&visit, &listing, next))
            @if is_trash { p { a href="/w" { (text!("All files")) } } } @else { (others(&visit)) }
        },
    ))
}

/// The other pages of the workspace.
fn others(visit: &SignedIn) -> Markup {
    html! {
        nav.pages aria-label=(text!("Workspace")) {
            a href="/w?state=trashed" aria-keyshortcuts="t" { (text!("Trash")) }
            @if visit.may("list_agents") { a href=(agents::PATH) aria-keyshortcuts="a" { (text!("Agents")) } }
            @if visit.may("list_webhooks") { a href=(webhooks::PATH) aria-keyshortcuts="w" { (text!("Webhooks")) } }
        }
    }
}

/// The files of a folder.
pub async fn folder(visit: &SignedIn, folder: &FileRecord, cursor: &str) -> Result<Markup, Error> {
    let id = folder.id.to_string();
    let call = visit.operation("list_files").query("parent_id", &id).query("include", DETAILS);
    let list = call.query("limit", ROWS).query("cursor", cursor).answer().await?;
    let here = format!("/f/{id}");
    let next = |cursor: &str| address(&here, &[("cursor", cursor)]);
    let (caption, empty) = (text!("In this folder"), text!("Nothing is in this folder."));
    let is_choosable = folder.state == FileState::Active;
    let listing = Listing { list: &list, caption, empty, here: &here, is_choosable };
    Ok(html! {
        @if folder.state == FileState::Active {
            (search::form(&id))
            (new_file::links(visit, &id))
        }
        (listing::table(visit, &listing, next))
    })
}
