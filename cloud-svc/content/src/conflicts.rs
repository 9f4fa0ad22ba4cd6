//! Conflicts of a rebase: whether edits can be made again on newer content.

use std::collections::BTreeSet;

use shared_model::Error;

use super::content::{Content, PartKey, overlap};

/// The keys on which the operations, which `edit` carries out, conflict with the changes from `base` to `current`; none
/// if neither side loses a change.
pub fn conflicts<C: Content>(
    base: &C,
    current: &C,
    operations: &[C::Operation],
    edit: impl Fn(&C) -> Result<C, Error>,
) -> Result<BTreeSet<PartKey>, Error> {
    let theirs = &base.differences(current) | &base.ambiguous(current);
    let shown = edit(base)?;
    let ours = base.differences(&shown);
    let both = ours.iter().filter(|key| theirs.iter().any(|other| overlap(key, other))).cloned();
    let relied_on = operations.iter().flat_map(|operation| base.relied_on(operation));
    let touched: BTreeSet<PartKey> = both.chain(relied_on.filter(|key| theirs.contains(key))).collect();
    if !touched.is_empty() {
        return Ok(touched);
    }
    // Keys need not meet for edits to meet: operations also name places, which others may have moved.
    let made = edit(current)?;
    // What it changes now but did not change in `base`: that would undo changes of others.
    let more = current.differences(&made).difference(&ours).cloned().collect::<BTreeSet<_>>();
    // What now has another result than its author saw, such as a remark on the block at an index.
    let other = shown.differences(&made).intersection(&ours).cloned().collect();
    Ok(&more | &other)
}
