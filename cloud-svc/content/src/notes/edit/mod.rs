//! Edits of notes.

pub mod operation;

#[cfg(test)]
mod tests;

use serde::Serialize;
use shared_model::Error;

use self::operation::{NoteOperation, ReplaceTextInNote};
use super::content::{CONTENT_MAX, NoteContent};
use crate::preview::{ChangeKind, ChangedPlace, Preview};

/// Carries out one operation.
pub fn edit(note: &mut NoteContent, operation: &NoteOperation, preview: &mut Preview) -> Result<(), Error> {
    match operation {
        NoteOperation::SetTitle(set) => set_text("title", &mut note.title, &set.title, preview),
        NoteOperation::SetContent(set) => set_text("content", &mut note.content, &set.content, preview),
        NoteOperation::AppendText(append) => {
            let content = format!("{}{}", note.content, append.text);
            set_text("content", &mut note.content, &content, preview)
        }
        NoteOperation::AppendMarkdown(append) => {
            let between = match note.content.as_str() {
                "" => "",
                text if text.ends_with("\n\n") => "",
                text if text.ends_with('\n') => "\n",
                _ => "\n\n",
            };
            let content = [&note.content, between, &append.markdown].concat();
            set_text("content", &mut note.content, &content, preview)
        }
        NoteOperation::ReplaceTextInNote(replace) => {
            let content = replaced(&note.content, replace, preview)?;
            set_text("content", &mut note.content, &content, preview)
        }
        NoteOperation::SetTags(set) => {
            if note.tags.as_deref().unwrap_or_default() != set.tags {
                record("tags", note.tags.as_deref(), Some(set.tags.as_slice()), preview)?;
                note.tags = Some(set.tags.clone());
            }
            Ok(())
        }
        NoteOperation::SetFlags(set) => {
            set_flag("pinned", &mut note.pinned, set.pinned, preview)?;
            set_flag("archived", &mut note.archived, set.archived, preview)
        }
    }
}

/// Notes the change of a member.
fn record<T: Serialize + ?Sized>(
    member: &'static str,
    before: Option<&T>,
    after: Option<&T>,
    preview: &mut Preview,
) -> Result<(), Error> {
    let place = ChangedPlace { member: Some(member.into()), ..ChangedPlace::default() };
    preview.change(ChangeKind::Replace, place, before, after)
}

fn set_text(member: &'static str, text: &mut String, to: &str, preview: &mut Preview) -> Result<(), Error> {
    if text != to {
        record(member, Some(text.as_str()), Some(to), preview)?;
        to.clone_into(text);
    }
    Ok(())
}

// An absent flag is false, so setting it to false changes nothing.
fn set_flag(
    member: &'static str,
    flag: &mut Option<bool>,
    to: Option<bool>,
    preview: &mut Preview,
) -> Result<(), Error> {
    if to.is_some_and(|to| to != flag.unwrap_or_default()) {
        record(member, flag.as_ref(), to.as_ref(), preview)?;
        *flag = to;
    }
    Ok(())
}

// The length is computed before the text is built: many short occurrences could become more than fits into memory.
fn replaced(text: &str, replace: &ReplaceTextInNote, preview: &Preview) -> Result<String, Error> {
    let ReplaceTextInNote { find, replace, expected_count } = replace;
    let hits = text.matches(find.as_str()).count();
    if i64::try_from(hits).ok() != Some(*expected_count) {
        return Err(match hits {
            0 => preview.invalid("/find", "must occur in the content"),
            _ => preview.invalid("/expected_count", format!("must be how often the text is there, which is {hits}")),
        });
    }
    let bytes = text.len() - hits * find.len() + hits * replace.len();
    if bytes > CONTENT_MAX {
        let rule = format!("must leave at most {CONTENT_MAX} bytes of text, would leave {bytes}");
        return Err(preview.invalid("/replace", rule));
    }
    Ok(text.replace(find.as_str(), replace))
}
