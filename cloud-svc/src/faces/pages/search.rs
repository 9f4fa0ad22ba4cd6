//! `GET /w?q=…`: the files that a search finds, by their names and by what is written in them.

use maud::{Markup, html};
use shared_model::Error;
use shared_runtime::pages::{Page, SignedIn};

use super::{
    found,
    listing::{self, Listing},
    phrases::{address, file_href, name, untrusted},
};
use crate::files::{
    content_search::search::ContentList,
    file::{FileAnswer, FileRecord},
    list::FileList,
};
use cloud_content::{file_type::FileType, search::query};

const NAMES: &str = "100";
const CONTENTS: &str = "20";

/// The parameters of the page that say what is searched.
const PARAMETERS: [&str; 5] = ["q", "in", "tag", "type", "since"];

/// What is searched. Each member is empty if it was not sent.
#[derive(Clone, Copy, Default)]
pub struct Search<'v> {
    words: &'v str,
    /// The folder in which, and below which, files are searched.
    folder: &'v str,
    tag: &'v str,
    kind: &'v str,
    /// A date.
    since: &'v str,
}

impl<'v> Search<'v> {
    pub fn of(visit: &'v SignedIn) -> Self {
        let [words, folder, tag, kind, since] = PARAMETERS.map(|name| visit.value(name).unwrap_or_default().trim());
        Self { words, folder, tag, kind, since }
    }

    pub fn is_asked(&self) -> bool {
        [self.words, self.tag, self.kind, self.since].iter().any(|value| !value.is_empty())
    }

    /// The first moment of its date, for the API.
    fn changed_since(&self) -> String {
        if self.since.is_empty() { String::new() } else { format!("{}T00:00:00Z", self.since) }
    }

    /// The address of the same search with one more parameter.
    pub fn address(&self, more: (&str, &str)) -> String {
        let values = [self.words, self.folder, self.tag, self.kind, self.since];
        let parameters: Vec<_> = PARAMETERS.into_iter().zip(values).chain([more]).collect();
        address("/w", &parameters)
    }

    // A search by name knows no tags, dates, or folders below a folder.
    fn is_by_name(&self) -> bool {
        !self.words.is_empty() && [self.folder, self.tag, self.since].iter().all(|value| value.is_empty())
    }

    // What has no letter can only be a part of a name.
    fn is_by_content(&self) -> bool {
        match self.words {
            "" => !self.tag.is_empty(),
            words => query::terms(words).is_ok(),
        }
    }

    fn form(&self) -> Markup {
        let label = match self.folder {
            "" => text!("Find files by a part of their name, or by words in them"),
            _ => text!("Find files in this folder by words in their names, or in them"),
        };
        let is_narrowed = [self.tag, self.kind, self.since].iter().any(|value| !value.is_empty());
        html! {
            form.search role="search" method="get" action="/w" {
                @if !self.folder.is_empty() { input type="hidden" name="in" value=(self.folder); }
                label for="q" { (label) }
                div.row {
                    input #q name="q" type="search" value=(self.words) maxlength="190" dir="auto" aria-keyshortcuts="/";
                    button { (text!("Find")) }
                }
                details open[is_narrowed] {
                    summary { (text!("Narrow the search")) }
                    div.row {
                        div { label for="tag" { (text!("Tag of notes")) } " "
                            input #tag name="tag" value=(self.tag) maxlength="40" dir="auto"; }
                        div { label for="type" { (text!("Type")) } " "
                            select #type name="type" {
                                option value="" { (text!("All types")) }
                                @for (word, kind) in FileType::ALL {
                                    option value=(word) selected[*word == self.kind] { (listing::label(*kind)) }
                                }
                            } }
                        div { label for="since" { (text!("Changed since")) } " "
                            input #since name="since" type="date" value=(self.since); }
                    }
                }
            }
        }
    }
}

/// The form that searches a folder, or all files if its id is empty.
pub fn form(folder: &str) -> Markup {
    Search { folder, ..Search::default() }.form()
}

/// Each list has pages of its own.
pub async fn show(visit: &SignedIn) -> Result<Page, Error> {
    let search = Search::of(visit);
    let (cursor, contents) = (visit.value("cursor").unwrap_or_default(), visit.value("contents").unwrap_or_default());
    let folder = match search.folder {
        "" => None,
        id => Some(visit.operation("get_file").path(&[id]).answer::<FileAnswer>().await?.file),
    };
    let names =
        if search.is_by_name() && contents.is_empty() { Some(names(visit, &search, cursor).await?) } else { None };
    let found = match search.is_by_content() && cursor.is_empty() {
        true => Some(self::contents(visit, &search, contents).await?),
        false => None,
    };
    Ok(Page::new(
        text!("Found files"),
        html! {
            (search.form())
            (ways_out(&search, folder.as_ref()))
            (untrusted(text!("A file's name or text")))
            @if !search.is_by_name() && !search.is_by_content() {
                p { (text!("Write a word of at least three letters, or two in Chinese, Japanese or Korean, or a tag.")) }
            }
            @if let Some(names) = names { h2 { (text!("Names")) } (names) }
            @if let Some(found) = found { h2 { (text!("Contents")) } (found) }
        },
    ))
}

fn ways_out(search: &Search<'_>, folder: Option<&FileRecord>) -> Markup {
    html! {
        @if let Some(folder) = folder {
            p { a href=(file_href(folder.id)) { (name(&folder.name)) } }
            p { a href=(Search { folder: "", ..*search }.address(("", ""))) { (text!("Search all files")) } }
        } @else {
            p { a href="/w?state=trashed" { (text!("Trash")) } }
            p { a href="/w" { (text!("All files")) } }
        }
    }
}

async fn names(visit: &SignedIn, search: &Search<'_>, cursor: &str) -> Result<Markup, Error> {
    let call = visit.operation("search_files").query("name_contains", search.words).query("type", search.kind);
    let list: FileList =
        call.query("include", "details").query("limit", NAMES).query("cursor", cursor).answer().await?;
    let next = |cursor: &str| search.address(("cursor", cursor));
    let caption = text!("Found");
    let empty = if list.has_more { text!("Nothing found so far.") } else { text!("No name contains this.") };
    let listing = Listing { list: &list, caption, empty, here: "/w", is_choosable: false };
    Ok(listing::table(visit, &listing, next))
}

async fn contents(visit: &SignedIn, search: &Search<'_>, cursor: &str) -> Result<Markup, Error> {
    let call = visit.operation("search_content").query("text", search.words).query("tag", search.tag);
    let call = call.query("parent_id", search.folder).query("type", search.kind);
    let call = call.query("changed_since", search.changed_since()).query("limit", CONTENTS).query("cursor", cursor);
    let list: ContentList = call.answer().await?;
    Ok(found::contents(&list, |cursor| search.address(("contents", cursor))))
}
