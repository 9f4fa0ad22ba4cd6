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
}

impl WorkspaceId {
    /// The lane of its commands.
    pub fn lane(self) -> LaneKey {
        LaneKey::of(&self.number().to_be_bytes())
    }

    /// The workspace that the caller's grant selects; the verifier lets no token without one through.
    pub fn of(identity: &Identity) -> Result<Self, Failure> {
        identity
            .workspace_id
            .map(Self::from_number)
            .ok_or_else(|| Failure::fault("a token of this surface without a workspace was let through"))
    }
}
