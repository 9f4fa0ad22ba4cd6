//! Tables of files.

use maud::{Markup, html};
use serde::Deserialize;
use shared_model::Timestamp;

use super::phrases::{name, time};

// The members of a file's record that pages show.
#[derive(Debug, Deserialize)]
pub struct FileSeen {
    pub id: String,
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub parent_id: Option<String>,
    pub current_version_id: Option<String>,
    pub etag: String,
    pub state: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl FileSeen {
    pub fn href(&self) -> String {
        format!("/f/{}", self.id)
    }

    pub fn is_trashed(&self) -> bool {
        self.state == "trashed"
    }
}

// As `list_files` and `search_files` answer.
#[derive(Debug, Deserialize)]
pub struct Listing {
    items: Vec<FileSeen>,
    next_cursor: Option<String>,
}

pub fn kind(kind: &str) -> &str {
    match kind {
        "folder" => "Folder",
        "document" => "Document",
        "spreadsheet" => "Spreadsheet",
        "presentation" => "Presentation",
        "note" => "Note",
        "publication" => "Publication",
        "pdf" => "PDF",
        "uploaded_file" => "Uploaded file",
        other => other,
    }
}

impl Listing {
    /// With a link to the next page.
    pub fn table(&self, caption: &str, empty: &str, next: impl Fn(&str) -> String) -> Markup {
        html! {
            @if self.items.is_empty() {
                p { (empty) }
            } @else {
                table.files {
                    caption { (caption) }
                    thead { tr { th scope="col" { "Name" } th scope="col" { "Type" } th scope="col" { "Changed" } } }
                    tbody {
                        @for file in &self.items {
                            tr {
                                td { a href=(file.href()) { (name(&file.name)) } }
                                td { (kind(&file.kind)) }
                                td { (time(file.updated_at)) }
                            }
                        }
                    }
                }
            }
            @if let Some(cursor) = &self.next_cursor {
                nav.pages aria-label="Pages of the list" { a rel="next" href=(next(cursor)) { "Next page" } }
            }
        }
    }
}
