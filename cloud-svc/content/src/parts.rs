//! Lists of parts: blocks, pages, slides and elements.

use std::collections::{BTreeSet, HashMap};

use shared_model::{Error, JsonReader};

use super::{order, part_id::PartId, preview::Preview};

/// A part that edits and comments can name.
pub trait Part {
    /// `None` until it is given an id.
    fn id(&self) -> Option<&PartId>;
}

/// Notes that a move does not say where to.
// Absent must not mean null here: a misunderstood or forgotten member would move the part to the beginning.
pub fn check_after_id<T>(reader: &JsonReader<'_>, _: Option<&T>) {
    if reader.value().is_object() && reader.value().get("after_id").is_none() {
        reader.note("", "must have the member \"after_id\": the part before the new place, or null for the beginning");
    }
}

/// The index of the part; `at` is the JSON pointer of its id in the operation.
pub fn find<P: Part>(parts: &[P], id: &PartId, at: &str, preview: &Preview) -> Result<usize, Error> {
    let found = parts.iter().position(|part| part.id() == Some(id));
    found.ok_or_else(|| preview.not_there(at, id))
}

/// The index after the part `after`, or the end.
pub fn index_after<P: Part>(parts: &[P], after: Option<&PartId>, preview: &Preview) -> Result<usize, Error> {
    after.map_or(Ok(parts.len()), |after| Ok(find(parts, after, "/after_id", preview)? + 1))
}

/// The index after the part `after`, or the beginning, counted without the part at `from`.
pub fn index_of_move<P: Part>(
    parts: &[P],
    from: usize,
    after: Option<&PartId>,
    preview: &Preview,
) -> Result<usize, Error> {
    let Some(after) = after else { return Ok(0) };
    match find(parts, after, "/after_id", preview)? {
        after if after == from => Err(preview.invalid("/after_id", "must not be the one that is moved")),
        // Without the moved part, the parts after it have moved up.
        after if after > from => Ok(after),
        after => Ok(after + 1),
    }
}

pub fn id_before<P: Part>(parts: &[P], index: usize) -> Option<PartId> {
    parts[..index].last().and_then(|part| part.id().cloned())
}

/// The ids of parts that only one list has, that differ, or that have moved among the others.
pub fn changed<'a, P: Part>(
    before: &'a [P],
    later: &'a [P],
    is_same: impl Fn(&'a P, &'a P) -> bool,
) -> BTreeSet<&'a str> {
    let with_id = |part: &'a P| Some((part.id()?.as_str(), part));
    let old: HashMap<&str, &P> = before.iter().filter_map(with_id).collect();
    let new: HashMap<&str, &P> = later.iter().filter_map(with_id).collect();
    let mut ids: BTreeSet<&str> = new.keys().filter(|id| !old.contains_key(*id)).copied().collect();
    ids.extend(old.iter().filter(|(id, part)| !new.get(*id).is_some_and(|new| is_same(part, new))).map(|(id, _)| *id));
    let order = |parts: &'a [P]| parts.iter().filter_map(with_id).map(|(id, _)| id).collect::<Vec<_>>();
    ids.extend(order::moved(&order(before), &order(later)));
    ids
}
