//! Edits of notes.

pub mod operation;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use serde::Serialize;
use shared_model::{Error, Name, Random};

use self::operation::{NoteOperation, ReplaceTextInNote};
use super::{
    content::{CONTENT_MAX, NoteContent},
    links,
};
use crate::{
    anchor::Anchor,
    content::{Content, PartKey},
    file_type::FileType,
    part_id::PartId,
    passage::{Link, Passage, Place},
    preview::{ChangeKind, ChangedPlace, Preview},
};

impl Content for NoteContent {
    const TYPE: FileType = FileType::Note;
    const KIND: &'static str = "note";
    type Operation = NoteOperation;

    fn smallest(name: &Name) -> Self {
        let (title, content) = (name.as_str().to_owned(), String::new());
        Self { title, content, tags: None, pinned: None, archived: None }
    }

    fn give_ids(&mut self, _: &Random) {}

    fn give_ids_in(_: &mut NoteOperation, _: &Random) {}

    fn edit(&mut self, operation: &NoteOperation, preview: &mut Preview) -> Result<(), Error> {
        match operation {
            NoteOperation::SetTitle(set) => set_text("title", &mut self.title, &set.title, preview),
            NoteOperation::SetContent(set) => set_text("content", &mut self.content, &set.content, preview),
            NoteOperation::AppendText(append) => {
                let content = format!("{}{}", self.content, append.text);
                set_text("content", &mut self.content, &content, preview)
            }
            NoteOperation::ReplaceTextInNote(replace) => {
                let content = replaced(&self.content, replace, preview)?;
                set_text("content", &mut self.content, &content, preview)
            }
            NoteOperation::SetTags(set) => {
                if self.tags.as_deref().unwrap_or_default() != set.tags {
                    note("tags", self.tags.as_deref(), Some(set.tags.as_slice()), preview)?;
                    self.tags = Some(set.tags.clone());
                }
                Ok(())
            }
            NoteOperation::SetFlags(set) => {
                set_flag("pinned", &mut self.pinned, set.pinned, preview)?;
                set_flag("archived", &mut self.archived, set.archived, preview)
            }
        }
    }

    fn part_ids(&self) -> Vec<&PartId> {
        Vec::new()
    }

    fn passages(&self) -> impl Iterator<Item = Passage<'_>> {
        let passage = |member, text| Passage { place: Place::Part(member), text, link: None };
        let tags = self.tags.iter().flatten().map(move |tag| passage("tags", tag.as_str()));
        [passage("title", self.title.as_str()), passage("content", &self.content)].into_iter().chain(tags)
    }

    fn links(&self) -> Vec<Link<'_>> {
        links::of(&self.content)
    }

    fn differences(&self, later: &Self) -> BTreeSet<PartKey> {
        let Self { title, content, tags, pinned, archived } = self;
        // An absent flag is false and absent tags are empty: writing them out is no difference.
        let is_set = Option::unwrap_or_default;
        let members = [
            ("title", *title != later.title),
            ("content", *content != later.content),
            ("tags", tags.as_deref().unwrap_or_default() != later.tags.as_deref().unwrap_or_default()),
            ("pinned", is_set(*pinned) != is_set(later.pinned)),
            ("archived", is_set(*archived) != is_set(later.archived)),
        ];
        members.into_iter().filter(|(_, differs)| *differs).map(|(member, _)| member.to_owned()).collect()
    }

    fn has_anchor(&self, anchor: &Anchor) -> bool {
        anchor.is_whole()
    }
}

/// Notes the change of a member.
fn note<T: Serialize + ?Sized>(
    member: &'static str,
    before: Option<&T>,
    after: Option<&T>,
    preview: &mut Preview,
) -> Result<(), Error> {
    let place = ChangedPlace { member: Some(member), ..ChangedPlace::default() };
    preview.change(ChangeKind::Replace, place, before, after)
}

fn set_text(member: &'static str, text: &mut String, to: &str, preview: &mut Preview) -> Result<(), Error> {
    if text != to {
        note(member, Some(text.as_str()), Some(to), preview)?;
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
        note(member, flag.as_ref(), to.as_ref(), preview)?;
        *flag = to;
    }
    Ok(())
}

// The length is computed before the text is built: many short occurrences could become more than fits into memory.
fn replaced(text: &str, replace: &ReplaceTextInNote, preview: &Preview) -> Result<String, Error> {
    let ReplaceTextInNote { find, replace, expected_count } = replace;
    let hits = text.matches(find.as_str()).count();
    if i64::try_from(hits).ok() != Some(*expected_count) {
        return Err(preview.invalid("/expected_count", format!("must be how often the text is there, which is {hits}")));
    }
    let bytes = text.len() - hits * find.len() + hits * replace.len();
    if bytes > CONTENT_MAX {
        let rule = format!("must leave at most {CONTENT_MAX} bytes of text, would leave {bytes}");
        return Err(preview.invalid("/replace", rule));
    }
    Ok(text.replace(find.as_str(), replace))
}
