//! Who makes a change: the actor of the caller's grant, and the interface that the request used.

use shared_model::Failure;
use shared_runtime::{
    Identity,
    identity::{Actor, ActorKind},
};

use crate::base::ids::WorkspaceId;

shared_model::text_enum! {
    /// The interface through which a change came.
    pub enum Via {
        /// An operation of this HTTP interface.
        Rest = "rest",
        /// A tool of the MCP endpoint.
        Mcp = "mcp",
        /// A page for people.
        Web = "web",
        Upload = "upload",
        /// The operator's command line.
        Import = "import",
    }
}

#[derive(Clone, Debug)]
pub struct Author {
    pub workspace: WorkspaceId,
    pub grant_id: String,
    /// The owner of the grant.
    pub subject: String,
    pub actor: Actor,
    /// The actor as the JSON text that the database stores.
    pub actor_json: String,
    pub via: Via,
}

impl Author {
    pub fn from_identity(identity: &Identity) -> Result<Self, Failure> {
        let actor = identity.actor.clone().ok_or_else(|| Failure::fault("a token of this surface has no actor"))?;
        Ok(Self {
            workspace: WorkspaceId::from_identity(identity)?,
            grant_id: identity.grant_id.clone(),
            subject: identity.subject.clone(),
            // Once, because several rows of a transaction store it.
            actor_json: serde_json::to_string(&actor)?,
            actor,
            via: Via::Rest,
        })
    }

    pub fn is(&self, actor: &Actor) -> bool {
        key(&self.actor) == key(actor)
    }
}

/// Identifies an actor. Without the name: a person may have been renamed since.
pub fn key(actor: &Actor) -> String {
    let kind = match actor.kind {
        ActorKind::User => "user",
        ActorKind::Agent => "agent",
        ActorKind::Service => "service",
    };
    format!("{kind}:{}", actor.id)
}

/// The key of the agent with this id.
pub fn agent_key(id: &str) -> String {
    format!("agent:{id}")
}
