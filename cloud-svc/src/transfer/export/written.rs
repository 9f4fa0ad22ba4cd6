//! What is written of a file: its content, in a form that an import reads back.

use std::borrow::Cow;

use shared_model::Failure;

use cloud_content::{
    documents::{content::DocumentContent, markdown},
    file_type::FileType,
    notes::content::NoteContent,
};

/// A byte order mark, which an import takes off again.
const MARK: char = '\u{feff}';

/// The ends that the names of files of a type may have: that of an upload stays as it is.
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

/// The end of the name of a file called `name`, and what is written.
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
        return Err(Failure::fault("a file without content is to be written"));
    };
    Ok(match readable {
        Some(text) => (first, Cow::Owned(text)),
        None => (last, Cow::Borrowed(stored)),
    })
}

/// The document as Markdown, if what is read back is written the same.
fn markdown_of(content: &DocumentContent) -> Option<String> {
    let text = markdown::write::write(content);
    let again = markdown::read::read(&text).ok()?;
    (!text.starts_with(MARK) && markdown::write::write(&again) == text).then_some(text)
}

/// The text of a note that says nothing but that, under the title that its name will be.
fn text_of(note: NoteContent, name: &str) -> Option<String> {
    let NoteContent { title, content, tags: None, pinned: None, archived: None } = note else { return None };
    (title == name && !content.starts_with(MARK)).then_some(content)
}
