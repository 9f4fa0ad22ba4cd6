//! What a person can make on a page.

use shared_runtime::pages::Text;

pub struct Kind {
    /// The value of the field `kind`.
    pub word: &'static str,
    pub name: Text,
    pub title: Text,
    /// The format of its text, for `import_text`.
    pub format: Option<&'static str>,
    /// What the text is, for the person.
    pub text: Option<Text>,
}

pub const UPLOAD: &str = "upload";

#[rustfmt::skip]
pub const KINDS: [Kind; 5] = [
    Kind { word: "document",    name: text!("Document"),    title: text!("New document"),    format: Some("markdown"), text: Some(text!("Text, in Markdown")) },
    Kind { word: "note",        name: text!("Note"),        title: text!("New note"),        format: Some("text"),     text: Some(text!("Text, shown as Markdown")) },
    Kind { word: "spreadsheet", name: text!("Spreadsheet"), title: text!("New spreadsheet"), format: Some("csv"),      text: Some(text!("Cells, as comma-separated values")) },
    Kind { word: "folder",      name: text!("Folder"),      title: text!("New folder"),      format: None,             text: None },
    Kind { word: UPLOAD,        name: text!("Upload"),      title: text!("Upload a file"),   format: None,             text: None },
];
