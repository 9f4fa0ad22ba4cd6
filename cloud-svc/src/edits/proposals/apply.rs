//! `POST /v1/proposals/{proposal_id}/apply`: writes what all plans show, in one transaction.

use shared_model::{Error, Failure};
use shared_runtime::{Answer, Body, Path};

use super::{
    members::{self, Member},
    proposal::{Proposal, ProposalState},
    record::ProposalDetails,
    store,
};
use crate::{
    base::{empty::Empty, ids::ProposalId, permissions::WriteFiles},
    edits::plans::apply::carry_out,
    files::{file::FileState, precondition},
    workspace::command::Command,
};
use cloud_content::of_kind;

// Without an ETag: each plan is bound to the exact state of its file.
pub async fn apply(
    command: Command<WriteFiles>,
    Path((id,)): Path<(ProposalId,)>,
    Body(Empty {}): Body<Empty>,
) -> Result<Answer<ProposalDetails>, Error> {
    command
        .run(move |conn, by| {
            let (proposal, members) = members::find_whole(conn, by, id)?;
            // A proposal in review is refused by its plans, as a plan alone is.
            let open = [ProposalState::Proposed, ProposalState::InReview, ProposalState::Approved];
            proposal.check_state(&open, &by.links)?;
            // A refusal of the last plan takes back what the others have written.
            let mut applied = Vec::with_capacity(members.len());
            for Member { plan, preview, file } in members {
                precondition::check_state(&file, FileState::Active, &by.links)?;
                let named = plan.clone();
                let refused = |error| proposal.refused_by(&named, &by.links, error);
                let written = of_kind!(file.kind, C => {
                    carry_out::<C>(conn, by, file, (plan, &preview)).map_err(refused)?
                });
                let (file, plan) = written.ok_or_else(|| Failure::fault("a plan for a file without content"))?;
                applied.push(Member { plan, preview, file });
            }
            let proposal = store::update(conn, Proposal { state: ProposalState::Applied, ..proposal })?;
            Ok(ProposalDetails::ok(proposal, applied, &by.links, by.at)?)
        })
        .await
}
