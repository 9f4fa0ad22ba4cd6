//! The trait of all kinds of content.

use std::{
    collections::{BTreeSet, HashSet},
    fmt::Debug,
};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use shared_model::{Code, Error, Failure, FromJson, Name, Problem, Random};
use utoipa::ToSchema;

use crate::{
    anchor::Anchor,
    deleted::Deleted,
    file_type::FileType,
    grid::{Area, Grid, Sources},
    native_kind::NativeKind,
    operation::Operations,
    part_id::PartId,
    passage::{Link, Passage, Place},
    preview::{Change, PlanWarning, Preview},
    rewritten, surroundings,
    view::View,
    written::Written,
};

/// The content of files of one type.
// `FromJson` holds the rules, for new content and for the result of edits. `DeserializeOwned` reads stored content
// without them. It was checked when it was written, and a later, stricter rule must not make a file unreadable.
pub trait Content:
    Clone + Debug + PartialEq + Serialize + DeserializeOwned + FromJson + ToSchema + Send + Sync + 'static
{
    /// Its row: what everything outside its folder says of it.
    const KIND: &'static NativeKind;
    const TYPE: FileType = Self::KIND.file_type;
    /// The ways to show it.
    const VIEWS: &'static [(&'static str, View)];
    /// Where an operation moves an anchor; `None` for kinds whose parts keep their ids.
    const SHIFT_ANCHOR: Option<fn(&Self::Operation, Anchor) -> Anchor> = None;

    type Operation: FromJson + Operations + Serialize + Clone + Debug + Send + Sync + 'static;

    /// An entry of its outline; `()` for kinds without one.
    type OutlineEntry: Serialize + ToSchema;

    /// The smallest valid content of a file with this name.
    fn smallest(name: &Name) -> Self;

    fn give_ids(&mut self, random: &Random);

    /// Gives an id to each new part of the operation that has none.
    // When the plan is proposed and not when it is applied: the preview shows the ids that the parts will have.
    fn give_ids_in(operation: &mut Self::Operation, random: &Random);

    /// Whether plans cannot change the stored content; `None` for kinds that are never read-only.
    fn is_read_only(stored: &str) -> Option<bool> {
        let _ = stored;
        None
    }

    /// What may not be created, although existing files may have it. Each problem has a pointer within the content.
    fn forbidden(&self) -> Option<Forbidden> {
        None
    }

    /// Whether `later` has more formulas with lost references.
    fn loses_references(&self, later: &Self) -> bool {
        let _ = later;
        false
    }

    /// Carries out one operation and notes each change in `preview`. After an error the content must not be used.
    fn edit(&mut self, operation: &Self::Operation, preview: &mut Preview) -> Result<(), Error>;

    /// The operations that make just these of the changes that the operation makes; `None` if it makes all or none.
    fn partly(operation: &Self::Operation, kept: &[&Change]) -> Option<Vec<Self::Operation>> {
        let _ = (operation, kept);
        None
    }

    /// The member of an insert or a move that names the part before the new place.
    fn after_id_of(operation: &mut Self::Operation) -> Option<&mut Option<PartId>> {
        let _ = operation;
        None
    }

    /// The ids of all parts.
    fn part_ids(&self) -> Vec<&PartId>;

    /// The parts that have an author, in reading order.
    fn grids(&self) -> Vec<Grid>;

    /// Where the parts of `later` come from. `edits` are the operations that made it, if it was made by operations.
    fn sources(&self, later: &Self, edits: Option<&[Self::Operation]>) -> Sources;

    /// The name of parts in a table, for people and programs: `b_1:b_4`, `Budget!A1:B2`.
    fn place_of(&self, grid: usize, area: &Area) -> String;

    /// All text in reading order, with links.
    fn passages(&self) -> impl Iterator<Item = Passage<'_>>;

    /// The text that its page shows as Markdown, if it has one.
    fn shown_as_markdown(&self) -> Option<Passage<'_>> {
        None
    }

    /// What people have remarked on it.
    fn remarks(&self) -> Vec<Passage<'_>> {
        Vec::new()
    }

    /// What a search finds it by, in reading order.
    fn written(&self) -> Vec<Written<'_>>;

    /// The tags of a note; other content has none.
    fn tags(&self) -> &[String] {
        &[]
    }

    /// The links that a reader can follow.
    fn links(&self) -> Vec<Link<'_>> {
        crate::passage::links(self.passages())
    }

    /// The keys of parts that differ in `later`, are missing, are new, or have moved among the others.
    fn differences(&self, later: &Self) -> BTreeSet<PartKey>;

    /// Notes each change to `later` in `preview`.
    fn compare(&self, later: &Self, preview: &mut Preview) -> Result<(), Error>;

    /// The keys that may name other parts in `later`.
    fn ambiguous(&self, later: &Self) -> BTreeSet<PartKey> {
        let _ = later;
        BTreeSet::new()
    }

    /// The keys of parts that must stay as they are, although the operation does not change them. Otherwise it would
    /// not mean what its author meant.
    fn relied_on(&self, operation: &Self::Operation) -> Vec<PartKey> {
        let _ = operation;
        Vec::new()
    }

    /// What a reader sees around the parts with these keys, as text to compare. The whole content, if nothing less is
    /// enough to understand them.
    fn surroundings(&self, keys: &BTreeSet<PartKey>) -> Result<String, Failure> {
        let _ = keys;
        surroundings::whole(self)
    }

    /// The part of this key in a message about this content, without names that authors have chosen.
    // Agents read refusals as words of the service.
    fn key_in_message(&self, key: &str) -> String {
        key.to_owned()
    }

    /// The computed values that the operations change besides what they name, from this content to `later`. Adds a
    /// warning for each value that becomes an error.
    fn totals(
        &self,
        later: &Self,
        operations: &[Self::Operation],
        warnings: &mut Vec<PlanWarning>,
    ) -> Result<Option<Box<RawValue>>, Failure> {
        let _ = (later, operations, warnings);
        Ok(None)
    }

    /// Headings, pages or slides.
    fn outlined(&self) -> Vec<Self::OutlineEntry> {
        Vec::new()
    }

    /// Its text as Markdown.
    fn marked_down(&self) -> String {
        String::new()
    }

    /// The blocks with these ids, or all if `ids` is empty; 422 for an id that it does not have.
    fn blocks(&self, ids: &[PartId]) -> Result<Vec<Box<RawValue>>, Error> {
        let _ = ids;
        Ok(Vec::new())
    }

    /// The text of a file called `name`, if an import reads the same from it. It has the form of the first of
    /// [`NativeKind::file_ends`]. `lossless` forbids forms that leave something out.
    fn exported(&self, name: &str, lossless: bool) -> Option<String> {
        let _ = (name, lossless);
        None
    }

    /// Whether it can be shown in this way.
    fn has_view(view: View) -> bool {
        Self::VIEWS.iter().any(|(_, known)| *known == view)
    }

    /// Whether the content has the place of the anchor.
    fn has_anchor(&self, anchor: &Anchor) -> bool;

    /// For each place, whether it has other content in `later`, or is gone. False for places that it does not have, and
    /// for the whole file.
    fn changes_at(&self, later: &Self, edits: Option<&[Self::Operation]>, places: &[Anchor]) -> Vec<bool>;

    /// The ids of parts that `later` does not have.
    fn gone_part_ids(&self, later: &Self) -> Vec<&PartId> {
        let kept: HashSet<_> = later.part_ids().into_iter().collect();
        self.part_ids().into_iter().filter(|id| !kept.contains(id)).collect()
    }

    /// How many parts are gone from `later`, or have no text left. `edits` are the operations that made it, if any did.
    // A part that stays without its text is as good as deleted.
    fn deleted_parts(&self, later: &Self, edits: Option<&[Self::Operation]>) -> Deleted {
        let _ = edits;
        let (had, gone) = (self.part_ids(), self.gone_part_ids(later));
        let (old, new) = (parts_with_text(self), parts_with_text(later));
        let gone: HashSet<&str> = gone.into_iter().map(PartId::as_str).collect();
        let is_lost = |id: &str| gone.contains(id) || old.contains(id) && !new.contains(id);
        Deleted { had: had.len(), gone: had.into_iter().filter(|id| is_lost(id.as_str())).count() }
    }

    /// Whether little of its text is left in `later`, also if there is other text instead.
    fn is_rewritten(&self, later: &Self, edits: Option<&[Self::Operation]>) -> bool {
        let _ = edits;
        rewritten::is_rewritten(self.passages(), later.passages())
    }

    /// The first formula that `later` changes or deletes although another formula refers to it.
    fn relied_formula(&self, later: &Self, edits: Option<&[Self::Operation]>) -> Option<String> {
        let _ = (later, edits);
        None
    }

    /// The anchor after these operations.
    fn shift_anchor(operations: &[Self::Operation], anchor: Anchor) -> Anchor {
        match Self::SHIFT_ANCHOR {
            Some(shift) => operations.iter().fold(anchor, |anchor, operation| shift(operation, anchor)),
            None => anchor,
        }
    }
}

/// The ids of the parts that have more than whitespace.
fn parts_with_text<C: Content>(content: &C) -> HashSet<&str> {
    let passages = content.passages().filter(|passage| !passage.text.trim().is_empty());
    let ids = passages.filter_map(|passage| match passage.place {
        Place::Part(id) => Some(id),
        Place::Cell { .. } => None,
    });
    ids.collect()
}

/// An import drops it from the beginning of a file, so text that begins with it is not exported as text.
pub const BYTE_ORDER_MARK: char = '\u{feff}';

/// Why content may not be created. Each problem has a pointer within the content.
#[derive(Debug)]
pub struct Forbidden {
    pub code: &'static Code,
    pub problems: Vec<Problem>,
}

/// Names what an edit can change: `b_1`, `Budget`, `title`. A key with `!` is within the key before it: `Budget!B2`.
pub type PartKey = String;
