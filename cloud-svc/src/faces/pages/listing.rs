//! Lists of files, as a table in which files can be chosen.

use maud::{Markup, html};
use shared_runtime::pages::{SignedIn, Text};

use super::{
    actions::{MOVE, TRASH},
    chosen,
    icons::icon,
    phrases::{actor, bytes, counted, file_href, name, time},
    sort,
};
use crate::files::{file::FileRecord, list::FileList};
use cloud_content::file_type::FileType;

/// What a type of file is called.
pub fn label(file_type: FileType) -> Text {
    match file_type {
        FileType::Folder => text!("Folder"),
        FileType::Document => text!("Document"),
        FileType::Spreadsheet => text!("Spreadsheet"),
        FileType::Note => text!("Note"),
        FileType::Publication => text!("Publication"),
        FileType::Presentation => text!("Presentation"),
        FileType::Pdf => text!("PDF"),
        FileType::UploadedFile => text!("Uploaded file"),
    }
}

pub struct Listing<'l> {
    pub list: &'l FileList,
    pub caption: Text,
    /// What is said if there are no files.
    pub empty: Text,
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
            caption {
                (caption)
                // The number of a longer list is not known.
                @if !list.has_more { ", " (counted(list.items.len(), text!("{n} entry"), text!("{n} entries"))) }
                @if sort.is_empty() { ", " (text!("newest first")) }
            }
            thead {
                tr {
                    @if is_choosable { th scope="col" { span.hidden { (text!("Chosen")) } } }
                    th scope="col" { (text!("Name")) }
                    th scope="col" { (text!("Size")) }
                    th scope="col" { (text!("By")) }
                    th scope="col" { (text!("Changed")) }
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
                div.tools role="group" aria-label=(text!("With the chosen files")) {
                    button.quiet name="action" value=(MOVE) { (text!("Move the chosen")) }
                    button.danger name="action" value=(TRASH) { (text!("Move the chosen to the trash")) }
                }
            }))
        } @else { (files) }
        @if let Some(cursor) = &list.next_cursor {
            nav.pages aria-label=(text!("Pages of the list")) {
                a rel="next" href=(next(cursor)) { (text!("Next page")) }
            }
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
                        aria-label=(title!("Choose {file}", file = file.name));
                }
            }
            td.name { (icon(file.kind)) span.hidden { (label(file.kind)) " " } a href=(file_href(file.id)) { (name(&file.name)) } }
            td { @if let Some(size) = details.and_then(|details| details.bytes) { (bytes(size)) } }
            td { @if let Some(by) = details.and_then(|details| details.updated_by.as_ref()) { (actor(by)) } }
            td { (time(file.updated_at)) }
        }
    }
}
