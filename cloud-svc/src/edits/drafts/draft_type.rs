//! The types of drafts.

use cloud_content::file_type::FileType;

shared_model::text_enum! {
    /// The type of the file that a draft can become.
    pub enum DraftType {
        Document = "document",
        Spreadsheet = "spreadsheet",
        Presentation = "presentation",
        Note = "note",
        Publication = "publication",
    }
}

impl DraftType {
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
