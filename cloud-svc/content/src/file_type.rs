//! The types of files.

shared_model::text_enum! {
    /// The type of a file.
    pub enum FileType {
        Folder = "folder",
        Document = "document",
        Spreadsheet = "spreadsheet",
        Presentation = "presentation",
        Note = "note",
        Publication = "publication",
        Pdf = "pdf",
        /// An upload that is no PDF.
        UploadedFile = "uploaded_file",
    }
}

impl FileType {
    /// The collection of files of this type, as paths name it; `None` for folders and uploads.
    pub const fn collection(self) -> Option<&'static str> {
        match self {
            Self::Document => Some("documents"),
            Self::Spreadsheet => Some("spreadsheets"),
            Self::Presentation => Some("presentations"),
            Self::Note => Some("notes"),
            Self::Publication => Some("publications"),
            Self::Folder | Self::Pdf | Self::UploadedFile => None,
        }
    }
}
