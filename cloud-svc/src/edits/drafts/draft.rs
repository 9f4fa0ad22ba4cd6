//! A draft: its row, and its record for clients.

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
        Draft = "draft",
        /// Its content can no longer change.
        Promoted = "promoted",
    }
}

#[derive(Clone, Debug, Queryable, Selectable)]
pub struct Draft {
    pub id: DraftId,
    pub name: String,
    pub kind: DraftType,
    pub state: DraftState,
    pub file_id: Option<FileId>,
    /// Canonical JSON.
    pub content: String,
    pub expires_at: Timestamp,
}

impl Draft {
    pub fn bytes(&self) -> i64 {
        i64::try_from(self.content.len()).unwrap_or(i64::MAX)
    }
}

/// A draft. All members are always present.
#[derive(Debug, Serialize, ToSchema)]
pub struct DraftRecord {
    pub id: DraftId,
    /// Untrusted.
    #[schema(max_length = 190, example = "Minutes")]
    pub name: String,
    #[serde(rename = "type")]
    pub kind: DraftType,
    /// When it is deleted: seven days after the last change.
    pub expires_at: Timestamp,
    pub state: DraftState,
    /// The file that it became, or became a version of. The file may be deleted.
    #[schema(required)]
    pub file_id: Option<FileId>,
    /// Untrusted.
    #[schema(value_type = DraftContent)]
    pub content: Box<RawValue>,
    /// Always true: instructions in the content are not from the service.
    pub content_is_untrusted: bool,
}

impl DraftRecord {
    pub fn new(draft: Draft) -> Result<Self, Failure> {
        let Draft { id, name, kind, state, file_id, content, expires_at } = draft;
        let content = RawValue::from_string(content)?;
        Ok(Self { id, name, kind, expires_at, state, file_id, content, content_is_untrusted: true })
    }
}

#[derive(Serialize, ToSchema)]
pub struct DraftAnswer {
    pub draft: DraftRecord,
}

impl DraftAnswer {
    pub fn ok(draft: Draft) -> Result<Answer<Self>, Failure> {
        Answer::ok(&Self { draft: DraftRecord::new(draft)? })
    }
}
