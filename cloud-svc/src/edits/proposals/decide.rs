//! `POST /v1/proposals/{proposal_id}/approve` and `/reject`: one verdict on all plans of a proposal.

use shared_model::Error;
use shared_runtime::{Answer, Body, Conn, Path};

use super::{
    members,
    proposal::{Proposal, ProposalState},
    record::ProposalDetails,
    store,
};
use crate::{
    base::{empty::Empty, ids::ProposalId, permissions::ApproveEdits},
    edits::plans::{
        carry_out::FilePlan,
        plan::Verdict,
        reject::RejectPlan,
        rules,
        verdict::{Words, judge, settle, step},
    },
    workspace::command::{ChangeContext, Command},
};

pub async fn approve(
    command: Command<ApproveEdits>,
    Path((id,)): Path<(ProposalId,)>,
    Body(Empty {}): Body<Empty>,
) -> Result<Answer<ProposalDetails>, Error> {
    command.run(move |conn, by| give(conn, by, id, Verdict::Approved, None)).await
}

pub async fn reject(
    command: Command<ApproveEdits>,
    Path((id,)): Path<(ProposalId,)>,
    Body(RejectPlan { reason }): Body<RejectPlan>,
) -> Result<Answer<ProposalDetails>, Error> {
    command.run(move |conn, by| give(conn, by, id, Verdict::Rejected, Some(reason.clone()))).await
}

fn give(
    conn: &mut Conn,
    by: &ChangeContext,
    id: ProposalId,
    verdict: Verdict,
    reason: Option<String>,
) -> Result<Answer<ProposalDetails>, Error> {
    // What is left after a purge can be rejected, and not approved. A whole proposal hides nothing.
    let ((proposal, members), is_whole) = match verdict {
        Verdict::Approved => (members::find_whole(conn, by, id)?, true),
        Verdict::Returned | Verdict::Rejected => (members::find(conn, by.owner(), id)?, false),
    };
    let hidden = if is_whole { Vec::new() } else { members::hidden(conn, id, &members)? };
    // Before the state: nobody decides about a proposal with a plan of his own.
    for plan in members.iter().map(|member| &member.plan).chain(&hidden) {
        rules::check(conn, by, plan, step(verdict))?;
    }
    // As for a plan: an approval can be taken back.
    let open: &[ProposalState] = match verdict {
        Verdict::Approved => &[ProposalState::InReview],
        Verdict::Returned | Verdict::Rejected => &[ProposalState::InReview, ProposalState::Approved],
    };
    proposal.check_state(open, &by.links)?;
    // One by one, so that each plan has its review, its receipt and its change in the feed.
    let mut judged = Vec::with_capacity(members.len());
    for FilePlan { plan, preview, file } in members {
        let words = Words { reason: reason.clone(), on: Vec::new() };
        let plan = judge(conn, by, (&file, plan, &preview), verdict, words)
            .map_err(|error| proposal.refused_by(file.id, &by.links, error))?;
        judged.push(FilePlan { plan, preview, file });
    }
    for plan in hidden {
        settle(conn, by, plan, verdict, Words { reason: reason.clone(), on: Vec::new() })?;
    }
    let state = if verdict == Verdict::Approved { ProposalState::Approved } else { ProposalState::Rejected };
    let proposal = store::update(conn, Proposal { state, ..proposal })?;
    Ok(ProposalDetails::ok(proposal, judged, &by.links, by.at)?)
}
