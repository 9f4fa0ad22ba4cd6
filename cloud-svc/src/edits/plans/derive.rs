//! What splits, amendments and revisions share: they replace or add to a plan that is still open.

use shared_model::{Error, json_column::Json};
use shared_runtime::Conn;

use super::{lineage::DerivedBy, plan::Plan, receipt, store};
use crate::{
    base::ids::PlanId,
    edits::receipts::receipt::Decision,
    workspace::{
        changes::{Change, ChangeType},
        command::ChangeContext,
    },
};

/// The plan `made`, derived from `old` and of the same author.
pub fn derived(made: Plan, old: &Plan, how: DerivedBy, by: &ChangeContext) -> Plan {
    // The author stays the author. Otherwise an author could split a plan of their own and approve the part.
    Plan {
        actor: old.actor.clone(),
        author_key: old.author_key.clone(),
        author_subject: old.author_subject.clone(),
        derived_from: Some(old.id),
        answers_comment_id: old.answers_comment_id,
        lineage: Json(old.lineage.derive(how, &by.author)),
        ..made
    }
}

/// Discards a plan that another takes the place of: an approval of it must not be used beside the other.
pub fn supersede(conn: &mut Conn, by: &ChangeContext, mut old: Plan, new: PlanId) -> Result<Plan, Error> {
    old.lineage.superseded_by = Some(new);
    discard(conn, by, old)
}

pub fn discard(conn: &mut Conn, by: &ChangeContext, old: Plan) -> Result<Plan, Error> {
    let sequence = by.next_change(conn, -old.content_bytes)?;
    by.record(sequence, &Change { plan: Some(old.id), ..by.change(ChangeType::PlanDiscarded, old.file_id) });
    let old = store::set_discarded(conn, old)?;
    receipt::write(by, &old, Decision::Discarded);
    Ok(old)
}

/// Records a step of a plan in the feed.
pub fn record(conn: &mut Conn, by: &ChangeContext, plan: &Plan, kind: ChangeType) -> Result<(), Error> {
    let sequence = by.next_change(conn, 0)?;
    by.record(sequence, &Change { plan: Some(plan.id), ..by.change(kind, plan.file_id) });
    Ok(())
}
