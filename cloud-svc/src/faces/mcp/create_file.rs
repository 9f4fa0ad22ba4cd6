//! `create_file`: an empty file, or a file of a text.

use serde_json::Value;
use shared_model::{Problem, words};
use shared_runtime::mcp::{Arguments, Effect, Tool, ToolArgument};

use super::{arguments::parent_id, text};
use cloud_content::{content::Content, file_type::FileType, for_each_kind};

const CREATES: &[(&str, &str)] = &for_each_kind!(C => (C::TYPE.as_str(), C::KIND.create.id));
const CREATES_FOLDER: (&str, &str) = (FileType::Folder.as_str(), "create_folder");

const OPERATIONS: &[&str] = &[
    "import_text",
    "create_document",
    "create_spreadsheet",
    "create_note",
    "create_publication",
    "create_presentation",
    "create_folder",
];

/// What the text of a new file is, by its type.
const FORMATS: &[(FileType, &str)] =
    &[(FileType::Document, "markdown"), (FileType::Spreadsheet, "csv"), (FileType::Note, "text")];

pub(super) fn tools() -> Vec<Tool> {
    let tool = Tool::new(
        "create_file",
        Effect::Adds,
        OPERATIONS,
        "Create a file or folder. text: Markdown for a document, CSV for a spreadsheet, plain text for a note; without it: \
         empty.",
    );
    let tool = tool.taking([
        ToolArgument::word("type", &words()).required(),
        ToolArgument::text("name").required(),
        ToolArgument::text("text"),
        parent_id(),
    ]);
    let example = r##"{"type":"document","name":"Minutes","text":"# Minutes\n\n- Agreed: Thursday"}"##;
    vec![tool.choosing(choose).writing(text::files::changed).example(example)]
}

fn words() -> Vec<&'static str> {
    CREATES.iter().copied().chain([CREATES_FOLDER]).map(|(word, _)| word).collect()
}

fn choose(arguments: &mut Arguments) -> Result<&'static str, Problem> {
    let word = arguments.remove("type");
    let word = word.as_ref().and_then(Value::as_str).unwrap_or_default();
    if !arguments.contains_key("text") {
        let mut creates = CREATES.iter().copied().chain([CREATES_FOLDER]);
        let chosen = creates.find(|(known, _)| *known == word).map(|(_, operation)| operation);
        return chosen.ok_or_else(|| Problem {
            at: "/type".to_owned(),
            rule: format!("must be one of {}", words::join_and(&words())),
        });
    }
    let format = format(word).ok_or_else(|| Problem {
        at: "/text".to_owned(),
        rule: "must be absent unless the type is document, spreadsheet or note: create it empty, then edit it"
            .to_owned(),
    })?;
    arguments.insert("format".to_owned(), format.into());
    Ok("import_text")
}

/// The format of text for this type.
fn format(word: &str) -> Option<&'static str> {
    FORMATS.iter().find(|(known, _)| known.as_str() == word).map(|(_, format)| *format)
}
