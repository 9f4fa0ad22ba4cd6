//! `GET /w`: the files at the top level, in the trash, or that a search finds.

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::{Page, SignedIn};

use super::{
    agents, found,
    listing::{self, Listing},
    new_file,
    phrases::{address, file_href, name, untrusted},
    recent, reviews, webhooks,
};
use crate::files::{
    file::{FileAnswer, FileRecord, FileState},
    list::FileList,
};
use cloud_content::search::query;

const ROWS: &str = "100";
const DETAILS: &str = "details";

pub async fn workspace(visit: SignedIn) -> Result<Page, Error> {
    let term = visit.value("q").unwrap_or_default().trim();
    let state = visit.value("state").unwrap_or_default();
    let cursor = visit.value("cursor").unwrap_or_default();
    let folder = visit.value("in").unwrap_or_default();
    if !term.is_empty() && !folder.is_empty() {
        return searched_in(&visit, term, folder).await;
    }
    if !term.is_empty() {
        return searched(&visit, term, cursor).await;
    }
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
            (search(""))
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

/// The files with a part of their name, and those that say what is searched. Each list has pages of its own.
async fn searched(visit: &SignedIn, term: &str, cursor: &str) -> Result<Page, Error> {
    let contents = visit.value("contents").unwrap_or_default();
    let names = if contents.is_empty() {
        let call = visit.operation("search_files").query("name_contains", term).query("include", DETAILS);
        let list: FileList = call.query("limit", ROWS).query("cursor", cursor).answer().await?;
        let next = |cursor: &str| address("/w", &[("q", term), ("cursor", cursor)]);
        let caption = text!("Found");
        let empty = if list.has_more { text!("Nothing found so far.") } else { text!("No name contains this.") };
        let listing = Listing { list: &list, caption, empty, here: "/w", is_choosable: false };
        Some(listing::table(visit, &listing, next))
    } else {
        None
    };
    // What has no letter can only be a part of a name.
    let is_text = query::terms(term).is_ok();
    let found =
        if cursor.is_empty() && is_text { Some(found::contents(visit, term, "", contents).await?) } else { None };
    Ok(Page::new(
        text!("Found files"),
        html! {
            (search(term))
            p { a href="/w?state=trashed" { (text!("Trash")) } }
            p { a href="/w" { (text!("All files")) } }
            (untrusted(text!("A file's name or text")))
            @if let Some(names) = names { h2 { (text!("Names")) } (names) }
            @if let Some(found) = found { h2 { (text!("Contents")) } (found) }
        },
    ))
}

/// The files in a folder, or below it, with these words in their names or in what they say.
async fn searched_in(visit: &SignedIn, term: &str, folder: &str) -> Result<Page, Error> {
    let FileAnswer { file: folder } = visit.operation("get_file").path(&[folder]).answer().await?;
    let cursor = visit.value("contents").unwrap_or_default();
    let found = match query::terms(term) {
        Ok(_) => found::contents(visit, term, &folder.id.to_string(), cursor).await?,
        Err(_) => {
            html! { p { (text!("Write a word of at least three letters, or two in Chinese, Japanese or Korean.")) } }
        }
    };
    Ok(Page::new(
        text!("Found files"),
        html! {
            (search_in(&folder, term))
            p { a href=(file_href(folder.id)) { (name(&folder.name)) } }
            p { a href=(address("/w", &[("q", term)])) { (text!("Search all files")) } }
            (untrusted(text!("A file's name or text")))
            (found)
        },
    ))
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
        @if folder.state == FileState::Active { (search_in(folder, "")) (new_file::links(visit, &id)) }
        (listing::table(visit, &listing, next))
    })
}

fn search_in(folder: &FileRecord, term: &str) -> Markup {
    let label = html! { (text!("Find files in this folder by words in their names, or in them")) };
    search_form(&label, &html! { input type="hidden" name="in" value=(folder.id); }, term)
}

fn search(term: &str) -> Markup {
    let label = html! { (text!("Find files by a part of their name, or by words in them")) };
    search_form(&label, &html! {}, term)
}

fn search_form(label: &Markup, place: &Markup, term: &str) -> Markup {
    html! {
        form.search role="search" method="get" action="/w" {
            (place)
            label for="q" { (label) }
            div.row {
                input #q name="q" type="search" value=(term) maxlength="190" dir="auto" aria-keyshortcuts="/";
                button { (text!("Find")) }
            }
        }
    }
}
