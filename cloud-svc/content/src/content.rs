//! What the native kinds of content have in common: they are created, edited by plans, compared and looked through.

use std::{collections::BTreeSet, fmt::Debug};

use serde::{Serialize, de::DeserializeOwned};
use shared_model::{Code, Error, FromJson, Name, Problem, Random};
use utoipa::ToSchema;

use crate::{
    anchor::Anchor,
    file_type::FileType,
    operation::Operations,
    part_id::PartId,
    passage::{Link, Passage},
    preview::Preview,
};

/// Content of native files of one type.
///
/// [`FromJson`] holds the rules of the spec, for what is created and for what edits come to. Stored content is read
/// by [`DeserializeOwned`], without a rule: it was judged when it was written.
pub trait Content:
    Clone + Debug + PartialEq + Serialize + DeserializeOwned + FromJson + ToSchema + Send + Sync + 'static
{
    /// The files that have it.
    const TYPE: FileType;
    /// The member `kind` of plans for it.
    const KIND: &'static str;

    /// An edit of it.
    type Operation: FromJson + Operations + Serialize + Clone + Debug + Send + Sync + 'static;

    /// The smallest valid content of a file with this name.
    fn smallest(name: &Name) -> Self;

    /// Gives an id to every part that has none.
    fn give_ids(&mut self, random: &Random);

    /// Gives an id to every part that the operation brings and that has none.
    fn give_ids_in(operation: &mut Self::Operation, random: &Random);

    /// Whether plans cannot change it, by its stored text; none for kinds that can always be changed.
    fn is_read_only(stored: &str) -> Option<bool> {
        let _ = stored;
        None
    }

    /// What must not be created, though it may be in a file already; each problem at its pointer within the content.
    fn forbidden(&self) -> Option<Forbidden> {
        None
    }

    /// Carries out one operation, noting in `preview` each change that it makes. An error leaves the content undefined.
    fn edit(&mut self, operation: &Self::Operation, preview: &mut Preview) -> Result<(), Error>;

    /// The ids of its parts. Within a file an id is never given to another part, even after the first is deleted.
    fn part_ids(&self) -> Vec<&PartId>;

    /// All its text, in reading order, with the links.
    fn passages(&self) -> impl Iterator<Item = Passage<'_>>;

    /// What a reader can follow.
    fn links(&self) -> Vec<Link<'_>> {
        crate::passage::links(self.passages())
    }

    /// What is not the same in `later`: the keys of parts that differ, are missing, are new or have another place among
    /// the others.
    fn differences(&self, later: &Self) -> BTreeSet<PartKey>;

    /// The keys of parts that may be other parts in `later`, under the same name.
    fn ambiguous(&self, later: &Self) -> BTreeSet<PartKey> {
        let _ = later;
        BTreeSet::new()
    }

    /// Whether there is what a comment is about.
    fn has_anchor(&self, anchor: &Anchor) -> bool;

    /// Where an anchor of this content is after the operation.
    fn shift_anchor(operation: &Self::Operation, anchor: Anchor) -> Anchor {
        let _ = operation;
        anchor
    }
}

/// Why content must not be created: a code, and where.
#[derive(Debug)]
pub struct Forbidden {
    /// The code of the refusal.
    pub code: &'static Code,
    /// All places.
    pub problems: Vec<Problem>,
}

/// The name of what an edit can touch: `b_1`, `Budget`, `Budget!B2`, `title`. A key with `!` is within the one before it.
pub type PartKey = String;

/// Whether a change of one of these is a change of the other: they are the same, or one is within the other.
pub fn overlap(one: &str, other: &str) -> bool {
    let is_within = |inner: &str, outer: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('!'));
    one == other || is_within(one, other) || is_within(other, one)
}

#[cfg(test)]
mod tests {
    use super::overlap;

    #[test]
    fn a_sheet_overlaps_its_cells_and_no_other_sheet() {
        assert!(overlap("Budget", "Budget"));
        assert!(overlap("Budget!B2", "Budget"));
        assert!(overlap("Budget", "Budget!B2"));
        assert!(!overlap("Budget!B2", "Budget!B20"));
        assert!(!overlap("Budget", "Budget 2"));
    }
}
