//! Which changes of a plan its parts have made, also parts of the plans that it was rebased from.

use std::{
    collections::{BTreeSet, HashMap},
    iter::successors,
};

use shared_model::Failure;
use shared_runtime::Conn;

use super::{
    lineage::DerivedBy,
    plan::{Plan, StoredPreview},
    store::{self, DerivedPlan},
};
use crate::base::ids::{PlanId, VersionId};
use cloud_content::preview::ChangeKind;

/// The index of a change, and the version with which a part has made it.
type Made = (usize, VersionId);

/// A plan in a line of rebases.
struct Link {
    plan: PlanId,
    base: VersionId,
    rebased_from: Option<PlanId>,
    /// The indices of the changes that somebody can choose.
    own: Vec<usize>,
}

/// The indices of the changes that parts have made.
pub fn changes(conn: &mut Conn, plan: &Plan, preview: &str) -> Result<BTreeSet<usize>, Failure> {
    let mut parts = parts(&store::derived_plans(conn, plan.file_id)?);
    if parts.is_empty() {
        return Ok(BTreeSet::new());
    }
    // Back to the plan that was rebased first, or as far as there are parts.
    let mut line = vec![Link::of(plan, preview)?];
    let mut before = plan.rebased_from;
    while let Some(older) = before.filter(|_| parts.keys().any(|whole| line.iter().all(|link| link.plan != *whole))) {
        let Some((plan, preview)) = store::find(conn, plan.file_id, older)? else { break };
        let link = Link::of(&plan, &preview)?;
        before = link.rebased_from;
        line.push(link);
    }
    let mut made: Vec<Made> = Vec::new();
    for (index, link) in line.iter().enumerate().rev() {
        made.extend(parts.remove(&link.plan).unwrap_or_default());
        if let Some(rebased) = index.checked_sub(1).map(|newer| &line[newer]) {
            made = left_to(rebased, link, made);
        }
    }
    Ok(made.into_iter().map(|(index, _)| index).collect())
}

impl Link {
    fn of(plan: &Plan, preview: &str) -> Result<Self, Failure> {
        let kinds = StoredPreview::kinds(preview)?;
        let own = kinds.iter().enumerate().filter(|(_, kind)| **kind != ChangeKind::Formula);
        let own = own.map(|(index, _)| index).collect();
        Ok(Self { plan: plan.id, base: plan.base_version_id, rebased_from: plan.rebased_from, own })
    }
}

/// What parts have made of each plan.
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

/// Those of the changes that are still in the rebased plan, by their indices there.
// A rebase leaves out what was made before it, and keeps the order of the others.
fn left_to(rebased: &Link, link: &Link, made: Vec<Made>) -> Vec<Made> {
    let left_out: BTreeSet<usize> =
        made.iter().filter(|(_, version)| *version <= rebased.base).map(|(index, _)| *index).collect();
    let kept: Vec<usize> = link.own.iter().copied().filter(|index| !left_out.contains(index)).collect();
    if kept.len() != rebased.own.len() {
        // Nobody knows which is which. What was made twice is then a conflict.
        return Vec::new();
    }
    let places: HashMap<usize, usize> = kept.into_iter().zip(rebased.own.iter().copied()).collect();
    made.into_iter().filter_map(|(index, version)| Some((*places.get(&index)?, version))).collect()
}
