//! The messages that endpoints receive: small JSON objects without names or contents of files.

use serde::{Deserialize, Serialize};
use shared_model::{Etag, Failure, Timestamp};
use shared_runtime::identity::Actor;

use crate::{
    base::ids::{CommentId, FileId, PlanId, VersionId, WebhookId, WorkspaceId},
    news::feed::item::ChangeRow,
};

pub const VERIFICATION: &str = "webhook.verification";
pub const PING: &str = "webhook.ping";

#[derive(Serialize)]
struct Message<'a, T> {
    #[serde(rename = "type")]
    kind: &'a str,
    timestamp: Timestamp,
    data: T,
}

#[derive(Serialize)]
struct Challenge<'a> {
    webhook_id: WebhookId,
    challenge: &'a str,
}

#[derive(Serialize)]
struct Ping {
    webhook_id: WebhookId,
    workspace_id: WorkspaceId,
}

#[derive(Serialize)]
struct Event<'a> {
    workspace_id: WorkspaceId,
    sequence: i64,
    file_id: Option<FileId>,
    version_id: Option<VersionId>,
    etag: Option<Etag>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment_id: Option<CommentId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan_id: Option<PlanId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    webhook_id: Option<WebhookId>,
    actor: ActorId<'a>,
}

// Without the display name, which is untrusted text.
#[derive(Serialize)]
struct ActorId<'a> {
    #[serde(rename = "type")]
    kind: shared_runtime::identity::ActorKind,
    id: &'a str,
}

/// The file that an event is about; `None` for a challenge or a ping, too.
pub fn file_of(body: &str) -> Result<Option<FileId>, Failure> {
    #[derive(Deserialize)]
    struct Told {
        data: Subject,
    }
    #[derive(Deserialize)]
    struct Subject {
        file_id: Option<FileId>,
    }
    let told: Told = serde_json::from_str(body)?;
    Ok(told.data.file_id)
}

/// The challenge that an endpoint must answer before it receives events.
pub fn challenge(webhook_id: WebhookId, challenge: &str, timestamp: Timestamp) -> Result<String, Failure> {
    text(VERIFICATION, timestamp, Challenge { webhook_id, challenge })
}

/// A test message.
pub fn ping(webhook_id: WebhookId, workspace_id: WorkspaceId, timestamp: Timestamp) -> Result<String, Failure> {
    text(PING, timestamp, Ping { webhook_id, workspace_id })
}

/// A change, under the event name `kind`. `etag` is the current one of the file.
pub fn event(kind: &str, workspace_id: WorkspaceId, row: &ChangeRow, etag: Option<Etag>) -> Result<String, Failure> {
    let Actor { kind: actor_kind, id, .. } = &row.actor.0;
    let event = Event {
        workspace_id,
        sequence: row.sequence,
        file_id: row.file_id,
        version_id: row.version_id,
        etag,
        comment_id: row.comment_id,
        plan_id: row.plan_id,
        webhook_id: row.webhook_id,
        actor: ActorId { kind: *actor_kind, id },
    };
    text(kind, row.at, event)
}

fn text(kind: &str, timestamp: Timestamp, data: impl Serialize) -> Result<String, Failure> {
    Ok(serde_json::to_string(&Message { kind, timestamp, data })?)
}
