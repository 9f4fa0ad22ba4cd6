//! What a draft is to become: a native file.

use cloud_content::file_type::FileType;

shared_model::text_enum! {
    /// What a draft is to become.
    pub enum DraftType {
        /// A document.
        Document = "document",
        /// A spreadsheet.
        Spreadsheet = "spreadsheet",
        /// A presentation.
        Presentation = "presentation",
        /// A note.
        Note = "note",
        /// A publication.
        Publication = "publication",
    }
}

impl DraftType {
    /// The files that have the same content.
    pub const fn file_type(self) -> FileType {
        match self {
            Self::Document => FileType::Document,
            Self::Spreadsheet => FileType::Spreadsheet,
            Self::Presentation => FileType::Presentation,
            Self::Note => FileType::Note,
            Self::Publication => FileType::Publication,
        }
    }
}
