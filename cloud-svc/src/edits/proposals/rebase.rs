//! `POST /v1/proposals/{proposal_id}/rebase`: brings the stale plans of a proposal up to date.

use std::sync::Arc;

use shared_model::{Error, json_column::Json};
use shared_runtime::{Answer, Body, Conn, Path};

use super::{
    members,
    proposal::{Proposal, ProposalState, of_file},
    record::ProposalDetails,
    store,
};
use crate::{
    base::{
        empty::Empty,
        ids::{PlanId, ProposalId},
        limits::PROPOSAL_PLANS,
        permissions::ProposeEdits,
        plan_state::StoredState,
    },
    edits::plans::{
        carry_out::FilePlan,
        derive::{record, supersede},
        plan::Plan,
        rebase::rebased,
        request_review::requested,
        store as plans,
        successor::succeed,
    },
    files::{file::FileState, precondition},
    workspace::{
        changes::ChangeType,
        command::{ChangeContext, Command},
    },
};

pub async fn rebase(
    command: Command<ProposeEdits>,
    Path((id,)): Path<(ProposalId,)>,
    Body(Empty {}): Body<Empty>,
) -> Result<Answer<ProposalDetails>, Error> {
    // Made here, because the transaction may run again.
    let random = &command.context.random;
    let ids: Arc<[PlanId]> = (0..PROPOSAL_PLANS).map(|_| PlanId::from_bytes(random.bytes16())).collect();
    command
        .run(move |conn, by| {
            let (proposal, members) = members::find_whole(conn, by, id)?;
            let open = [ProposalState::Proposed, ProposalState::InReview, ProposalState::Approved];
            proposal.check_state(&open, &by.links)?;
            // Of all files, before any plan is carried out again.
            for member in &members {
                precondition::check_state(&member.file, FileState::Active, &by.links)?;
            }
            // An expired proposal is brought back whole, so that all its plans end together.
            let is_over = by.at >= proposal.expires_at;
            let mut current = Vec::with_capacity(members.len());
            let mut is_changed = is_over;
            for (member, new) in members.into_iter().zip(ids.iter()) {
                if is_over || member.plan.is_stale(&by.links, &member.file) {
                    is_changed = true;
                    current.push(again(conn, by, member, *new)?);
                } else {
                    current.push(member);
                }
            }
            let (state, current) = if is_changed && proposal.state != ProposalState::Proposed {
                (ProposalState::InReview, ask_again(conn, by, current)?)
            } else {
                (proposal.state, current)
            };
            let proposal_sha256 = members::sha256(current.iter().map(|member| &member.plan));
            let expires_at = current.iter().map(|member| member.plan.expires_at).min().unwrap_or(proposal.expires_at);
            let proposal = store::update(conn, Proposal { state, proposal_sha256, expires_at, ..proposal })?;
            Ok(ProposalDetails::ok(proposal, current, &by.links, by.at)?)
        })
        .await
}

/// The plan of a stale or expired plan's edits on the present content.
fn again(conn: &mut Conn, by: &ChangeContext, member: FilePlan, id: PlanId) -> Result<FilePlan, Error> {
    let FilePlan { plan: old, file, .. } = member;
    let proposal = rebased(conn, &file, old.id, &by.links).map_err(|error| match error {
        Error::Refused(refusal) => of_file(file.id, *refusal).into(),
        failed => failed,
    })?;
    // A plan without a review is discarded too: the new one takes its place in the proposal.
    if old.review.is_none() {
        supersede(conn, by, old.clone(), id)?;
    }
    plans::leave_proposal(conn, old.id)?;
    // An approval was of all plans together, so none is carried.
    let plan = succeed(conn, by, old, proposal.plan(id, by), false)?;
    let plan = plans::insert(conn, by, plan, &proposal)?;
    Ok(FilePlan { plan, preview: proposal.preview, file })
}

/// All plans wait for a verdict again: an approval is of all of them together.
fn ask_again(conn: &mut Conn, by: &ChangeContext, members: Vec<FilePlan>) -> Result<Vec<FilePlan>, Error> {
    let mut asked = Vec::with_capacity(members.len());
    for FilePlan { plan, preview, file } in members {
        let note = plan.review.as_ref().and_then(|Json(review)| review.note.clone());
        let plan = if plan.state == StoredState::Approved {
            record(conn, by, &plan, ChangeType::PlanReviewRequested)?;
            let plan: Plan = requested(plan, by, note);
            plans::set_review(conn, plan)?
        } else {
            plan
        };
        asked.push(FilePlan { plan, preview, file });
    }
    Ok(asked)
}
