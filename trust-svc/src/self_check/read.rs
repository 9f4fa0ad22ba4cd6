//! Serves the result of the last self-check.

use shared_model::Error;
use shared_runtime::{Answer, Anyone, State};

use super::state::{Audit, SelfChecks};

/// `GET /log/audit`
pub async fn read(_: Anyone, State(self_checks): State<SelfChecks>) -> Result<Answer<Audit>, Error> {
    Ok(Answer::ok(&self_checks.last())?)
}
