//! Which operation a tool comes to, where it stands for several.

use serde_json::Value;
use shared_model::{Problem, words};
use shared_runtime::mcp::Arguments;

/// The types of files that `create_file` makes, and the operations.
pub(super) const CREATES: &[(&str, &str)] = &[
    ("document", "create_document"),
    ("spreadsheet", "create_spreadsheet"),
    ("note", "create_note"),
    ("publication", "create_publication"),
    ("presentation", "create_presentation"),
];

/// What `trash_or_restore` does, and the operations.
pub(super) const TRASHES: &[(&str, &str)] = &[("trash", "trash_file"), ("restore", "restore_file")];

/// By `type`.
pub(super) fn create(arguments: &mut Arguments) -> Result<&'static str, Problem> {
    by_word(arguments, "type", CREATES)
}

/// By `action`.
pub(super) fn trash_or_restore(arguments: &mut Arguments) -> Result<&'static str, Problem> {
    by_word(arguments, "action", TRASHES)
}

/// A `name` renames, a `parent_id` moves.
pub(super) fn move_or_rename(arguments: &mut Arguments) -> Result<&'static str, Problem> {
    match (arguments.contains_key("name"), arguments.contains_key("parent_id")) {
        (true, false) => Ok("rename_file"),
        (false, true) => Ok("move_file"),
        (true, true) => {
            Err(problem("name", "must not come with parent_id: call the tool once for each, each with its own key"))
        }
        (false, false) => Err(problem("name", "must be there, or parent_id")),
    }
}

/// A `draft_id` is written anew.
pub(super) fn save_draft(arguments: &mut Arguments) -> Result<&'static str, Problem> {
    Ok(if arguments.contains_key("draft_id") { "update_scratch" } else { "create_scratch" })
}

/// A `range` of a sheet, or the sheets.
pub(super) fn read_spreadsheet(arguments: &mut Arguments) -> Result<&'static str, Problem> {
    let has_range = arguments.contains_key("range") || arguments.contains_key("sheet");
    Ok(if has_range { "get_range" } else { "list_sheets" })
}

fn by_word(arguments: &mut Arguments, name: &str, choices: &[(&str, &'static str)]) -> Result<&'static str, Problem> {
    let word = arguments.remove(name);
    let chosen = choices.iter().find(|(known, _)| word.as_ref().and_then(Value::as_str) == Some(*known));
    chosen.map(|(_, operation)| *operation).ok_or_else(|| {
        let known: Vec<_> = choices.iter().map(|(known, _)| *known).collect();
        problem(name, &format!("must be one of {}", words::join_and(&known)))
    })
}

/// The words of these choices.
pub(super) fn words(choices: &[(&'static str, &str)]) -> Vec<&'static str> {
    choices.iter().map(|(word, _)| *word).collect()
}

fn problem(at: &str, rule: &str) -> Problem {
    Problem { at: format!("/{at}"), rule: rule.to_owned() }
}
