//! The form that converts an upload to a native file.

use maud::{Markup, html};
use shared_runtime::pages::SignedIn;

use super::phrases::file_href;
use crate::{
    base::ids::VersionId,
    files::{
        file::{FileRecord, FileState},
        versions::read::UploadedContent,
    },
    transfer::import::source,
};

/// Empty for what cannot be converted. `version` is the one that is shown; the current one is converted.
pub fn form(visit: &SignedIn, file: &FileRecord, version: VersionId, uploaded: &UploadedContent) -> Markup {
    let is_current = file.current_version_id == Some(version);
    let is_small = usize::try_from(uploaded.bytes).is_ok_and(|bytes| bytes <= source::SOURCE_BYTES);
    let can_convert = is_current && is_small && source::format(&file.name).is_ok();
    if !can_convert || file.state != FileState::Active || !visit.may("convert_file") {
        return Markup::default();
    }
    let inside = html! {
        button.quiet { (text!("Make a file of it that can be edited here")) }
        p.note { (text!("The upload stays as it is.")) }
    };
    visit.form(&format!("{}/convert", file_href(file.id)), inside)
}
