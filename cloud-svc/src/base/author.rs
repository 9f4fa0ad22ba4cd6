//! Who makes a change: the actor of the caller's grant, and the interface that the request used.

use shared_model::Failure;
use shared_runtime::{Identity, identity::Actor};

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
            // Once, because several rows of a transaction store it.
            actor_json: serde_json::to_string(&actor)?,
            actor,
            via: Via::Rest,
        })
    }

    // Names are not compared: a person may have been renamed since.
    pub fn is(&self, actor: &Actor) -> bool {
        self.actor.kind == actor.kind && self.actor.id == actor.id
    }
}
