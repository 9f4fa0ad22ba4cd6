//! Tables of files.

use maud::{Markup, html};
use serde::Deserialize;
use shared_model::Timestamp;

use super::phrases::{name, time};
use cloud_content::{file_type::FileType, kinds::native_kind};

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

pub fn kind(word: &str) -> &str {
    match FileType::from_word(word) {
        Some(FileType::Folder) => "Folder",
        Some(FileType::Pdf) => "PDF",
        Some(FileType::UploadedFile) => "Uploaded file",
        Some(native) => native_kind(native).map_or(word, |kind| kind.label),
        None => word,
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
