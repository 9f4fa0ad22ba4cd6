//! Lists of files, as a table.

use maud::{Markup, html};

use super::phrases::{file_href, name, time};
use crate::files::list::FileList;
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

/// With a link to the next page.
pub fn table(list: &FileList, caption: &str, empty: &str, next: impl Fn(&str) -> String) -> Markup {
    html! {
        @if list.items.is_empty() {
            p { (empty) }
        } @else {
            table.files {
                caption { (caption) }
                thead { tr { th scope="col" { "Name" } th scope="col" { "Type" } th scope="col" { "Changed" } } }
                tbody {
                    @for file in &list.items {
                        tr {
                            td { a href=(file_href(file.id)) { (name(&file.name)) } }
                            td { (label(file.kind)) }
                            td { (time(file.updated_at)) }
                        }
                    }
                }
            }
        }
        @if let Some(cursor) = &list.next_cursor {
            nav.pages aria-label="Pages of the list" { a rel="next" href=(next(cursor)) { "Next page" } }
        }
    }
}
