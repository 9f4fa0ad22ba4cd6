//! Maps the type of a file to the type of its content.

/// Evaluates an expression with the content type of a file type as `$content`; `None` for folders and uploads.
#[macro_export]
macro_rules! of_kind {
    ($type:expr, $content:ident => $expression:expr) => {
        match $type {
            $crate::file_type::FileType::Document => {
                type $content = $crate::documents::content::DocumentContent;
                Some($expression)
            }
            $crate::file_type::FileType::Spreadsheet => {
                type $content = $crate::spreadsheets::content::SpreadsheetContent;
                Some($expression)
            }
            $crate::file_type::FileType::Note => {
                type $content = $crate::notes::content::NoteContent;
                Some($expression)
            }
            $crate::file_type::FileType::Publication => {
                type $content = $crate::publications::content::PublicationContent;
                Some($expression)
            }
            $crate::file_type::FileType::Presentation => {
                type $content = $crate::presentations::content::PresentationContent;
                Some($expression)
            }
            $crate::file_type::FileType::Folder
            | $crate::file_type::FileType::Pdf
            | $crate::file_type::FileType::UploadedFile => None,
        }
    };
}
