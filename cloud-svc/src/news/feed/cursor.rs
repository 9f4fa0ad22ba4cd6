//! Cursors of the change feed, and `GET /v1/changes/cursor`: the cursor after the last change.

use std::time::Duration;

use serde::Serialize;
use shared_model::{Cursor, Error, Failure, InvalidCursor, NextAction, Refusal, Timestamp, code};
use shared_runtime::{Answer, Caller, Context};
use utoipa::ToSchema;

use crate::{
    base::{codes, ids::WorkspaceId, limits::CHANGE_CURSOR_SECONDS, permissions::ReadFiles},
    workspace,
};

// Not bound to a filter: a reader may ask for other types with the same cursor.
pub struct FeedCursors {
    cursors: Cursor,
    href: String,
}

impl FeedCursors {
    pub fn of_workspace(context: &Context, owner: WorkspaceId) -> Self {
        let cursors = Cursor::for_list(&context.secret, "list_changes", &owner.to_string(), "");
        let cursors = cursors.with_lifetime(Duration::from_secs(CHANGE_CURSOR_SECONDS));
        Self { cursors, href: context.href("/v1/changes/cursor") }
    }

    /// The cursor after the change with this number.
    pub fn after(&self, sequence: i64, now: Timestamp) -> String {
        self.cursors.encode(&sequence.to_string(), now)
    }

    /// The number of the change before the cursor. 400 for text that is not a cursor of it, 410 for an old cursor.
    pub fn sequence(&self, text: &str, now: Timestamp) -> Result<i64, Refusal> {
        let place =
            self.cursors.decode_with_expiry(text, now).map_err(|InvalidCursor| code::INVALID_CURSOR.refusal())?;
        if place.is_expired {
            return Err(self.expired());
        }
        place.position.parse().map_err(|_| code::INVALID_CURSOR.refusal())
    }

    /// 410: changes after the cursor are no longer kept.
    pub fn expired(&self) -> Refusal {
        codes::CHANGE_CURSOR_EXPIRED.refusal().next(NextAction::Refresh { href: self.href.clone(), etag: None })
    }
}

/// The current end of the feed.
#[derive(Serialize, ToSchema)]
pub struct FeedPlace {
    /// The cursor after the last change.
    #[schema(example = "AAAAAGkg…")]
    pub cursor: String,
    /// The number of the last change.
    #[schema(minimum = 0)]
    pub change_sequence: i64,
}

pub async fn read(caller: Caller<ReadFiles>, context: Context) -> Result<Answer<FeedPlace>, Error> {
    let owner = WorkspaceId::from_identity(&caller)?;
    let workspace = context.look_up(move |conn| Ok(workspace::store::find(conn, owner)?)).await?;
    let workspace = workspace.ok_or_else(|| Failure::fault("the workspace of a known grant has no row"))?;
    let change_sequence = workspace.change_sequence;
    let cursor = FeedCursors::of_workspace(&context, owner).after(change_sequence, context.clock.now());
    Ok(Answer::ok(&FeedPlace { cursor, change_sequence })?)
}
