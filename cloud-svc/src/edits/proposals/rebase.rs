//! `POST /v1/proposals/{proposal_id}/rebase`: brings the stale plans of a proposal up to date.

use std::{collections::HashMap, sync::Arc};

use shared_model::{Error, json_column::Json};
use shared_runtime::{Answer, Body, Conn, Path};

use super::{
    members,
    proposal::{OPEN, Proposal, ProposalState, of_file},
    record::ProposalDetails,
    seen::SeenProposal,
    store,
};
use crate::{
    base::{
        ids::{PlanId, ProposalId},
        limits::{PROPOSAL_BYTES, PROPOSAL_PLANS},
        permissions::ProposeEdits,
        plan_state::StoredState,
    },
    edits::plans::{
        carry_out::FilePlan,
        derive::{record, supersede},
        new_plan::NewPlan,
        plan::Plan,
        prepared_plan::PreparedPlan,
        rebase::rebased,
        request_review::requested,
        store as plans,
        successor::succeed,
    },
    files::{
        file::{File, FileState},
        precondition,
    },
    workspace::{
        changes::ChangeType,
        command::{ChangeContext, Command},
    },
};

pub async fn rebase(
    command: Command<ProposeEdits>,
    Path((id,)): Path<(ProposalId,)>,
    Body(seen): Body<SeenProposal>,
) -> Result<Answer<ProposalDetails>, Error> {
    // Made here, because the transaction may run again.
    let random = &command.context.random;
    let ids: Arc<[PlanId]> = (0..PROPOSAL_PLANS).map(|_| PlanId::from_bytes(random.bytes16())).collect();
    let prepared = prepare(&command, id, &seen).await?;
    command
        .run(move |conn, by| {
            let (proposal, members) = members::find_whole(conn, by, id, &OPEN)?;
            // Otherwise a repeated rebase could replace plans that the caller has not seen.
            seen.check(&proposal, &by.links)?;
            // Of all files, before any plan is carried out again.
            for member in &members {
                precondition::check_state(&member.file, FileState::Active, &by.links)
                    .map_err(|refusal| of_file(member.file.id, refusal.into()))?;
            }
            let is_over = is_over(by, &proposal, members.iter().map(|member| &member.plan));
            let mut current = Vec::with_capacity(members.len());
            let mut is_changed = is_over;
            for (member, new) in members.into_iter().zip(ids.iter()) {
                if is_over || member.plan.is_stale(&by.links, &member.file) {
                    is_changed = true;
                    let made = match prepared.get(&member.plan.id) {
                        Some(prepared) => prepared.for_state(conn, &member.file),
                        None => rebased(conn, &member.file, member.plan.id, &by.links),
                    };
                    current.push(again(conn, by, member, (*new, made))?);
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

/// Whether all plans need a rebase. An expired proposal is brought back whole, so that all its plans end together.
fn is_over<'a>(by: &ChangeContext, proposal: &Proposal, mut plans: impl Iterator<Item = &'a Plan>) -> bool {
    by.at >= proposal.expires_at || plans.any(|plan| plan.is_over(by.at))
}

/// What takes long, made before the transaction: the edits of each plan that needs it, on the present content.
async fn prepare(
    command: &Command<ProposeEdits>,
    id: ProposalId,
    seen: &SeenProposal,
) -> Result<
    HashMap<PlanId, PreparedPlan<impl Fn(&mut Conn, &File) -> Result<NewPlan, Error> + Clone + Send + use<>>>,
    Error,
> {
    let (by, seen) = (command.by.clone(), seen.clone());
    let needing = command.context.read(move |conn| {
        let (proposal, members) = members::rows_of_whole(conn, &by, id, &OPEN)?;
        seen.check(&proposal, &by.links)?;
        let is_over = is_over(&by, &proposal, members.iter().map(|(plan, _)| plan));
        let needs = |(plan, file): &(Plan, File)| is_over || plan.is_stale(&by.links, file);
        Ok(members.into_iter().filter(needs).map(|(plan, file)| (file.id, plan.id)).collect::<Vec<_>>())
    });
    let needing = match needing.await {
        // A repeated command must get its first answer, so the transaction refuses.
        Err(Error::Refused(_)) => Vec::new(),
        found => found?,
    };
    let (mut prepared, mut bytes) = (HashMap::new(), 0);
    for (file, plan) in needing {
        // Others are made one by one in the transaction, so that a call has a bound of memory.
        if bytes > PROPOSAL_BYTES {
            break;
        }
        let links = Arc::clone(&command.by.links);
        let make = move |conn: &mut Conn, file: &File| rebased(conn, file, plan, &links);
        let one = PreparedPlan::prepare(command, file, make).await?;
        bytes += one.bytes();
        prepared.insert(plan, one);
    }
    Ok(prepared)
}

/// The plan of a stale or expired plan's edits on the present content.
fn again(
    conn: &mut Conn,
    by: &ChangeContext,
    member: FilePlan,
    (id, made): (PlanId, Result<NewPlan, Error>),
) -> Result<FilePlan, Error> {
    let FilePlan { plan: old, file, .. } = member;
    let proposal = made.map_err(|error| of_file(file.id, error))?;
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
