//! `POST /v1/proposals`: puts plans for several files together.

use shared_model::{
    Error,
    json_column::Json,
    rule::{Array, OneLine, Text},
};
use shared_runtime::{Answer, Body};

use super::{
    add_plans::{self, NO_SUCH_PLAN, PlanOfFile},
    proposal::{Proposal, ProposalState},
    record::ProposalDetails,
    store,
};
use crate::{
    base::{ids::ProposalId, limits::PROPOSAL_PLANS, permissions::ProposeEdits},
    workspace::command::Command,
};

shared_model::json_object! {
    /// Plans that are decided together.
    #[derive(Debug)]
    pub struct CreateProposal {
        pub title: String as OneLine<200>,
        pub reason: Option<String> as Text<1000>,
        /// Your own open plans, one for each file.
        pub plans: Vec<PlanOfFile> as Array<PlanOfFile, 1, PROPOSAL_PLANS>,
    }
    example = {"title": "New prices", "plans": [
        {"file_id": "file_12", "plan_id": "plan_0123456789abcdef0123456789abcdef"}
    ]};
}

pub async fn create(
    command: Command<ProposeEdits>,
    Body(CreateProposal { title, reason, plans }): Body<CreateProposal>,
) -> Result<Answer<ProposalDetails>, Error> {
    let id = ProposalId::from_bytes(command.context.random.bytes16());
    command
        .run(move |conn, by| {
            let members = add_plans::load(conn, by, &plans, NO_SUCH_PLAN)?;
            let proposal = Proposal {
                id,
                workspace_id: by.workspace(),
                title: title.clone(),
                reason: reason.clone(),
                actor: Json(by.author.actor.clone()),
                state: ProposalState::Proposed,
                // Of no plan; `store` writes that of all.
                proposal_sha256: "0".repeat(64),
                created_at: by.at,
                expires_at: add_plans::end(by),
            };
            // Before its plans, which name it.
            store::insert(conn, &proposal)?;
            let (proposal, members) = add_plans::store(conn, proposal, members, Some("/plans"))?;
            Ok(ProposalDetails::ok(proposal, members, &by.links, by.at)?)
        })
        .await
}
