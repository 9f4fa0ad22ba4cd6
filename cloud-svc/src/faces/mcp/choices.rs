//! The operation of a tool that stands for several.

use serde_json::Value;
use shared_model::{Problem, words};
use shared_runtime::mcp::Arguments;

use cloud_content::{
    content::Content,
    for_each_kind,
    spreadsheets::{GET_RANGE, LIST_SHEETS},
};

pub(super) const CREATES: &[(&str, &str)] = &for_each_kind!(C => (C::TYPE.as_str(), C::KIND.create.id));

/// The operations alone.
pub(super) const CREATE_OPERATIONS: &[&str] = &for_each_kind!(C => C::KIND.create.id);

pub(super) const TRASHES: &[(&str, &str)] = &[("trash", "trash_file"), ("restore", "restore_file")];

pub(super) fn create(arguments: &mut Arguments) -> Result<&'static str, Problem> {
    by_word(arguments, "type", CREATES)
}

pub(super) fn trash_or_restore(arguments: &mut Arguments) -> Result<&'static str, Problem> {
    by_word(arguments, "action", TRASHES)
}

// Not both in one call: each is an operation with its own key, and the second could fail after the first.
pub(super) fn move_or_rename(arguments: &mut Arguments) -> Result<&'static str, Problem> {
    match (arguments.contains_key("name"), arguments.contains_key("parent_id")) {
        (true, false) => Ok("rename_file"),
        (false, true) => Ok("move_file"),
        (true, true) => {
            Err(problem("name", "must be absent if parent_id is present: call the tool once for each, with two keys"))
        }
        (false, false) => Err(problem("name", "must be present, or parent_id")),
    }
}

pub(super) fn save_draft(arguments: &mut Arguments) -> Result<&'static str, Problem> {
    Ok(if arguments.contains_key("draft_id") { "update_scratch" } else { "create_scratch" })
}

pub(super) fn read_spreadsheet(arguments: &mut Arguments) -> Result<&'static str, Problem> {
    let has_range = arguments.contains_key("range") || arguments.contains_key("sheet");
    Ok(if has_range { GET_RANGE } else { LIST_SHEETS })
}

fn by_word(arguments: &mut Arguments, name: &str, choices: &[(&str, &'static str)]) -> Result<&'static str, Problem> {
    // Removed, because the operation does not know this argument.
    let word = arguments.remove(name);
    let chosen = choices.iter().find(|(known, _)| word.as_ref().and_then(Value::as_str) == Some(*known));
    chosen.map(|(_, operation)| *operation).ok_or_else(|| {
        let known: Vec<_> = choices.iter().map(|(known, _)| *known).collect();
        problem(name, &format!("must be one of {}", words::join_and(&known)))
    })
}

pub(super) fn words(choices: &[(&'static str, &str)]) -> Vec<&'static str> {
    choices.iter().map(|(word, _)| *word).collect()
}

fn problem(at: &str, rule: &str) -> Problem {
    Problem { at: format!("/{at}"), rule: rule.to_owned() }
}
