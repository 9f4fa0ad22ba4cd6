//! Notes: a title, and a text that is shown as Markdown.

mod authored;
pub mod content;
pub mod edit;
mod lines;
pub mod links;
pub mod markdown;
pub mod outline;

use std::{borrow::Cow, collections::BTreeSet};

use shared_model::{Error, Name, Random};

use self::{content::NoteContent, edit::operation::NoteOperation};
use crate::{
    anchor::Anchor,
    comparison::{member, replaced},
    content::{BYTE_ORDER_MARK, Content, PartKey},
    grid::{Area, Grid, Sources},
    native_kind::{NativeKind, native_kind},
    part_id::PartId,
    passage::{Link, Passage, Place},
    preview::Preview,
    view::{self, View},
    written::{Spot, Written},
};

const KIND: NativeKind = native_kind!(
    Note, "note", "Note", plan_kind = "note", file_ends = [".txt"],
    create = { "Without `content` its title is the name of the file and its text is empty.", refuses = &[] },
    read = { "The text is stored as sent and shown as Markdown.", refuses = &[] },
);

impl Content for NoteContent {
    const KIND: &'static NativeKind = &KIND;
    const VIEWS: &'static [(&'static str, View)] = &[view::FULL, view::OUTLINE, view::MARKDOWN];
    type Operation = NoteOperation;
    type OutlineEntry = outline::NoteHeading;

    fn smallest(name: &Name) -> Self {
        let (title, content) = (name.as_str().to_owned(), String::new());
        Self { title, content, tags: None, pinned: None, archived: None }
    }

    fn give_ids(&mut self, _: &Random) {}

    fn give_ids_in(_: &mut NoteOperation, _: &Random) {}

    fn edit(&mut self, operation: &NoteOperation, preview: &mut Preview) -> Result<(), Error> {
        edit::edit(self, operation, preview)
    }

    fn part_ids(&self) -> Vec<&PartId> {
        Vec::new()
    }

    fn grids(&self) -> Vec<Grid> {
        authored::grids(self)
    }

    fn sources(&self, later: &Self, _: Option<&[NoteOperation]>) -> Sources {
        authored::sources(self, later)
    }

    fn place_of(&self, grid: usize, area: &Area) -> String {
        authored::place(grid, area)
    }

    fn passages(&self) -> impl Iterator<Item = Passage<'_>> {
        let tags = self.tags.iter().flatten().map(|tag| passage("tags", tag));
        [passage("title", &self.title), passage("content", &self.content)].into_iter().chain(tags)
    }

    fn shown_as_markdown(&self) -> Option<Passage<'_>> {
        Some(passage("content", &self.content))
    }

    fn written(&self) -> Vec<Written<'_>> {
        let tags = self.tags.iter().flatten().map(|tag| ("tags", tag));
        let members = [("title", &self.title), ("content", &self.content)].into_iter().chain(tags);
        members.map(|(name, text)| Written { spot: Spot::Member(name), text: Cow::Borrowed(text) }).collect()
    }

    fn tags(&self) -> &[String] {
        self.tags.as_deref().unwrap_or_default()
    }

    fn links(&self) -> Vec<Link<'_>> {
        links::find(&self.content)
    }

    fn differences(&self, later: &Self) -> BTreeSet<PartKey> {
        let Self { title, content, tags, pinned, archived } = self;
        // An absent flag is false and absent tags are empty: writing them out makes no difference.
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

    fn compare(&self, later: &Self, preview: &mut Preview) -> Result<(), Error> {
        let Self { title, content, tags, pinned, archived } = self;
        let tags_of = |tags: &'_ Option<Vec<String>>| tags.clone().unwrap_or_default();
        replaced(|| member("title"), Some(title), Some(&later.title), preview)?;
        replaced(|| member("content"), Some(content), Some(&later.content), preview)?;
        replaced(|| member("tags"), Some(&tags_of(tags)), Some(&tags_of(&later.tags)), preview)?;
        for (name, old, new) in [("pinned", pinned, later.pinned), ("archived", archived, later.archived)] {
            replaced(|| member(name), Some(&old.unwrap_or_default()), Some(&new.unwrap_or_default()), preview)?;
        }
        Ok(())
    }

    fn outlined(&self) -> Vec<Self::OutlineEntry> {
        outline::outline(self)
    }

    fn marked_down(&self) -> String {
        markdown::markdown(self)
    }

    /// The text, if the note says nothing else: an import takes its title from the name of the file.
    fn exported(&self, name: &str, _: bool) -> Option<String> {
        let Self { title, content, tags: None, pinned: None, archived: None } = self else { return None };
        (title == name && !content.starts_with(BYTE_ORDER_MARK)).then(|| content.clone())
    }

    // Lines have no places, so only a whole note is protected.
    fn changes_at(&self, _: &Self, _: Option<&[NoteOperation]>, places: &[Anchor]) -> Vec<bool> {
        vec![false; places.len()]
    }

    fn has_anchor(&self, anchor: &Anchor) -> bool {
        anchor.is_whole()
    }
}

fn passage<'a>(member: &'static str, text: &'a str) -> Passage<'a> {
    Passage { place: Place::Part(member), text, link: None }
}
