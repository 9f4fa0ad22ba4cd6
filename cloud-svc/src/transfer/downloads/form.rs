//! The forms in which a version can be downloaded.

use shared_model::Failure;

use cloud_content::{
    content::Content,
    file_type::FileType,
    of_kind,
    spreadsheets::{content::SpreadsheetContent, csv, xlsx},
    view::View,
};

shared_model::text_enum! {
    /// The format of native content.
    pub enum Format {
        /// Canonical JSON, as it is stored.
        Json = "json",
        /// One sheet as comma-separated values.
        Csv = "csv",
        /// A whole workbook for spreadsheet programs.
        Xlsx = "xlsx",
        /// The text.
        Markdown = "markdown",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    AsUploaded,
    Json,
    Markdown,
    /// The sheet with this index.
    Csv(u16),
    Xlsx,
}

// These numbers are part of signed links: a number must keep its meaning.
impl Form {
    pub fn number(self) -> (u8, u16) {
        match self {
            Self::AsUploaded => (0, 0),
            Self::Json => (1, 0),
            Self::Markdown => (2, 0),
            Self::Csv(sheet) => (3, sheet),
            Self::Xlsx => (4, 0),
        }
    }

    pub fn numbered(form: u8, sheet: u16) -> Option<Self> {
        Some(match (form, sheet) {
            (0, 0) => Self::AsUploaded,
            (1, 0) => Self::Json,
            (2, 0) => Self::Markdown,
            (3, sheet) => Self::Csv(sheet),
            (4, 0) => Self::Xlsx,
            _ => return None,
        })
    }

    /// The media type and the suffix of the file name; both are empty for an uploaded file.
    pub fn written_as(self, kind: FileType) -> (&'static str, String) {
        match self {
            Self::AsUploaded => ("", String::new()),
            Self::Json => ("application/json", format!(".{}.json", kind.as_str())),
            Self::Markdown => ("text/markdown; charset=utf-8", ".md".to_owned()),
            Self::Csv(_) => ("text/csv; charset=utf-8", ".csv".to_owned()),
            Self::Xlsx => (xlsx::MEDIA_TYPE, ".xlsx".to_owned()),
        }
    }
}

/// The formats of a file type; empty for one that is not native.
pub fn formats(kind: FileType) -> &'static [Format] {
    if kind == FileType::Spreadsheet {
        return &[Format::Json, Format::Csv, Format::Xlsx];
    }
    of_kind!(kind, C => C::has_view(View::Markdown))
        .map_or(&[], |marked| if marked { &[Format::Json, Format::Markdown] } else { &[Format::Json] })
}

/// Native content in this form; `None` if the content does not have the form.
pub fn written(kind: FileType, stored: String, form: Form) -> Result<Option<Vec<u8>>, Failure> {
    let text = match form {
        Form::AsUploaded => None,
        Form::Json => Some(stored),
        Form::Markdown => of_kind!(kind, C => marked_down::<C>(&stored)).transpose()?,
        Form::Csv(_) | Form::Xlsx if kind != FileType::Spreadsheet => None,
        Form::Csv(index) => {
            let content: SpreadsheetContent = serde_json::from_str(&stored)?;
            // Not raw: a spreadsheet program must not calculate the text of a cell.
            content.sheets.get(usize::from(index)).map(|sheet| csv::csv(sheet, false))
        }
        Form::Xlsx => {
            let content: SpreadsheetContent = serde_json::from_str(&stored)?;
            return xlsx::xlsx(&content).map(Some).map_err(|error| Failure::fault(error.to_string()));
        }
    };
    Ok(text.map(String::into_bytes))
}

fn marked_down<C: Content>(stored: &str) -> Result<String, Failure> {
    let content: C = serde_json::from_str(stored)?;
    Ok(content.marked_down())
}
