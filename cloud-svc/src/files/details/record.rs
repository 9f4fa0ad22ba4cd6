//! The details of a file, as clients see them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use shared_runtime::identity::Actor;
use utoipa::ToSchema;

use crate::base::ids::FileId;
use cloud_content::anchor::Anchor;

/// Details of a file. All members are always present.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Details {
    /// Size of the current version; null for a folder.
    #[schema(required, minimum = 0)]
    pub bytes: Option<i64>,
    /// The media type of the current version; null for a folder.
    #[schema(required, example = "application/json")]
    pub mime: Option<String>,
    /// The folders from the top down to the one that contains the file.
    #[schema(max_items = 32)]
    pub path: Vec<PathEntry>,
    /// Who wrote the first version; null for a folder.
    #[schema(required)]
    pub created_by: Option<Actor>,
    /// Who wrote the current version; null for a folder.
    #[schema(required)]
    pub updated_by: Option<Actor>,
    #[schema(minimum = 0)]
    pub open_comments: i64,
    /// Plans that are proposed, in review, approved or returned.
    #[schema(minimum = 0)]
    pub open_plans: i64,
    /// The tags of a note; empty for other files. Untrusted text.
    #[schema(max_items = 20, example = json!(["board"]))]
    pub tags: Vec<String>,
    /// Parts that agents change only with the approval of a person.
    #[schema(max_items = 100)]
    pub protected: Vec<Anchor>,
}

/// A folder of a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PathEntry {
    pub id: FileId,
    /// Untrusted text.
    #[schema(max_length = 190, example = "Minutes")]
    pub name: String,
}

pub type DetailsById = BTreeMap<FileId, Details>;
