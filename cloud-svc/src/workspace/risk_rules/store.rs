//! The rules of workspaces.

use diesel::prelude::*;
use shared_model::{Failure, json_column::Json};
use shared_runtime::{Conn, on_each, state::db::prepared};

use crate::base::{ids::WorkspaceId, tables::workspaces};
use cloud_content::risk_rules::RiskRules;

pub fn find(conn: &mut Conn, id: WorkspaceId) -> Result<RiskRules, Failure> {
    let rules = workspaces::table.find(id).select(workspaces::risk_rules);
    let found: Option<Option<Json<RiskRules>>> = on_each!(conn, |c| rules.first(c).optional())?;
    Ok(found.flatten().map_or(RiskRules::NONE, |Json(rules)| rules))
}

pub fn set(conn: &mut Conn, id: WorkspaceId, rules: &RiskRules) -> Result<(), Failure> {
    let json = Some(serde_json::to_string(rules)?);
    prepared(diesel::update(workspaces::table.find(id)).set(workspaces::risk_rules.eq(json))).execute(conn)?;
    Ok(())
}
