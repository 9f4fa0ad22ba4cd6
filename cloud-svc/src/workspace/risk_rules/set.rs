//! `PUT /v1/risk-rules`: says what the workspace wants to be warned about.

use shared_model::Error;
use shared_runtime::{Answer, Body, identity::ActorKind};

use super::{read::RulesAnswer, store};
use crate::{
    base::{codes, permissions::ApproveEdits},
    workspace::command::Command,
};
use cloud_content::risk_rules::RiskRules;

// Those that the workspace has are replaced. A plan keeps the warnings that it was proposed with.
pub async fn set(command: Command<ApproveEdits>, Body(rules): Body<RiskRules>) -> Result<Answer<RulesAnswer>, Error> {
    command
        .run(move |conn, by| {
            // Otherwise an agent could lift what stands in its way.
            if by.author.actor.kind != ActorKind::User {
                return Err(codes::PERSON_REQUIRED.because("Only a person may set the rules of a workspace.").into());
            }
            store::set(conn, by.workspace(), &rules)?;
            Ok(Answer::ok(&RulesAnswer { rules })?)
        })
        .await
}
