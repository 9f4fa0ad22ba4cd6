//! `POST /v1/proposals/{proposal_id}/discard`: takes a proposal back, with all its plans.

use shared_model::Error;
use shared_runtime::{Answer, Body, Path};

use super::{
    members,
    proposal::{OPEN, Proposal, ProposalState},
    record::ProposalDetails,
    store,
};
use crate::{
    base::{codes, empty::Empty, ids::ProposalId, permissions::ProposeEdits},
    edits::plans::{carry_out::FilePlan, derive},
    workspace::command::Command,
};

pub async fn discard(
    command: Command<ProposeEdits>,
    Path((id,)): Path<(ProposalId,)>,
    Body(Empty {}): Body<Empty>,
) -> Result<Answer<ProposalDetails>, Error> {
    command
        .run(move |conn, by| {
            let (proposal, members) = members::find(conn, by.owner(), &by.author, id)?;
            if !by.author.is(&proposal.actor) {
                return Err(codes::NOT_PLAN_AUTHOR.refusal().into());
            }
            // Also what is left after a purge: it can no longer be decided about.
            proposal.check_state(&OPEN, &by.links)?;
            let hidden = members::hidden(conn, id, &members)?;
            let mut discarded = Vec::with_capacity(members.len());
            for FilePlan { plan, preview, file } in members {
                discarded.push(FilePlan { plan: derive::discard(conn, by, plan)?, preview, file });
            }
            for plan in hidden {
                derive::discard(conn, by, plan)?;
            }
            let proposal = store::update(conn, Proposal { state: ProposalState::Discarded, ..proposal })?;
            Ok(ProposalDetails::ok(proposal, discarded, &by.links, by.at)?)
        })
        .await
}
