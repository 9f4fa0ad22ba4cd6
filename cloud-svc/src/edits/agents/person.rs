//! Agents are managed by people: otherwise an agent with the scope could lift its own limits.

use shared_model::Refusal;
use shared_runtime::{
    Identity,
    identity::{Actor, ActorKind},
};

use crate::base::codes;

/// 403 unless the caller is a person.
pub fn check(identity: &Identity) -> Result<(), Refusal> {
    identity.actor.as_ref().map_or_else(|| Err(refusal()), check_actor)
}

pub fn check_actor(actor: &Actor) -> Result<(), Refusal> {
    if actor.kind == ActorKind::User { Ok(()) } else { Err(refusal()) }
}

fn refusal() -> Refusal {
    codes::PERSON_REQUIRED.because("Only a person may see, limit and revoke the agents of a workspace.")
}
