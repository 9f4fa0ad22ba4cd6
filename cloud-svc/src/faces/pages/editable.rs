//! Whether a page can edit the content of a file.

use shared_runtime::pages::SignedIn;

use crate::files::file::{FileRecord, FileState};
use cloud_content::file_type::FileType;

/// Whether a page can edit the file, and this person may propose their edits.
pub fn may_edit(visit: &SignedIn, file: &FileRecord) -> bool {
    let is_editable = matches!(file.kind, FileType::Note | FileType::Document | FileType::Spreadsheet);
    is_editable && file.state == FileState::Active && visit.may("propose_file_edit")
}
