//! `GET /w`: the files at the top level, in the trash, or with a part of their name.

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::{Page, SignedIn};

use super::{
    listing,
    phrases::{address, untrusted},
    reviews,
};

const ROWS: &str = "50";

pub async fn workspace(visit: SignedIn) -> Result<Page, Error> {
    let term = visit.value("q").unwrap_or_default().trim();
    let state = visit.value("state").unwrap_or_default();
    let cursor = visit.value("cursor").unwrap_or_default();
    let is_trash = state == "trashed";
    let call = match term {
        "" => {
            // The trash has files of all folders.
            let place = if is_trash { "" } else { "root" };
            visit.operation("list_files").query("parent_id", place).query("state", state)
        }
        term => visit.operation("search_files").query("name_contains", term),
    };
    let waiting = if term.is_empty() && !is_trash { reviews::waiting(&visit).await? } else { Markup::default() };
    let list = call.query("limit", ROWS).query("cursor", cursor).answer().await?;
    let (title, empty) = match (term, is_trash) {
        ("", true) => ("Trash", "Nothing is in the trash."),
        ("", false) => ("Files", "Nothing is here yet."),
        _ => ("Found files", "No name contains this."),
    };
    let next = |cursor: &str| address("/w", &[("q", term), ("state", state), ("cursor", cursor)]);
    Ok(Page::new(
        title,
        html! {
            (waiting)
            (search(term))
            @if !is_trash || !term.is_empty() { p { a href="/w?state=trashed" { "Trash" } } }
            @if is_trash || !term.is_empty() { p { a href="/w" { "All files at the top level" } } }
            (untrusted("A file's name"))
            (listing::table(&list, "Newest first", empty, next))
        },
    ))
}

/// The files of a folder.
pub async fn folder(visit: &SignedIn, id: &str, cursor: &str) -> Result<Markup, Error> {
    let call = visit.operation("list_files").query("parent_id", id).query("limit", ROWS).query("cursor", cursor);
    let list = call.answer().await?;
    let next = |cursor: &str| address(&format!("/f/{id}"), &[("cursor", cursor)]);
    Ok(listing::table(&list, "In this folder, newest first", "Nothing is in this folder.", next))
}

fn search(term: &str) -> Markup {
    html! {
        form.search role="search" method="get" action="/w" {
            label for="q" { "Find files by a part of their name" }
            div.row {
                input #q name="q" type="search" value=(term) maxlength="190" dir="auto";
                button { "Find" }
            }
        }
    }
}
