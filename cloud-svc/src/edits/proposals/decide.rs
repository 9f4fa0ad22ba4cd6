//! `POST /v1/proposals/{proposal_id}/approve` and `/reject`: one verdict on all plans of a proposal.

use shared_model::Error;
use shared_runtime::{Answer, Body, Conn, Path};

use super::{
    members,
    proposal::{Proposal, ProposalState},
    record::ProposalDetails,
    seen::SeenProposal,
    store,
};
use crate::{
    base::{ids::ProposalId, permissions::ApproveEdits},
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
    Body(seen): Body<SeenProposal>,
) -> Result<Answer<ProposalDetails>, Error> {
    let judgement = Judgement::Approves(seen);
    command.run(move |conn, by| give(conn, by, id, &judgement)).await
}

pub async fn reject(
    command: Command<ApproveEdits>,
    Path((id,)): Path<(ProposalId,)>,
    Body(RejectPlan { reason }): Body<RejectPlan>,
) -> Result<Answer<ProposalDetails>, Error> {
    let judgement = Judgement::Rejects(reason);
    command.run(move |conn, by| give(conn, by, id, &judgement)).await
}

/// What a reviewer says of a proposal.
enum Judgement {
    /// Just these plans.
    Approves(SeenProposal),
    /// With this reason.
    Rejects(String),
}

fn give(
    conn: &mut Conn,
    by: &ChangeContext,
    id: ProposalId,
    judgement: &Judgement,
) -> Result<Answer<ProposalDetails>, Error> {
    let (proposal, members) = members::find(conn, by.owner(), &by.author, id)?;
    let (verdict, reason) = match judgement {
        Judgement::Approves(_) => (Verdict::Approved, None),
        Judgement::Rejects(reason) => (Verdict::Rejected, Some(reason)),
    };
    // What is left after a purge can be rejected, and not approved. A whole proposal hides nothing.
    let hidden = match judgement {
        Judgement::Approves(_) => Vec::new(),
        Judgement::Rejects(_) => members::hidden(conn, id, &members)?,
    };
    // Before the state: nobody decides about a proposal with a plan of their own.
    for plan in members.iter().map(|member| &member.plan).chain(&hidden) {
        rules::check(conn, by, plan, step(verdict))?;
    }
    // As for a plan: an approval can be taken back.
    let open: &[ProposalState] = match judgement {
        Judgement::Approves(_) => &[ProposalState::InReview],
        Judgement::Rejects(_) => &[ProposalState::InReview, ProposalState::Approved],
    };
    proposal.check_state(open, &by.links)?;
    if let Judgement::Approves(seen) = judgement {
        members::check_whole(by, &proposal, members.iter().map(|member| &member.plan))?;
        seen.check(&proposal, &by.links)?;
    }
    // One by one, so that each plan has its review, its receipt and its change in the feed.
    let mut judged = Vec::with_capacity(members.len());
    for FilePlan { plan, preview, file } in members {
        let words = Words { reason: reason.cloned(), on: Vec::new() };
        let plan = judge(conn, by, (&file, plan, &preview), verdict, words)
            .map_err(|error| proposal.refused_by(file.id, &by.links, error))?;
        judged.push(FilePlan { plan, preview, file });
    }
    for plan in hidden {
        settle(conn, by, plan, verdict, Words { reason: reason.cloned(), on: Vec::new() })?;
    }
    let state = if verdict == Verdict::Approved { ProposalState::Approved } else { ProposalState::Rejected };
    let proposal = store::update(conn, Proposal { state, ..proposal })?;
    Ok(ProposalDetails::ok(proposal, judged, &by.links, by.at)?)
}
