//! Conflicts of a rebase: whether edits can be made again on newer content.

use std::collections::BTreeSet;

use shared_model::Error;

use super::content::{Content, PartKey};

/// The keys on which the operations of `edit` conflict with the changes from `base` to `current`. None if neither side
/// loses a change.
pub fn conflicts<C: Content>(
    base: &C,
    current: &C,
    operations: &[C::Operation],
    edit: impl Fn(&C) -> Result<C, Error>,
) -> Result<BTreeSet<PartKey>, Error> {
    let theirs = &base.differences(current) | &base.ambiguous(current);
    let shown = edit(base)?;
    let ours = base.differences(&shown);
    let both = ours.iter().filter(|key| overlaps_one(key, &theirs)).cloned();
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

/// Whether the key is one of these, is within one, or has one within it.
// Both sides may have a hundred thousand keys, so they are not compared one by one.
fn overlaps_one(key: &str, keys: &BTreeSet<PartKey>) -> bool {
    let is_within_one = || key.match_indices('!').any(|(end, _)| keys.contains(&key[..end]));
    let has_one = || {
        let inner = format!("{key}!");
        keys.range(inner.clone()..).next().is_some_and(|next| next.starts_with(&inner))
    };
    keys.contains(key) || is_within_one() || has_one()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_overlaps_its_cells_and_no_other_sheet() {
        let overlaps = |key: &str, other: &str| overlaps_one(key, &BTreeSet::from([other.to_owned()]));
        assert!(overlaps("Budget", "Budget"));
        assert!(overlaps("Budget!B2", "Budget"));
        assert!(overlaps("Budget", "Budget!B2"));
        assert!(!overlaps("Budget!B2", "Budget!B20"));
        assert!(!overlaps("Budget 2", "Budget"));
        assert!(!overlaps("Budget", "Budget 2!B2"));
        let many = ["Budget 2", "Budget!!", "Budget!B1", "b_1"].map(str::to_owned).into();
        assert!(overlaps_one("Budget", &many));
        assert!(!overlaps_one("Budget!B2", &many));
    }
}
