//! `POST /v1/proposals/{proposal_id}/apply`: writes what all plans show, in one transaction.

use shared_model::Error;
use shared_runtime::{Answer, Body, Path};

use super::{
    members,
    proposal::{OPEN, Proposal, ProposalState, of_file},
    record::ProposalDetails,
    seen::SeenProposal,
    store,
};
use crate::{
    base::{ids::ProposalId, permissions::WriteFiles},
    edits::plans::{carry_out::carry_out, outcome::Outcomes, plan::Plan, store as plans},
    files::{file::FileState, precondition},
    workspace::command::Command,
};

// Without an ETag: each plan is bound to the exact state of its file.
pub async fn apply(
    command: Command<WriteFiles>,
    Path((id,)): Path<(ProposalId,)>,
    Body(seen): Body<SeenProposal>,
) -> Result<Answer<ProposalDetails>, Error> {
    let outcomes = Outcomes::prepare(&command, move |conn, owner| plans::texts_of_proposal(conn, owner, id)).await?;
    command
        .run(move |conn, by| {
            // A proposal in review is refused by its plans, as a plan alone is.
            let (proposal, members) = members::rows_of_whole(conn, by, id, &OPEN)?;
            seen.check(&proposal, &by.links)?;
            for (_, file) in &members {
                precondition::check_state(file, FileState::Active, &by.links)
                    .map_err(|refusal| of_file(file.id, refusal.into()))?;
            }
            let refused = |plan: &Plan, error| proposal.refused_by(plan.file_id, &by.links, error);
            let applied = carry_out(conn, by, members, &outcomes, refused)?;
            let proposal = store::update(conn, Proposal { state: ProposalState::Applied, ..proposal })?;
            Ok(ProposalDetails::ok(proposal, applied, &by.links, by.at)?)
        })
        .await
}
