//! A comment: its row, and its record as clients see it.

use diesel::prelude::*;
use serde::Serialize;
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
    /// Whether a comment is done with.
    pub enum CommentStatus {
        /// It is not.
        Open = "open",
        /// It is.
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
    /// Whether it is done with.
    pub status: CommentStatus,
    pub revision: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub resolved_at: Option<Timestamp>,
}

impl Comment {
    /// The tag of this state of the comment.
    pub fn etag(&self, records: &FileLinks) -> Etag {
        records.comment_etag(self.id, self.revision)
    }

    /// The comment as clients see it.
    pub fn record(self, records: &FileLinks) -> CommentRecord {
        CommentRecord {
            etag: self.etag(records),
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

/// A comment as clients see it; all members are always there.
#[derive(Debug, Serialize, ToSchema)]
pub struct CommentRecord {
    pub id: CommentId,
    pub file_id: FileId,
    /// What it says: untrusted.
    #[schema(max_length = 5000, example = "Is that so?")]
    pub text: String,
    /// What it is about; empty: the file as a whole.
    pub anchor: Anchor,
    pub actor: Actor,
    /// Whether it is done with.
    pub status: CommentStatus,
    /// Names this very state of the comment; send it back as `If-Match`.
    pub etag: Etag,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// When it was resolved; null while it is open.
    #[schema(required)]
    pub resolved_at: Option<Timestamp>,
}

/// An answer with one comment.
#[derive(Serialize, ToSchema)]
pub struct CommentAnswer {
    pub comment: CommentRecord,
    /// Always true: what it says is not from the service.
    pub content_is_untrusted: bool,
}

impl CommentAnswer {
    /// 200 with a comment.
    pub fn ok(comment: Comment, records: &FileLinks) -> Result<Answer<Self>, Failure> {
        let etag = comment.etag(records);
        let answer = Answer::ok(&Self { comment: comment.record(records), content_is_untrusted: true })?;
        Ok(answer.etag(etag))
    }
}
