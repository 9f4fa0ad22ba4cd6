//! The types of files, and the collections that native files are in.

shared_model::text_enum! {
    /// What a file is.
    pub enum FileType {
        /// Holds other files.
        Folder = "folder",
        /// A native document.
        Document = "document",
        /// A native spreadsheet.
        Spreadsheet = "spreadsheet",
        /// A native presentation.
        Presentation = "presentation",
        /// A native note.
        Note = "note",
        /// A native publication.
        Publication = "publication",
        /// An uploaded PDF.
        Pdf = "pdf",
        /// Any other upload.
        UploadedFile = "uploaded_file",
    }
}

impl FileType {
    /// The collection of native files of this type, as paths name it.
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
