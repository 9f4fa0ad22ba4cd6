//! Compares two versions of content: the changes from one to the other, as a plan would show them.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use serde_json::Value;
use shared_model::Error;

use crate::{
    content::Content,
    order,
    part_id::PartId,
    parts::Part,
    preview::{ChangeKind, ChangedPlace, Preview},
};

/// All changes from one content to the other; 413 if they would be longer than an answer may be.
pub fn compare<C: Content>(from: &C, to: &C) -> Result<Preview, Error> {
    let mut preview = Preview::default();
    from.compare(to, &mut preview)?;
    Ok(preview)
}

/// A part that both lists have.
pub struct Common<'a, P> {
    pub before: &'a P,
    pub later: &'a P,
}

/// Notes the parts that are deleted, inserted and moved. Returns the parts in both lists, to compare them further.
pub fn lists<'a, P: Part + Serialize>(
    before: &'a [P],
    later: &'a [P],
    place: impl Fn(Option<&PartId>) -> ChangedPlace,
    preview: &mut Preview,
) -> Result<Vec<Common<'a, P>>, Error> {
    let with_id = |part: &'a P| Some((part.id()?, part));
    let old: HashMap<&PartId, &P> = before.iter().filter_map(with_id).collect();
    let kept: HashSet<&PartId> = later.iter().filter_map(Part::id).collect();
    for part in before.iter().filter(|part| part.id().is_none_or(|id| !kept.contains(id))) {
        preview.change(ChangeKind::Delete, place(part.id()), Some(part), None::<&Value>)?;
    }
    let ids = |parts: &'a [P]| parts.iter().filter_map(Part::id).collect::<Vec<_>>();
    let moved: HashSet<&PartId> = order::moved(&ids(before), &ids(later)).into_iter().collect();
    let mut common = Vec::new();
    let mut previous = None;
    for part in later {
        let there = ChangedPlace { after_id: Some(previous), ..place(part.id()) };
        match part.id().and_then(|id| Some((id, *old.get(id)?))) {
            None => preview.change(ChangeKind::Insert, there, None::<&Value>, Some(part))?,
            Some((id, before)) => {
                if moved.contains(id) {
                    preview.change(ChangeKind::Move, there, Some(before), Some(part))?;
                }
                common.push(Common { before, later: part });
            }
        }
        previous = part.id().cloned();
    }
    Ok(common)
}

/// Notes a part or member with new content.
pub fn replaced<T: Serialize + PartialEq + ?Sized>(
    place: impl FnOnce() -> ChangedPlace,
    before: Option<&T>,
    later: Option<&T>,
    preview: &mut Preview,
) -> Result<(), Error> {
    if before == later {
        return Ok(());
    }
    preview.change(ChangeKind::Replace, place(), before, later)
}

/// The place of a member of the content.
pub fn member(name: &'static str) -> ChangedPlace {
    ChangedPlace { member: Some(name.into()), ..ChangedPlace::default() }
}
