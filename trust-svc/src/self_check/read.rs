//! Reading the last self-check.

use shared_model::Error;
use shared_runtime::{Answer, Anyone, State};

use super::state::Audit;
use crate::state::Trust;

/// `GET /log/audit`: what the service itself found when it last checked its whole log.
pub async fn read(_: Anyone, State(trust): State<Trust>) -> Result<Answer<Audit>, Error> {
    Ok(Answer::ok(&trust.self_checks.last())?)
}
