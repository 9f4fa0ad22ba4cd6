//! Where inserts and moves go when the part after which they go is not there.

use std::collections::{BTreeSet, HashMap};

use crate::{
    content::Content,
    part_id::PartId,
    preview::{Change, ChangeKind, ChangedPlace},
    separation::pick::Picked,
};

/// Moves inserts after the nearest part that is there: the one after which the missing part would be.
pub fn to_nearest_in<C: Content>(
    operations: &mut [Picked<C::Operation>],
    changes: &[Change],
    chosen: &BTreeSet<usize>,
) {
    let missing: HashMap<&PartId, &PartId> = changes
        .iter()
        .enumerate()
        .filter(|(index, change)| change.kind == ChangeKind::Insert && !chosen.contains(index))
        .filter_map(|(_, change)| Some((part_of(&change.place)?, change.place.after_id.as_ref()?.as_ref()?)))
        .collect();
    let operations = operations.iter_mut().map(|picked| &mut picked.operation);
    for after in operations.filter_map(C::after_id_of).flatten() {
        // Each step leads to a part that was there earlier, so this ends.
        while let Some(nearer) = missing.get(after) {
            *after = (*nearer).clone();
        }
    }
}

/// Moves inserts to where their parts are in the result.
pub fn as_in_result<C: Content>(operations: &mut [Picked<C::Operation>], changes: &[Change], result: &C) {
    // Across pages and slides too: an anchor in another list is refused by the edit itself.
    let order = result.part_ids();
    let before: HashMap<&PartId, &PartId> = order.windows(2).map(|pair| (pair[1], pair[0])).collect();
    for Picked { operation, first } in operations {
        let first = first.and_then(|index| changes.get(index));
        let inserted =
            first.filter(|change| change.kind == ChangeKind::Insert).and_then(|change| part_of(&change.place));
        let Some(Some(after)) = C::after_id_of(operation) else { continue };
        if let Some(previous) = inserted.and_then(|part| before.get(part)) {
            *after = (*previous).clone();
        }
    }
}

/// The innermost part that the place names.
fn part_of(place: &ChangedPlace) -> Option<&PartId> {
    place.element_id.as_ref().or(place.block_id.as_ref()).or(place.slide_id.as_ref()).or(place.page_id.as_ref())
}
