//! The content of files as HTML, without HTTP and the database.

pub mod canvas;
pub mod document;
mod drawing;
mod headings;
pub mod note;
pub mod sheet;
pub mod shown;
pub mod spreadsheet;
pub mod upload;

use maud::Markup;
use shared_model::{Failure, Refusal};

use self::shown::Shown;
use super::paging;
use cloud_content::file_type::FileType;

/// `json` is the content of a file of this type.
pub fn render(kind: FileType, json: &str, shown: &Shown<'_>) -> Result<Markup, Failure> {
    Ok(match kind {
        FileType::Document => document::render(&serde_json::from_str(json)?, shown),
        FileType::Spreadsheet => spreadsheet::render(&serde_json::from_str(json)?, shown),
        FileType::Note => note::render(&serde_json::from_str(json)?, shown),
        FileType::Publication => canvas::publication(&serde_json::from_str(json)?, shown),
        FileType::Presentation => canvas::presentation(&serde_json::from_str(json)?, shown),
        FileType::Pdf | FileType::UploadedFile => upload::render(&serde_json::from_str(json)?),
        FileType::Folder => Markup::default(),
    })
}

/// The sheet in the query, from 1, or the first.
pub fn asked_sheet(text: Option<&str>) -> Result<usize, Refusal> {
    paging::asked(text).map_err(|_| shared_model::code::invalid_parameter("sheet", "must be the number of a sheet"))
}
