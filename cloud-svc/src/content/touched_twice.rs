//! What edits and others have both changed: whether the edits can be made anew, on what others have made of the content.

use std::collections::BTreeSet;

use shared_model::Error;

use super::{Content, PartKey, overlap};

/// What both `edit` and others have changed since `base`; and what `edit` would change in `current` but did not change in
/// `base`, for that would put back what others have changed. Where there is nothing of it, neither side loses a change.
pub fn touched_twice<C: Content>(
    base: &C,
    current: &C,
    edit: impl Fn(&C) -> Result<C, Error>,
) -> Result<BTreeSet<PartKey>, Error> {
    let theirs = base.differences(current);
    let ours = base.differences(&edit(base)?);
    let both = ours.iter().filter(|key| theirs.iter().any(|other| overlap(key, other))).cloned();
    let touched: BTreeSet<PartKey> = both.collect();
    if !touched.is_empty() {
        return Ok(touched);
    }
    let now = current.differences(&edit(current)?);
    Ok(now.difference(&ours).cloned().collect())
}
