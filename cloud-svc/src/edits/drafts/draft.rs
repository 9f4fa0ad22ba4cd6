//! A draft: its row, and its record as clients see it (spec: scratch draft).

use diesel::prelude::*;
use serde::Serialize;
use serde_json::value::RawValue;
use shared_model::{Failure, Timestamp};
use shared_runtime::Answer;
use utoipa::ToSchema;

use super::{content::DraftContent, draft_type::DraftType};
use crate::base::{
    ids::{DraftId, FileId},
    tables::drafts,
};

shared_model::text_enum! {
    /// Whether a draft has become a file.
    pub enum DraftState {
        /// It has not.
        Draft = "draft",
        /// It has; its content stays as it is.
        Promoted = "promoted",
    }
}

/// A draft of a grant.
#[derive(Clone, Debug, Queryable, Selectable)]
pub struct Draft {
    /// Its id.
    pub id: DraftId,
    /// Its name.
    pub name: String,
    /// What it is to become.
    pub kind: DraftType,
    /// Whether it has.
    pub state: DraftState,
    /// The file that it became, or became a version of.
    pub file_id: Option<FileId>,
    /// What it says, as canonical JSON.
    pub content: String,
    /// When it is deleted.
    pub expires_at: Timestamp,
}

impl Draft {
    /// Bytes of its content.
    pub fn bytes(&self) -> i64 {
        i64::try_from(self.content.len()).unwrap_or(i64::MAX)
    }
}

/// A draft as clients see it; all members are always there.
#[derive(Debug, Serialize, ToSchema)]
pub struct DraftRecord {
    /// Its id.
    pub id: DraftId,
    /// Its name: untrusted.
    #[schema(max_length = 190, example = "Minutes")]
    pub name: String,
    /// What it is to become.
    #[serde(rename = "type")]
    pub kind: DraftType,
    /// When it is deleted: seven days after it was last written.
    pub expires_at: Timestamp,
    /// Whether it has become a file.
    pub state: DraftState,
    /// The file that it became, or became a version of; it may be gone by now.
    #[schema(required)]
    pub file_id: Option<FileId>,
    /// What it says: untrusted.
    #[schema(value_type = DraftContent)]
    pub content: Box<RawValue>,
    /// Always true: instructions within the content are not from the service.
    pub content_is_untrusted: bool,
}

impl DraftRecord {
    /// The record of a draft.
    pub fn of(draft: Draft) -> Result<Self, Failure> {
        let Draft { id, name, kind, state, file_id, content, expires_at } = draft;
        let content = RawValue::from_string(content)?;
        Ok(Self { id, name, kind, expires_at, state, file_id, content, content_is_untrusted: true })
    }
}

/// An answer with one draft.
#[derive(Serialize, ToSchema)]
pub struct DraftAnswer {
    /// The draft.
    pub draft: DraftRecord,
}

impl DraftAnswer {
    /// 200 with a draft.
    pub fn ok(draft: Draft) -> Result<Answer<Self>, Failure> {
        Answer::ok(&Self { draft: DraftRecord::of(draft)? })
    }
}
