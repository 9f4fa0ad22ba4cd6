//! A small picture for each type of file.

use maud::{Markup, html};

use cloud_content::file_type::FileType;

/// Beside the name of the type for screen readers, so the picture itself is hidden from them.
pub fn icon(kind: FileType) -> Markup {
    let lines = match kind {
        FileType::Folder => "M1 3h5l2 2h7v9H1z",
        FileType::Document => "M3 1h7l3 3v11H3zM5 6h6M5 9h6M5 12h4",
        FileType::Spreadsheet => "M1 2h14v12H1zM1 6h14M1 10h14M6 2v12M11 2v12",
        FileType::Note => "M2 2h12v8l-4 4H2zM5 5h6M5 8h4",
        FileType::Publication => "M3 1h10v14H3zM5 4h6v4H5zM5 11h6",
        FileType::Presentation => "M1 2h14v9H1zM8 11v4M5 15h6",
        FileType::Pdf => "M3 1h7l3 3v11H3zM6 13c0-5 1-7 2-7s2 6 3 5-4-2-6 2",
        FileType::UploadedFile => "M3 1h7l3 3v11H3zM8 13V7M5 9l3-3 3 3",
    };
    html! {
        svg.icon viewBox="0 0 16 16" aria-hidden="true" { path d=(lines) {} }
    }
}
