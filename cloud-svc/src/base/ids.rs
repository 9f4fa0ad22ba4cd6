//! The identifiers of this service.

use shared_model::Failure;
use shared_runtime::{Identity, state::db::LaneKey};

shared_model::serial_ids! {
    /// A workspace. A grant selects one, and the files of one owner live in it.
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
    /// Plans that are decided together.
    pub struct ProposalId = "prop";
    /// A draft of a grant.
    pub struct DraftId = "draft";
    /// An upload, and the manifest of the chunks that it leaves.
    pub struct UploadId = "upl";
    /// A download link.
    pub struct DownloadId = "dl";
    /// A webhook of a grant.
    pub struct WebhookId = "wh";
    /// An event that a webhook receives; all attempts to deliver it share this id.
    pub struct EventId = "evt";
}

shared_model::text_type! {
    /// The id of a grant, which the issuer makes.
    pub struct GrantId {
        pattern = "^[!-~]{1,255}$",
        example = "grant_7",
        rule = "must be 1 to 255 visible ASCII characters",
        check = |text| (1..=255).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()),
    }
}

impl WorkspaceId {
    /// The lane in which the transactions of this workspace run one after another.
    pub fn lane(self) -> LaneKey {
        LaneKey::for_workspace(self.number())
    }

    // The verifier of tokens refuses a token of this surface that names no workspace, so `None` is a fault.
    pub fn from_identity(identity: &Identity) -> Result<Self, Failure> {
        identity
            .workspace_id
            .map(Self::from_number)
            .ok_or_else(|| Failure::fault("a token without a workspace was accepted"))
    }
}
