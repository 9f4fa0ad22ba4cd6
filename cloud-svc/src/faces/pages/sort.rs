//! The order of a list that fits on one page.

// Longer lists stay newest first: sorted page by page, the order of one page would hide what is on the next.

use std::cmp::Reverse;

use maud::{Markup, html};

use shared_runtime::pages::Text;

use super::phrases::address;
use crate::files::{details::record::Details, file::FileRecord, list::FileList};
use cloud_content::file_type::FileType;

/// Columns that a list can be sorted by; the first is the order of the API.
const COLUMNS: [(&str, Text); 4] =
    [("", text!("Changed")), ("name", text!("Name")), ("size", text!("Size")), ("by", text!("By"))];

/// The rows in the order that was asked for.
pub fn rows<'l>(list: &'l FileList, sort: &str) -> Vec<&'l FileRecord> {
    let mut rows: Vec<&FileRecord> = list.items.iter().collect();
    let details = |file: &FileRecord| list.details.as_ref().and_then(|details| details.get(&file.id));
    match sort {
        // Folders first, as in other lists of files.
        "name" => rows.sort_by_key(|file| (file.kind != FileType::Folder, file.name.to_lowercase())),
        // Largest first: people who sort by size look for what takes the space.
        "size" => rows.sort_by_key(|file| Reverse(details(file).and_then(|details| details.bytes))),
        "by" => rows.sort_by_key(|file| details(file).and_then(author)),
        // An unknown word is not a reason to refuse a page of files.
        _ => {}
    }
    rows
}

fn author(details: &Details) -> Option<String> {
    details.updated_by.as_ref().map(|actor| actor.display_name.to_lowercase())
}

/// Links to the other orders; empty for a list of several pages.
pub fn links(list: &FileList, sort: &str, here: &str) -> Markup {
    if list.has_more || list.items.len() < 2 {
        return Markup::default();
    }
    html! {
        p.sort {
            (text!("Sort by:")) " "
            @for (index, (column, label)) in COLUMNS.iter().enumerate() {
                @if index > 0 { " · " }
                @if *column == sort { strong { (label) } } @else { a href=(address(here, &[("sort", column)])) { (label) } }
            }
        }
    }
}
