//! `POST /v1/proposals/{proposal_id}/plans`: adds plans to a proposal, and takes plans out.

use shared_model::{Error, Problem, Refusal, code, rule::Array};
use shared_runtime::{Answer, Body, Path};

use super::{
    add_plans::{self, NO_SUCH_PLAN_TO_ADD, PlanOfFile},
    members,
    proposal::{Proposal, ProposalState},
    record::ProposalDetails,
};
use crate::{
    base::{
        codes,
        ids::{PlanId, ProposalId},
        limits::PROPOSAL_PLANS,
        permissions::ProposeEdits,
    },
    edits::plans::{carry_out::FilePlan, store as plans},
    workspace::command::Command,
};

shared_model::json_object! {
    /// What to add and what to take out.
    #[derive(Debug)]
    pub struct ChangeProposal {
        pub add: Option<Vec<PlanOfFile>> as Array<PlanOfFile, 0, PROPOSAL_PLANS>,
        /// These plans can then be decided alone again.
        pub remove: Option<Vec<PlanId>> as Array<PlanId, 0, PROPOSAL_PLANS>,
    }
    example = {"remove": ["plan_0123456789abcdef0123456789abcdef"]};
}

// Before a review only: an approval is of all plans.
pub async fn change(
    command: Command<ProposeEdits>,
    Path((id,)): Path<(ProposalId,)>,
    Body(ChangeProposal { add, remove }): Body<ChangeProposal>,
) -> Result<Answer<ProposalDetails>, Error> {
    let (add, remove) = (add.unwrap_or_default(), remove.unwrap_or_default());
    if add.is_empty() && remove.is_empty() {
        let rule = "must name plans in add or remove".to_owned();
        return Err(Refusal::problems(&code::INVALID_FIELD, vec![Problem { at: String::new(), rule }]).into());
    }
    command
        .run(move |conn, by| {
            let (proposal, members) = members::find(conn, by.owner(), &by.author, id)?;
            if !by.author.is(&proposal.actor) {
                return Err(codes::NOT_PLAN_AUTHOR.refusal().into());
            }
            proposal.check_state(&[ProposalState::Proposed], &by.links)?;
            // The plans get a new end below, and those that have expired may have lost their content.
            proposal.check_not_expired(by.at, &by.links)?;
            for FilePlan { plan, file, .. } in &members {
                plan.check_not_expired(by.at, &by.links, file)
                    .map_err(|refusal| proposal.refused_by(file.id, &by.links, refusal.into()))?;
            }
            // A plan that is added late must not end earlier than the others.
            let end = add_plans::end(by);
            // A rebase may have replaced a plan since the client has read the proposal.
            if let Some(absent) = remove.iter().find(|id| !members.iter().any(|member| member.plan.id == **id)) {
                let rule = format!("must be plans of the proposal, {absent} is not");
                return Err(
                    Refusal::problems(&code::INVALID_FIELD, vec![Problem { at: "/remove".to_owned(), rule }]).into()
                );
            }
            let hidden = members::hidden(conn, id, &members)?;
            let (gone, mut kept): (Vec<FilePlan>, Vec<FilePlan>) =
                members.into_iter().partition(|member| remove.contains(&member.plan.id));
            // A reviewer does not see hidden plans either, so they are not part of what is proposed.
            for plan in gone.into_iter().map(|member| member.plan).chain(hidden) {
                plans::set_proposal(conn, plan, None, end)?;
            }
            kept.extend(add_plans::load(conn, by, &add, NO_SUCH_PLAN_TO_ADD)?);
            let added = (!add.is_empty()).then_some("/add");
            let (proposal, members) = add_plans::store(conn, Proposal { expires_at: end, ..proposal }, kept, added)?;
            Ok(ProposalDetails::ok(proposal, members, &by.links, by.at)?)
        })
        .await
}
