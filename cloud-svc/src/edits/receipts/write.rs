//! Writes the receipt of a decision, in the transaction of the decision.

use cloud_receipts::{RECEIPT, signer::Signed};
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, identity::Actor};

use super::{
    receipt::{Decision, Party, ReceiptStatement},
    store::{self, Link, NewReceipt},
};
use crate::{
    base::ids::{FileId, PlanId, VersionId},
    workspace::command::ChangeContext,
};

/// What was decided, and about what.
#[derive(Clone, Debug)]
pub struct Decided<'a> {
    pub decision: Decision,
    pub file: FileId,
    pub plan: PlanId,
    pub rebased_from: Option<PlanId>,
    /// The version for which the plan was proposed, and the SHA-256 of its content.
    pub base: (VersionId, &'a str),
    pub proposal_sha256: &'a str,
    /// The version that it added.
    pub result: Option<VersionId>,
    pub derived_from: Option<PlanId>,
    pub author: &'a Actor,
    pub co_authors: Vec<Party>,
    pub proposed_at: Timestamp,
    /// Who had approved the plan, and when.
    pub approval: Option<(&'a Actor, Timestamp)>,
    pub confirmed_at: Option<Timestamp>,
}

/// Writes receipts in this order.
// Without a lock of its own: the transactions of a workspace run one after another.
pub fn write<'a>(
    conn: &mut Conn,
    by: &ChangeContext,
    decisions: impl Iterator<Item = Decided<'a>>,
) -> Result<(), Failure> {
    let mut last = store::last(conn, by.workspace())?;
    let mut written = Vec::new();
    for decided in decisions {
        let (file, plan) = (decided.file, decided.plan);
        let (sequence, previous) = match last {
            Some(Link { sequence, sha256 }) => (sequence + 1, Some(sha256)),
            None => (1, None),
        };
        let signed = sign(by, decided, (sequence, previous))?;
        last = Some(Link { sequence, sha256: signed.sha256.clone() });
        written.push(NewReceipt { sequence, file, plan, signed });
    }
    store::insert(conn, by.workspace(), written)
}

fn sign(
    by: &ChangeContext,
    decided: Decided<'_>,
    (sequence, previous): (i64, Option<String>),
) -> Result<Signed, Failure> {
    let Decided { base: (base_version_id, base_sha256), result, approval, .. } = decided;
    let statement = ReceiptStatement {
        kind: RECEIPT.to_owned(),
        workspace_id: by.workspace(),
        sequence,
        previous,
        decision: decided.decision,
        file_id: decided.file,
        plan_id: decided.plan,
        rebased_from: decided.rebased_from,
        base_version_id,
        base_sha256: base_sha256.to_owned(),
        proposal_sha256: decided.proposal_sha256.to_owned(),
        result_version_id: result,
        // What is written is what was proposed.
        result_sha256: result.map(|_| decided.proposal_sha256.to_owned()),
        derived_from: decided.derived_from,
        author: Party::of(decided.author),
        co_authors: decided.co_authors,
        proposed_at: decided.proposed_at,
        decided_by: Party::of(&by.author.actor),
        decided_at: by.at,
        via: by.author.via,
        approved_by: approval.map(|(actor, _)| Party::of(actor)),
        approved_at: approval.map(|(_, at)| at),
        confirmed_at: decided.confirmed_at,
        key_id: by.signer.key_id().to_owned(),
    };
    Ok(by.signer.sign(&serde_json::to_value(&statement)?))
}
