//! Lists of files, as a table in which files can be chosen.

use maud::{Markup, html};
use shared_runtime::pages::SignedIn;

use super::{
    actions::{MOVE, TRASH},
    chosen,
    icons::icon,
    phrases::{actor, bytes, file_href, name, time},
    sort,
};
use crate::files::{file::FileRecord, list::FileList};
use cloud_content::{file_type::FileType, kinds::native_kind};

/// What a type of file is called.
pub fn label(file_type: FileType) -> &'static str {
    match file_type {
        FileType::Folder => "Folder",
        FileType::Pdf => "PDF",
        FileType::UploadedFile => "Uploaded file",
        native => native_kind(native).map_or("File", |kind| kind.label),
    }
}

pub struct Listing<'l> {
    pub list: &'l FileList,
    pub caption: &'l str,
    /// What is said if there are no files.
    pub empty: &'l str,
    /// Where the page of the list is.
    pub here: &'l str,
    /// Whether files can be chosen, and sorted.
    pub is_choosable: bool,
}

/// With a link to the next page.
pub fn table(visit: &SignedIn, listing: &Listing<'_>, next: impl Fn(&str) -> String) -> Markup {
    let Listing { list, caption, empty, here, is_choosable } = listing;
    let is_choosable = *is_choosable && visit.may("trash_file") && !list.items.is_empty();
    // The trash and found files have lists of their own order.
    let sort = if listing.is_choosable { visit.value("sort").unwrap_or_default() } else { "" };
    let files = html! {
        @if listing.is_choosable { (sort::links(list, sort, here)) }
        table.files {
            caption { (caption) @if sort.is_empty() { ", newest first" } }
            thead {
                tr {
                    @if is_choosable { th scope="col" { span.hidden { "Chosen" } } }
                    th scope="col" { "Name" } th scope="col" { "Size" } th scope="col" { "By" } th scope="col" { "Changed" }
                }
            }
            tbody {
                @for (index, file) in sort::rows(list, sort).into_iter().enumerate() { (row(list, file, is_choosable.then_some(index))) }
            }
        }
    };
    html! {
        @if list.items.is_empty() {
            p { (empty) }
        } @else if is_choosable {
            (visit.form(chosen::PATH, html! {
                input type="hidden" name="back" value=(here);
                (files)
                div.tools role="group" aria-label="With the chosen files" {
                    button.quiet name="action" value=(MOVE) { "Move the chosen" }
                    button.danger name="action" value=(TRASH) { "Move the chosen to the trash" }
                }
            }))
        } @else { (files) }
        @if let Some(cursor) = &list.next_cursor {
            nav.pages aria-label="Pages of the list" { a rel="next" href=(next(cursor)) { "Next page" } }
        }
    }
}

fn row(list: &FileList, file: &FileRecord, choice: Option<usize>) -> Markup {
    let details = list.details.as_ref().and_then(|details| details.get(&file.id));
    html! {
        tr {
            @if let Some(index) = choice {
                td.choice {
                    input type="checkbox" name=(format!("{}-{index}", chosen::FIELD)) value=(chosen::value(file))
                        aria-label=(format!("Choose {}", file.name));
                }
            }
            td.name { (icon(file.kind)) span.hidden { (label(file.kind)) " " } a href=(file_href(file.id)) { (name(&file.name)) } }
            td { @if let Some(size) = details.and_then(|details| details.bytes) { (bytes(size)) } }
            td { @if let Some(by) = details.and_then(|details| details.updated_by.as_ref()) { (actor(by)) } }
            td { (time(file.updated_at)) }
        }
    }
}
