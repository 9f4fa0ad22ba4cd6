//! What files say, as HTML: a file for each kind of content. None of it knows HTTP or the database.

pub mod canvas;
pub mod document;
mod drawing;
pub mod note;
pub mod sheet;
pub mod spreadsheet;
pub mod upload;

use maud::Markup;
use shared_model::{Failure, Refusal};

use super::{
    discussion::Discussion,
    paging::{self, Part},
};
use crate::files::file::FileType;

/// Which part of a content is shown, and with what.
pub struct Shown<'a> {
    /// The asked page, from 1.
    pub page: usize,
    /// The asked sheet, from 1.
    pub sheet: usize,
    /// The comments, which stand beside what they are about where that is shown.
    pub discussion: &'a Discussion,
    /// The page's address with this sheet and page.
    pub href: &'a dyn Fn(Option<usize>, usize) -> String,
}

impl Shown<'_> {
    /// Links between the pages of a content without sheets.
    fn links(&self, part: Part) -> Markup {
        paging::links("Pages of the content", part, |page| (self.href)(None, page))
    }
}

/// The content of a file of this type, as JSON text, as HTML.
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

/// The number in a query parameter that counts from 1; absent: the first.
pub fn asked_sheet(text: Option<&str>) -> Result<usize, Refusal> {
    paging::asked(text).map_err(|_| shared_model::code::invalid_parameter("sheet", "must be the number of a sheet"))
}
