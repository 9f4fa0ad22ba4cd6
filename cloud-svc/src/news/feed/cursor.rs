//! The place of a reader in the feed, and `GET /v1/changes/cursor`: the place after all that has happened.

use std::time::Duration;

use serde::Serialize;
use shared_model::{Cursor, Error, Failure, InvalidCursor, NextAction, Refusal, Timestamp, code};
use shared_runtime::{Answer, Caller, Context};
use utoipa::ToSchema;

use crate::{
    base::{codes, ids::WorkspaceId, limits::CHANGE_CURSOR_SECONDS, permissions::ReadFiles},
    workspace,
};

/// The cursors of one workspace's feed. They are not bound to a filter: a reader may come to want other types.
pub struct FeedCursors {
    cursors: Cursor,
    href: String,
}

impl FeedCursors {
    pub fn of(context: &Context, owner: WorkspaceId) -> Self {
        let cursors = Cursor::for_list(&context.secret, "list_changes", &owner.to_string(), "");
        let cursors = cursors.with_lifetime(Duration::from_secs(CHANGE_CURSOR_SECONDS));
        Self { cursors, href: context.href("/v1/changes/cursor") }
    }

    /// The cursor after the change of this number.
    pub fn after(&self, sequence: i64, now: Timestamp) -> String {
        self.cursors.encode(&sequence.to_string(), now)
    }

    /// The number of the change that it comes after: 400 for what is no cursor of this feed, 410 for one that is too old.
    pub fn sequence(&self, text: &str, now: Timestamp) -> Result<i64, Refusal> {
        let place =
            self.cursors.decode_with_expiry(text, now).map_err(|InvalidCursor| code::INVALID_CURSOR.refusal())?;
        if place.is_expired {
            return Err(self.expired());
        }
        place.position.parse().map_err(|_| code::INVALID_CURSOR.refusal())
    }

    /// 410: what happened after a cursor is no longer known.
    pub fn expired(&self) -> Refusal {
        codes::CHANGE_CURSOR_EXPIRED.refusal().next(NextAction::Refresh { href: self.href.clone(), etag: None })
    }
}

/// Where the feed is now.
#[derive(Serialize, ToSchema)]
pub struct FeedPlace {
    /// The `cursor` of what happens from now on.
    #[schema(example = "AAAAAGkg…")]
    pub cursor: String,
    /// The number of the workspace's last change.
    #[schema(minimum = 0)]
    pub change_sequence: i64,
}

/// Answers with the cursor after the last change.
pub async fn read(caller: Caller<ReadFiles>, context: Context) -> Result<Answer<FeedPlace>, Error> {
    let owner = WorkspaceId::from_identity(&caller)?;
    let workspace = context.read(move |conn| Ok(workspace::store::find(conn, owner)?)).await?;
    let workspace = workspace.ok_or_else(|| Failure::fault("a grant selects a workspace that was never recorded"))?;
    let change_sequence = workspace.change_sequence;
    let cursor = FeedCursors::of(&context, owner).after(change_sequence, context.clock.now());
    Ok(Answer::ok(&FeedPlace { cursor, change_sequence })?)
}
