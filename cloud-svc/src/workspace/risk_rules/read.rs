//! `GET /v1/risk-rules`: what the workspace wants to be warned about.

use serde::Serialize;
use shared_model::Error;
use shared_runtime::{Answer, Caller, Context};
use utoipa::ToSchema;

use super::store;
use crate::base::{ids::WorkspaceId, permissions::ReadFiles};
use cloud_content::risk_rules::RiskRules;

#[derive(Serialize, ToSchema)]
pub struct RulesAnswer {
    pub rules: RiskRules,
}

pub async fn read(caller: Caller<ReadFiles>, context: Context) -> Result<Answer<RulesAnswer>, Error> {
    let workspace = WorkspaceId::from_identity(&caller)?;
    let rules = context.look_up(move |conn| Ok(store::find(conn, workspace)?)).await?;
    Ok(Answer::ok(&RulesAnswer { rules })?)
}
