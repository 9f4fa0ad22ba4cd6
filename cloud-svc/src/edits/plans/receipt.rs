//! Receipts of a plan: written by every verb that decides, and `GET …/edit-plans/{plan_id}/receipt`.

use serde::{Deserialize, Serialize};
use shared_model::{Error, code, json_column::Json};
use shared_runtime::{Answer, Caller, Context, Path};
use utoipa::ToSchema;

use super::{
    plan::{Plan, Verdict},
    store,
};
use crate::{
    base::{
        ids::{FileId, PlanId},
        owner::Owner,
        permissions::ReadFiles,
    },
    edits::receipts::{
        self,
        receipt::{Decision, Party, Receipt},
        store::Filter,
        write::Decided,
    },
    files,
    workspace::command::ChangeContext,
};

/// The bound of one answer. In a proposal, each rebase of another plan needs a new approval, which adds a receipt.
const RECEIPTS: i64 = 10;

/// The receipts of a plan.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct PlanReceipts {
    /// Oldest first; none while nobody has decided.
    #[schema(max_items = 10)]
    pub receipts: Vec<Receipt>,
}

/// Signs, at the end of the transaction, the decision that has just been made about this plan.
pub fn write(by: &ChangeContext, plan: &Plan, decision: Decision) {
    receipts::write::write(by, decided(plan, decision));
}

fn decided(plan: &Plan, decision: Decision) -> Decided<'_> {
    let review = plan.review.as_ref().map(|Json(review)| review);
    // The receipt of an approval names the approver as the one who decides.
    let approval = review.filter(|review| review.verdict == Some(Verdict::Approved) && decision != Decision::Approved);
    Decided {
        decision,
        file: plan.file_id,
        plan: plan.id,
        rebased_from: plan.rebased_from,
        base: (plan.base_version_id, &plan.base_sha256),
        proposal_sha256: &plan.proposal_sha256,
        result: plan.applied_version_id,
        derived_from: plan.derived_from,
        author: &plan.actor,
        co_authors: plan.lineage.co_authors.iter().map(|other| Party::of(&other.actor)).collect(),
        proposed_at: plan.created_at,
        approval: approval.and_then(|review| review.by.as_ref().zip(review.at)),
        confirmed_at: plan.confirmed_at,
    }
}

// The plan itself is deleted after 30 days, and its receipts are not.
pub async fn read(
    caller: Caller<ReadFiles>,
    Path((file, plan)): Path<(FileId, PlanId)>,
    context: Context,
) -> Result<Answer<PlanReceipts>, Error> {
    let owner = Owner::of_caller(&caller)?;
    let found = context.read(move |conn| {
        // Receipts of a purged file are found by the list: this URL is the file's.
        files::store::find(conn, owner, file)?.ok_or_else(code::not_found)?;
        let filter = Filter { owner, file: Some(file), plan: Some(plan) };
        // The newest, because the last one says what became of the plan.
        let start = receipts::store::before_last(conn, plan, RECEIPTS)?;
        let found = receipts::store::list(conn, filter, start, RECEIPTS)?;
        if found.is_empty() {
            store::find(conn, file, plan)?.ok_or_else(code::not_found)?;
        }
        Ok(found)
    });
    let receipts = found.await?.into_iter().map(|(_, receipt)| receipt).collect();
    Ok(Answer::ok(&PlanReceipts { receipts })?)
}
