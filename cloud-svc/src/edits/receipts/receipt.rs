//! What a receipt says.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use shared_model::Timestamp;
use shared_runtime::identity::{Actor, ActorKind};
use utoipa::ToSchema;

use crate::base::{
    author::Via,
    ids::{FileId, PlanId, VersionId, WorkspaceId},
};

shared_model::text_enum! {
    /// What was decided about a plan.
    pub enum Decision {
        Approved = "approved",
        /// Sent back to its author.
        Returned = "returned",
        Rejected = "rejected",
        Applied = "applied",
        Discarded = "discarded",
    }
}

/// Who decided or wrote something.
// Without the name: receipts stay forever, and a person may be renamed.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Party {
    #[serde(rename = "type")]
    pub kind: ActorKind,
    /// Its id at the authorization server.
    #[schema(example = "user-7")]
    pub id: String,
}

impl Party {
    pub fn of(actor: &Actor) -> Self {
        Self { kind: actor.kind, id: actor.id.clone() }
    }
}

/// A decision about a plan. It names contents by their hashes only.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ReceiptStatement {
    /// `fourfold.decision-receipt.v1`.
    #[serde(rename = "type")]
    #[schema(example = "fourfold.decision-receipt.v1")]
    pub kind: String,
    pub workspace_id: WorkspaceId,
    /// The place in the chain of the workspace, from 1 without gaps.
    #[schema(minimum = 1, example = 2)]
    pub sequence: i64,
    /// SHA-256 of the statement before; null for the first.
    #[schema(required, pattern = "^[0-9a-f]{64}$", example = json!(null))]
    pub previous: Option<String>,
    pub decision: Decision,
    pub file_id: FileId,
    pub plan_id: PlanId,
    /// The plan that it was rebased from, which has receipts of its own.
    #[schema(required, example = json!(null))]
    pub rebased_from: Option<PlanId>,
    pub base_version_id: VersionId,
    /// SHA-256 of the content of the base version.
    #[schema(pattern = "^[0-9a-f]{64}$", example = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
    pub base_sha256: String,
    /// SHA-256 of the content that the plan shows.
    #[schema(pattern = "^[0-9a-f]{64}$", example = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
    pub proposal_sha256: String,
    /// The version that it added; null unless it was applied and changed something.
    #[schema(required)]
    pub result_version_id: Option<VersionId>,
    /// SHA-256 of the content of that version.
    #[schema(required, pattern = "^[0-9a-f]{64}$", example = json!(null))]
    pub result_sha256: Option<String>,
    /// The plan that it was split off, amended or revised from, which has receipts of its own.
    #[schema(required, example = json!(null))]
    pub derived_from: Option<PlanId>,
    /// The author of the edits.
    pub author: Party,
    /// Who added edits to those of the author.
    #[schema(max_items = 50)]
    pub co_authors: Vec<Party>,
    pub proposed_at: Timestamp,
    pub decided_by: Party,
    pub decided_at: Timestamp,
    /// The interface through which the decision came.
    pub via: Via,
    /// Who had approved an applied or discarded plan.
    #[schema(required)]
    pub approved_by: Option<Party>,
    #[schema(required)]
    pub approved_at: Option<Timestamp>,
    /// When the client of an agent said that a person agrees: the word of the client.
    #[schema(required)]
    pub confirmed_at: Option<Timestamp>,
    /// The key that signed it.
    #[schema(pattern = "^[0-9a-f]{32}$", example = "0123456789abcdef0123456789abcdef")]
    pub key_id: String,
}

/// A signed statement about a decision.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct Receipt {
    // As it is stored: another order of members would be another text to verify.
    #[schema(value_type = ReceiptStatement)]
    pub statement: Box<RawValue>,
    /// Ed25519 over the canonical JSON (RFC 8785) of the statement, as base64.
    #[schema(
        pattern = "^[A-Za-z0-9+/]{86}==$",
        example = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5ejAxMjM0NTY3ODkrLw=="
    )]
    pub signature: String,
}
