//! The service's identifiers (spec: file record).

use shared_model::Failure;
use shared_runtime::{Identity, state::db::LaneKey};

shared_model::serial_ids! {
    /// A workspace: what one grant selects, and what one owner's files live in.
    pub struct WorkspaceId = "ws";
    /// A file or folder of a workspace.
    pub struct FileId = "file";
    /// An immutable version of a file's content.
    pub struct VersionId = "ver";
    /// A comment on a file.
    pub struct CommentId = "cmt";
}

shared_model::hex_ids! {
    /// A plan of edits.
    pub struct PlanId = "plan";
    /// A draft of a grant.
    pub struct DraftId = "draft";
    /// An upload, and the manifest that comes of it.
    pub struct UploadId = "upl";
    /// A link to download something.
    pub struct DownloadId = "dl";
    /// A webhook of a grant.
    pub struct WebhookId = "wh";
    /// What a webhook is told, in however many attempts.
    pub struct EventId = "evt";
}

impl WorkspaceId {
    /// Where its transactions run one after the other.
    pub fn lane(self) -> LaneKey {
        LaneKey::for_workspace(self.number())
    }

    /// The workspace that the caller's grant selects; the verifier lets no token without one through.
    pub fn from_identity(identity: &Identity) -> Result<Self, Failure> {
        identity
            .workspace_id
            .map(Self::from_number)
            .ok_or_else(|| Failure::fault("a token of this surface without a workspace was let through"))
    }
}
