//! Which protected places an edit touches.

use crate::{anchor::Anchor, content::Content};

/// Those of these places that `later` changes or deletes. `edits` are the operations that made it, if any did.
pub fn touched<'a, C: Content>(
    before: &C,
    later: &C,
    edits: Option<&[C::Operation]>,
    places: &'a [Anchor],
) -> Vec<&'a Anchor> {
    // Most files protect nothing, and a workbook is not compared for that.
    if places.is_empty() {
        return Vec::new();
    }
    let changes = before.changes_at(later, edits, places);
    let is_touched = |(place, changes): &(&Anchor, bool)| *changes || place.is_whole() && before != later;
    places.iter().zip(changes).filter(is_touched).map(|(place, _)| place).collect()
}
