//! `POST /v1/proposals/{proposal_id}/request-review`: asks somebody else to review all plans of a proposal.

use shared_model::Error;
use shared_runtime::{Answer, Body, Path};

use super::{
    members,
    proposal::{Proposal, ProposalState},
    record::ProposalDetails,
    store,
};
use crate::{
    base::{ids::ProposalId, permissions::ProposeEdits},
    edits::plans::{
        carry_out::FilePlan,
        request_review::{RequestReview, ask},
        rules::{self, Step},
    },
    workspace::command::Command,
};

pub async fn request_review(
    command: Command<ProposeEdits>,
    Path((id,)): Path<(ProposalId,)>,
    Body(RequestReview { note }): Body<RequestReview>,
) -> Result<Answer<ProposalDetails>, Error> {
    command
        .run(move |conn, by| {
            let (proposal, members) = members::find(conn, by.owner(), &by.author, id)?;
            for member in &members {
                rules::check(conn, by, &member.plan, Step::RequestReview)?;
            }
            proposal.check_state(&[ProposalState::Proposed], &by.links)?;
            members::check_whole(by, &proposal, members.iter().map(|member| &member.plan))?;
            let mut asked = Vec::with_capacity(members.len());
            for FilePlan { plan, preview, file } in members {
                let plan = ask(conn, by, &file, plan, note.clone())
                    .map_err(|error| proposal.refused_by(file.id, &by.links, error))?;
                asked.push(FilePlan { plan, preview, file });
            }
            // All plans got the same end just now.
            let expires_at = asked.first().map_or(proposal.expires_at, |member| member.plan.expires_at);
            let proposal = Proposal { state: ProposalState::InReview, expires_at, ..proposal };
            Ok(ProposalDetails::ok(store::update(conn, proposal)?, asked, &by.links, by.at)?)
        })
        .await
}
