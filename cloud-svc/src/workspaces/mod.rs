//! A workspace: what one grant selects, with its storage quota and the sequence of its changes.

pub mod list;
pub mod store;

use serde::Serialize;
use shared_model::{Failure, Timestamp};
use shared_runtime::{Conn, Identity};
use utoipa::ToSchema;

use crate::ids::WorkspaceId;

/// A workspace as the world sees it.
#[derive(Clone, Debug, Serialize, ToSchema, diesel::Queryable)]
pub struct Workspace {
    /// Its id.
    pub id: WorkspaceId,
    /// Its name.
    #[schema(example = "Workspace 42")]
    pub name: String,
    /// `active`.
    #[schema(example = "active")]
    pub state: String,
    /// Bytes of all versions at most.
    #[schema(minimum = 0)]
    pub storage_quota_bytes: i64,
    /// Bytes of all versions now.
    #[schema(minimum = 0)]
    pub storage_used_bytes: i64,
    /// When a grant that selects it was first seen.
    pub created_at: Timestamp,
}

/// Records the workspace that a grant selects, in the transaction that records the grant.
pub fn on_first_seen(conn: &mut Conn, identity: &Identity, at: Timestamp) -> Result<(), Failure> {
    Ok(store::record(conn, WorkspaceId::of(identity)?, at)?)
}
