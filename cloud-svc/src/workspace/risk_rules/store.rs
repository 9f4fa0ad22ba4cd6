//! The rules of workspaces.

use diesel::prelude::*;
use shared_model::{Failure, json_column::Json};
use shared_runtime::{Conn, state::db::prepared};

use crate::base::{ids::WorkspaceId, tables::workspaces};
use cloud_content::risk_rules::RiskRules;

pub fn find(conn: &mut Conn, id: WorkspaceId) -> Result<RiskRules, Failure> {
    let found: Option<Option<Json<RiskRules>>> =
        workspaces::table.find(id).select(workspaces::risk_rules).first(conn).optional()?;
    Ok(found.flatten().map_or(RiskRules::NONE, |Json(rules)| rules))
}

pub fn set(conn: &mut Conn, id: WorkspaceId, rules: &RiskRules) -> Result<(), Failure> {
    let json = Some(serde_json::to_string(rules)?);
    prepared(diesel::update(workspaces::table.find(id)).set(workspaces::risk_rules.eq(json))).execute(conn)?;
    Ok(())
}
