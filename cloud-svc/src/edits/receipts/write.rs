//! Writes the receipt of a decision, in the transaction of the decision.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    sync::Arc,
};

use cloud_receipts::{RECEIPT, signer::Signer};
use shared_model::{Failure, Timestamp};
use shared_runtime::{
    Conn,
    identity::Actor,
    state::db::{Appended, append},
};

use super::{
    receipt::{Decision, Party, ReceiptStatement},
    store::{self, Link, NewReceipt},
};
use crate::{
    base::ids::{FileId, PlanId, VersionId, WorkspaceId},
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

/// A receipt without its place in the chain.
struct Unchained {
    owner: WorkspaceId,
    signer: Arc<Signer>,
    statement: ReceiptStatement,
}

impl Appended for Unchained {
    // Without a lock of its own: the transactions of a workspace run one after another.
    fn insert(conn: &mut Conn, receipts: Vec<Self>) -> Result<(), Failure> {
        let mut ends = BTreeMap::new();
        let mut written = Vec::with_capacity(receipts.len());
        for Unchained { owner, signer, mut statement } in receipts {
            let end = match ends.entry(owner) {
                Entry::Occupied(end) => end.into_mut(),
                Entry::Vacant(end) => end.insert(store::last(conn, owner)?),
            };
            statement.sequence = end.as_ref().map_or(1, |end| end.sequence + 1);
            statement.previous = end.take().map(|end| end.sha256);
            let signed = signer.sign(&serde_json::to_value(&statement)?);
            *end = Some(Link { sequence: statement.sequence, sha256: signed.sha256.clone() });
            let ReceiptStatement { sequence, file_id: file, plan_id: plan, .. } = statement;
            written.push(NewReceipt { owner, sequence, file, plan, signed });
        }
        store::insert(conn, written)
    }
}

/// Writes a receipt, at the end of the transaction.
pub fn write(by: &ChangeContext, decided: Decided<'_>) {
    append(Unchained { owner: by.workspace(), signer: Arc::clone(&by.signer), statement: statement(by, decided) });
}

// Its place in the chain is known at the end of the transaction.
fn statement(by: &ChangeContext, decided: Decided<'_>) -> ReceiptStatement {
    let Decided { base: (base_version_id, base_sha256), result, approval, .. } = decided;
    ReceiptStatement {
        kind: RECEIPT.to_owned(),
        workspace_id: by.workspace(),
        sequence: 0,
        previous: None,
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
    }
}
