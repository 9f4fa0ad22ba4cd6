//! Which changes of a plan its parts have made, also parts of the plans that it was rebased from.

use std::{
    collections::{BTreeSet, HashMap},
    iter::successors,
};

use shared_model::{Failure, Timestamp};
use shared_runtime::Conn;

use super::{
    lineage::DerivedBy,
    plan::{Plan, StoredPreview},
    store::{self, DerivedPlan},
};
use crate::base::ids::{PlanId, VersionId};
use cloud_content::preview::{ChangeKind, ChangedPlace};

/// The index of a change, and the version with which a part has made it.
type Made = (usize, VersionId);

/// A plan in a line of rebases.
struct Link {
    plan: PlanId,
    base: VersionId,
    own: Vec<OwnChange>,
}

/// A change that somebody can choose.
struct OwnChange {
    index: usize,
    /// What it changes, as JSON.
    place: String,
}

/// The indices of the changes that parts have made.
pub fn changes(conn: &mut Conn, plan: &Plan) -> Result<BTreeSet<usize>, Failure> {
    let parts = parts(&store::derived_plans(conn, plan.file_id)?);
    let line = line(conn, plan, &parts)?;
    Ok(made(&line, &parts))
}

/// The undecided plans that this part completes: parts have now made all their changes.
// Plans of proposals end with their proposal. The author may still revise a returned plan.
pub fn without_rest(conn: &mut Conn, part: &Plan, now: Timestamp) -> Result<Vec<Plan>, Failure> {
    if part.derived_from.is_none() {
        return Ok(Vec::new());
    }
    let parts = parts(&store::derived_plans(conn, part.file_id)?);
    if parts.is_empty() {
        return Ok(Vec::new());
    }
    let mut without_rest = Vec::new();
    // A co-author who revises a part becomes its author.
    for whole in store::undecided_alone(conn, part.file_id, &part.author_keys(), now)? {
        let line = line(conn, &whole, &parts)?;
        let count = made(&line, &parts).len();
        if count > 0 && line.first().is_some_and(|link| link.own.len() == count) {
            without_rest.push(whole);
        }
    }
    Ok(without_rest)
}

/// The changes that parts have made, as indices into the first plan of the line.
fn made(line: &[Link], parts: &HashMap<PlanId, Vec<Made>>) -> BTreeSet<usize> {
    let mut made: Vec<Made> = Vec::new();
    for (index, link) in line.iter().enumerate().rev() {
        made.extend(parts.get(&link.plan).into_iter().flatten());
        if let Some(rebased) = index.checked_sub(1).map(|newer| &line[newer]) {
            made = left_to(rebased, link, made);
        }
    }
    made.into_iter().map(|(index, _)| index).collect()
}

/// The plan and those that it was rebased from, back to the oldest one that has parts. Empty if none has.
// The ids come first: previews may be megabytes, and the parts may be of other plans for the file.
fn line(conn: &mut Conn, plan: &Plan, parts: &HashMap<PlanId, Vec<Made>>) -> Result<Vec<Link>, Failure> {
    let mut ids = vec![plan.id];
    let mut before = plan.rebased_from;
    while let Some(older) = before.filter(|_| parts.keys().any(|whole| !ids.contains(whole))) {
        ids.push(older);
        before = store::rebased_from(conn, older)?;
    }
    let count = ids.iter().rposition(|id| parts.contains_key(id)).map_or(0, |oldest| oldest + 1);
    let mut line = Vec::with_capacity(count);
    for id in ids.into_iter().take(count) {
        // The sweep may have deleted the oldest.
        let Some((plan, preview)) = store::find(conn, plan.file_id, id)? else { break };
        line.push(Link { plan: plan.id, base: plan.base_version_id, own: own_changes(&preview)? });
    }
    Ok(line)
}

fn own_changes(preview: &str) -> Result<Vec<OwnChange>, Failure> {
    let mut own = Vec::new();
    for (index, (kind, place)) in StoredPreview::places(preview)?.into_iter().enumerate() {
        if kind != ChangeKind::Formula {
            // Without `after_id`: it names another part if some changes are left out. Without the kind too: a cell that
            // the sheet grew for is only replaced later.
            let place = serde_json::to_string(&ChangedPlace { after_id: None, ..place })?;
            own.push(OwnChange { index, place });
        }
    }
    Ok(own)
}

/// The changes of each plan that its parts have made.
fn parts(derived: &[DerivedPlan]) -> HashMap<PlanId, Vec<Made>> {
    let by_id: HashMap<PlanId, &DerivedPlan> = derived.iter().map(|plan| (plan.id, plan)).collect();
    let mut parts: HashMap<PlanId, Vec<Made>> = HashMap::new();
    // Only applied ones: a part that still waits may be discarded, and its changes then belong to the rest.
    for (plan, version) in derived.iter().filter_map(|plan| Some((plan, plan.applied_version_id?))) {
        // An amendment or a revision of a part has taken its place.
        let mut line = successors(Some(plan), |plan| by_id.get(&plan.derived_from).copied());
        if let Some(part) = line.find(|plan| plan.lineage.how == Some(DerivedBy::Split)) {
            let made = part.lineage.changes.iter().map(|change| (change.index(), version));
            parts.entry(part.derived_from).or_default().extend(made);
        }
    }
    parts
}

/// The made changes that are still in the rebased plan, by their indices there.
// A rebase leaves out what was made before it.
fn left_to(rebased: &Link, link: &Link, made: Vec<Made>) -> Vec<Made> {
    let left_out: BTreeSet<usize> =
        made.iter().filter(|(_, version)| *version <= rebased.base).map(|(index, _)| *index).collect();
    let kept: Vec<&OwnChange> = link.own.iter().filter(|change| !left_out.contains(&change.index)).collect();
    if kept.len() != rebased.own.len() {
        // Nobody knows which change is which. A change that was made already is then a conflict.
        return Vec::new();
    }
    let indices = indices_in(&rebased.own, kept);
    made.into_iter().filter_map(|(index, version)| Some((*indices.get(&index)?, version))).collect()
}

/// The index of each kept change in the rebased plan, which has as many changes.
// The rest of an operation on cells lists the cells in another order. So the places decide, if they are the same.
fn indices_in(rebased: &[OwnChange], kept: Vec<&OwnChange>) -> HashMap<usize, usize> {
    let rebased: Vec<&OwnChange> = rebased.iter().collect();
    let sorted = (by_place(&kept), by_place(&rebased));
    let has_same_places = sorted.0.iter().zip(&sorted.1).all(|(one, other)| one.place == other.place);
    let (kept, rebased) = if has_same_places { sorted } else { (kept, rebased) };
    kept.iter().zip(rebased).map(|(kept, rebased)| (kept.index, rebased.index)).collect()
}

fn by_place<'a>(changes: &[&'a OwnChange]) -> Vec<&'a OwnChange> {
    let mut changes = changes.to_vec();
    // Stable: several changes of one place keep their order.
    changes.sort_by(|one, other| one.place.cmp(&other.place));
    changes
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn changes_of(listed: &[(&str, &str)]) -> Vec<OwnChange> {
        let change = |(kind, cell): &(&str, &str)| json!({"kind": kind, "sheet": "S", "cell": cell, "after": "x"});
        let changes: Vec<Value> = listed.iter().map(change).collect();
        let preview = json!({"operations": 1, "summary": {}, "changes": changes, "warnings": []});
        own_changes(&preview.to_string()).expect("changes")
    }

    fn pairs(kept: &[(&str, &str)], rebased: &[(&str, &str)]) -> Vec<(usize, usize)> {
        let indices = indices_in(&changes_of(rebased), changes_of(kept).iter().collect());
        let mut pairs: Vec<_> = indices.into_iter().collect();
        pairs.sort_unstable();
        pairs
    }

    #[test]
    fn a_cell_is_found_again_in_another_order_and_of_another_kind() {
        let kept = [("insert", "A1"), ("insert", "C1"), ("insert", "A2"), ("replace", "A1")];
        let rebased = [("formula", "D1"), ("insert", "A1"), ("replace", "A2"), ("insert", "C1"), ("replace", "A1")];
        assert_eq!(pairs(&kept, &rebased), [(0, 1), (1, 3), (2, 2), (3, 4)]);
    }

    #[test]
    fn changes_of_other_places_are_found_by_their_order() {
        let (kept, rebased) = ([("replace", "B1"), ("replace", "A1")], [("replace", "A9"), ("replace", "B9")]);
        assert_eq!(pairs(&kept, &rebased), [(0, 0), (1, 1)]);
    }
}
