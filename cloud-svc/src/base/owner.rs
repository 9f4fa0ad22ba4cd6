//! Whose files an operation sees.

use sha2::{Digest as _, Sha256};
use shared_model::Failure;
use shared_runtime::{Identity, identity::ActorKind};

use super::ids::WorkspaceId;

/// A workspace, and for an agent the number of its limits. Every query about files takes it, so no operation can forget
/// the limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    workspace: WorkspaceId,
    agent: Option<i64>,
}

impl Owner {
    /// The caller, within the limits of an agent.
    pub fn of_caller(identity: &Identity) -> Result<Self, Failure> {
        let workspace = WorkspaceId::from_identity(identity)?;
        let is_agent = identity.actor.as_ref().is_some_and(|actor| actor.kind == ActorKind::Agent);
        Ok(if is_agent { Self::of_grant(workspace, &identity.grant_id) } else { Self::without_limits(workspace) })
    }

    /// A grant of any kind. Only those of agents can have limits.
    pub fn of_grant(workspace: WorkspaceId, grant_id: &str) -> Self {
        Self { workspace, agent: Some(agent_number(workspace, grant_id)) }
    }

    /// For the operator, and for work of the service itself.
    pub fn without_limits(workspace: WorkspaceId) -> Self {
        Self { workspace, agent: None }
    }

    pub fn workspace(self) -> WorkspaceId {
        self.workspace
    }

    /// The number of the limits, of which there may be none.
    pub fn agent(self) -> Option<i64> {
        self.agent
    }
}

/// The number of a grant in its workspace.
// A hash and not a serial number: it is known without a query. The issuer makes grant ids, so nobody searches for two that
// meet, and 63 bits are enough for accidents.
pub fn agent_number(workspace: WorkspaceId, grant_id: &str) -> i64 {
    let mut hash = Sha256::new();
    hash.update(workspace.number().to_be_bytes());
    hash.update(grant_id.as_bytes());
    let digest: [u8; 32] = hash.finalize().into();
    let number = digest.iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    // Positive, so that the number reads well in a database.
    i64::try_from(number >> 1).unwrap_or_default()
}
