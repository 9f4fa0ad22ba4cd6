//! What a person can make on a page.

pub struct Kind {
    /// The value of the field `kind`.
    pub word: &'static str,
    pub name: &'static str,
    pub title: &'static str,
    /// The format of its text, for `import_text`.
    pub format: Option<&'static str>,
    /// What the text is, for the person.
    pub text: &'static str,
}

pub const UPLOAD: &str = "upload";

#[rustfmt::skip]
pub const KINDS: [Kind; 5] = [
    Kind { word: "document",    name: "Document",    title: "New document",    format: Some("markdown"), text: "Text, in Markdown" },
    Kind { word: "note",        name: "Note",        title: "New note",        format: Some("text"),     text: "Text, shown as Markdown" },
    Kind { word: "spreadsheet", name: "Spreadsheet", title: "New spreadsheet", format: Some("csv"),      text: "Cells, as comma-separated values" },
    Kind { word: "folder",      name: "Folder",      title: "New folder",      format: None,             text: "" },
    Kind { word: UPLOAD,        name: "Upload",      title: "Upload a file",   format: None,             text: "" },
];
