//! The text that an export writes for a file, in a form that an import can read.

use std::borrow::Cow;

use shared_model::Failure;

use cloud_content::{content::Content, file_type::FileType, kinds::native_kind, of_kind};

/// The suffixes that the names of files of a type may get. An uploaded file keeps its name.
pub fn ends(kind: FileType) -> &'static [&'static str] {
    native_kind(kind).map_or(&[""], |kind| kind.file_ends)
}

/// The suffix for a file, and its text.
pub fn written<'c>(
    kind: FileType,
    name: &str,
    stored: &'c str,
    lossless: bool,
) -> Result<(&'static str, Cow<'c, str>), Failure> {
    let text = of_kind!(kind, C => exported::<C>(stored, name, lossless)?).flatten();
    let ends = ends(kind);
    let (Some(first), Some(last)) = (ends.first(), ends.last()) else {
        return Err(Failure::fault("a folder cannot be written as a file"));
    };
    Ok(match text {
        Some(text) => (first, Cow::Owned(text)),
        None => (last, Cow::Borrowed(stored)),
    })
}

fn exported<C: Content>(stored: &str, name: &str, lossless: bool) -> Result<Option<String>, Failure> {
    // Kinds without a text form need not be parsed.
    if C::KIND.file_ends.len() == 1 {
        return Ok(None);
    }
    let content: C = serde_json::from_str(stored)?;
    Ok(content.exported(name, lossless))
}
