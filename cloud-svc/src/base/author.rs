//! Who makes a change: the actor of the caller's grant, and the way that the request came.

use shared_model::Failure;
use shared_runtime::{Identity, identity::Actor};

use crate::base::ids::WorkspaceId;

shared_model::text_enum! {
    /// The way in which a change came.
    pub enum Via {
        /// An operation of this interface.
        Rest = "rest",
        /// A tool of the MCP endpoint.
        Mcp = "mcp",
        /// A page for people.
        Web = "web",
        /// An upload.
        Upload = "upload",
        /// The operator's command line.
        Import = "import",
    }
}

#[derive(Clone, Debug)]
pub struct Author {
    /// The workspace that the grant selects.
    pub workspace: WorkspaceId,
    pub grant_id: String,
    pub actor: Actor,
    /// The actor as JSON text, as it is stored.
    pub actor_json: String,
    pub via: Via,
}

impl Author {
    /// The author of what the caller changes by an operation.
    pub fn from_identity(identity: &Identity) -> Result<Self, Failure> {
        let actor = identity.actor.clone().ok_or_else(|| Failure::fault("a token of this surface without an actor"))?;
        Ok(Self {
            workspace: WorkspaceId::from_identity(identity)?,
            grant_id: identity.grant_id.clone(),
            actor_json: serde_json::to_string(&actor)?,
            actor,
            via: Via::Rest,
        })
    }

    /// Whether it is the same person, agent or service as the actor, whatever they are called now.
    pub fn is(&self, actor: &Actor) -> bool {
        self.actor.kind == actor.kind && self.actor.id == actor.id
    }
}
