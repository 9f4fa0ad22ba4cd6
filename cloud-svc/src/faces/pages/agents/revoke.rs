//! `POST /w/agents/revoke`: ends the access of an agent.

use serde_json::json;
use shared_model::Error;
use shared_runtime::pages::{Redirect, SignedIn};

use super::path::PATH;

pub async fn revoke(visit: SignedIn) -> Result<Redirect, Error> {
    let grant = visit.value("grant").unwrap_or_default();
    visit.operation("revoke_agent").path(&[grant]).once().json(json!({})).text().await?;
    Ok(Redirect::to(PATH))
}
