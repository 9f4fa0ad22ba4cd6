//! The form that restores the content of an earlier version.

use maud::{Markup, html};
use shared_runtime::pages::{SignedIn, Text};

use super::{actions::RESTORE_VERSION, phrases::file_href};
use crate::{
    base::ids::VersionId,
    files::file::{FileRecord, FileState},
};

/// Empty if it is the current version, or if the person may not write.
pub fn restore(visit: &SignedIn, file: &FileRecord, version: VersionId, word: Text) -> Markup {
    let is_current = file.current_version_id == Some(version);
    if is_current || file.state == FileState::Trashed || !visit.may("restore_version") {
        return Markup::default();
    }
    let fields = html! {
        input type="hidden" name="action" value=(RESTORE_VERSION);
        // The state of the file that the person has seen.
        input type="hidden" name="etag" value=(file.etag);
        input type="hidden" name="version" value=(version);
        button.quiet { (word) }
    };
    visit.form(&format!("{}/change", file_href(file.id)), fields)
}
