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
        /// An upload that is not a PDF.
        UploadedFile = "uploaded_file",
    }
}
