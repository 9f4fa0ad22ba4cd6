//! The text that an export writes for a file, in a form that an import can read.

use std::borrow::Cow;

use shared_model::Failure;

use cloud_content::{
    documents::{content::DocumentContent, markdown},
    file_type::FileType,
    notes::content::NoteContent,
};

// An import drops it, so a text that begins with it would not come back unchanged.
const MARK: char = '\u{feff}';

/// The suffixes that the names of files of a type may get. An uploaded file keeps its name.
pub const fn ends(kind: FileType) -> &'static [&'static str] {
    match kind {
        FileType::Folder | FileType::Pdf | FileType::UploadedFile => &[""],
        FileType::Document => &[".md", ".document.json"],
        FileType::Spreadsheet => &[".spreadsheet.json"],
        FileType::Presentation => &[".presentation.json"],
        FileType::Note => &[".txt", ".note.json"],
        FileType::Publication => &[".publication.json"],
    }
}

/// The suffix for a file, and its text.
pub fn written<'c>(
    kind: FileType,
    name: &str,
    stored: &'c str,
    lossless: bool,
) -> Result<(&'static str, Cow<'c, str>), Failure> {
    let readable = match kind {
        FileType::Document if !lossless => markdown_of(&serde_json::from_str(stored)?),
        FileType::Note => text_of(serde_json::from_str(stored)?, name),
        _ => None,
    };
    let ends = ends(kind);
    let (Some(first), Some(last)) = (ends.first(), ends.last()) else {
        return Err(Failure::fault("a folder cannot be written as a file"));
    };
    Ok(match readable {
        Some(text) => (first, Cow::Owned(text)),
        None => (last, Cow::Borrowed(stored)),
    })
}

/// `None` if reading the Markdown back would change the document.
fn markdown_of(content: &DocumentContent) -> Option<String> {
    let text = markdown::write::write(content);
    let again = markdown::read::read(&text).ok()?;
    (!text.starts_with(MARK) && markdown::write::write(&again) == text).then_some(text)
}

// A note is text if it has nothing else, and if the import will give it the same title again.
fn text_of(note: NoteContent, name: &str) -> Option<String> {
    let NoteContent { title, content, tags: None, pinned: None, archived: None } = note else { return None };
    (title == name && !content.starts_with(MARK)).then_some(content)
}
