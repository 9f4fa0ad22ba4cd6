//! What edits and others have both changed: whether the edits can be made anew, on what others have made of the content.

use std::collections::BTreeSet;

use shared_model::Error;

use super::content::{Content, PartKey, overlap};

/// What both `edit` and others have changed since `base`; what `edit` would change in `current` but did not change in `base`,
/// for that would put back what others have changed; and what it would make something else of than its author was shown,
/// such as a note on a block by its place. Where there is nothing of it, neither side loses a change.
pub fn touched_twice<C: Content>(
    base: &C,
    current: &C,
    edit: impl Fn(&C) -> Result<C, Error>,
) -> Result<BTreeSet<PartKey>, Error> {
    let theirs = &base.differences(current) | &base.ambiguous(current);
    let shown = edit(base)?;
    let ours = base.differences(&shown);
    let both = ours.iter().filter(|key| theirs.iter().any(|other| overlap(key, other))).cloned();
    let touched: BTreeSet<PartKey> = both.collect();
    if !touched.is_empty() {
        return Ok(touched);
    }
    let made = edit(current)?;
    let more = current.differences(&made).difference(&ours).cloned().collect::<BTreeSet<_>>();
    let other = shown.differences(&made).intersection(&ours).cloned().collect();
    Ok(&more | &other)
}
