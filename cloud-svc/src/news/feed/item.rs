//! A change: its row, and how readers of the feed see it.

use diesel::prelude::*;
use serde::Serialize;
use shared_model::{Timestamp, json_column::Json};
use shared_runtime::identity::Actor;
use utoipa::ToSchema;

use crate::{
    base::{
        ids::{CommentId, FileId, PlanId, VersionId, WebhookId},
        tables::changes,
    },
    files::file::FileRecord,
    workspace::changes::ChangeType,
};

/// A change of a workspace.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = changes)]
pub struct ChangeRow {
    /// Its number in the workspace.
    pub sequence: i64,
    pub kind: ChangeType,
    pub at: Timestamp,
    pub actor: Json<Actor>,
    /// To which file, which may be gone by now.
    pub file_id: Option<FileId>,
    /// The version that came of it.
    pub version_id: Option<VersionId>,
    pub comment_id: Option<CommentId>,
    pub plan_id: Option<PlanId>,
    pub webhook_id: Option<WebhookId>,
}

/// A change as readers of the feed see it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ChangeItem {
    /// Its number: one more than that of the change before.
    #[schema(minimum = 1)]
    pub sequence: i64,
    /// What happened. The apply of a plan is a `file.updated` with a `plan_id`.
    #[serde(rename = "type")]
    pub kind: ChangeType,
    pub at: Timestamp,
    pub actor: Actor,
    /// The file that it happened to; null where it was none.
    #[schema(required)]
    pub file_id: Option<FileId>,
    /// That file as it is now, in the trash or not; null once it is purged.
    #[schema(required)]
    pub file: Option<FileRecord>,
    /// The version that came of it.
    #[schema(required)]
    pub version_id: Option<VersionId>,
    /// The comment that it was about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment_id: Option<CommentId>,
    /// The plan that it was about, or came of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan_id: Option<PlanId>,
    /// The webhook that it was about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub webhook_id: Option<WebhookId>,
    /// Whether the file is gone for good.
    pub removed: bool,
}

impl ChangeItem {
    /// The item of a change whose file, if there still is one, has this record now.
    pub fn of(row: ChangeRow, file: Option<FileRecord>) -> Self {
        let ChangeRow { sequence, kind, at, actor, file_id, version_id, comment_id, plan_id, webhook_id } = row;
        let removed = file_id.is_some() && file.is_none();
        let Json(actor) = actor;
        Self { sequence, kind, at, actor, file_id, file, version_id, comment_id, plan_id, webhook_id, removed }
    }
}
