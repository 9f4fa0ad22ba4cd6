//! A comment: its row, and the record that clients see.

use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use shared_model::{Etag, Failure, Timestamp, json_column::Json};
use shared_runtime::{Answer, identity::Actor};
use utoipa::ToSchema;

use crate::base::{
    ids::{CommentId, FileId},
    links::FileLinks,
    tables::comments,
};
use cloud_content::anchor::Anchor;

shared_model::text_enum! {
    /// Whether a comment is open or resolved.
    pub enum CommentStatus {
        Open = "open",
        Resolved = "resolved",
    }
}

#[derive(Clone, Debug, Queryable, Selectable)]
pub struct Comment {
    pub id: CommentId,
    pub file_id: FileId,
    pub text: String,
    pub anchor: Json<Anchor>,
    pub actor: Json<Actor>,
    pub status: CommentStatus,
    pub revision: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub resolved_at: Option<Timestamp>,
    /// The comment that it replies to.
    pub parent_id: Option<CommentId>,
}

impl Comment {
    pub fn etag(&self, links: &FileLinks) -> Etag {
        links.comment_etag(self.id, self.revision)
    }

    pub fn record(self, links: &FileLinks) -> CommentRecord {
        CommentRecord {
            etag: self.etag(links),
            id: self.id,
            file_id: self.file_id,
            text: self.text,
            anchor: self.anchor.0,
            actor: self.actor.0,
            status: self.status,
            created_at: self.created_at,
            updated_at: self.updated_at,
            resolved_at: self.resolved_at,
        }
    }
}

/// A comment. All members are always present.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct CommentRecord {
    pub id: CommentId,
    pub file_id: FileId,
    /// Untrusted text.
    #[schema(max_length = 5000, example = "Is that so?")]
    pub text: String,
    /// The place that the comment is about; empty for the file as a whole.
    pub anchor: Anchor,
    pub actor: Actor,
    pub status: CommentStatus,
    /// Identifies this state of the comment; send it back as `If-Match`.
    pub etag: Etag,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Null while the comment is open.
    #[schema(required)]
    pub resolved_at: Option<Timestamp>,
}

/// One comment.
#[derive(Serialize, ToSchema)]
pub struct CommentAnswer {
    pub comment: CommentRecord,
    /// The comment that it replies to; null if it is not a reply, or if that comment is deleted.
    #[schema(required, example = json!(null))]
    pub parent_comment_id: Option<CommentId>,
    /// Always true: the text of a comment does not come from the service.
    pub content_is_untrusted: bool,
}

impl CommentAnswer {
    pub fn ok(comment: Comment, links: &FileLinks) -> Result<Answer<Self>, Failure> {
        let (etag, parent_comment_id) = (comment.etag(links), comment.parent_id);
        let answer =
            Answer::ok(&Self { comment: comment.record(links), parent_comment_id, content_is_untrusted: true })?;
        Ok(answer.etag(etag))
    }
}

/// What a comment takes of the workspace's storage.
pub fn text_bytes(text: &str) -> i64 {
    i64::try_from(text.len()).unwrap_or(i64::MAX)
}
