//! A plan as operations answer it.

use serde::Deserialize;
use serde_json::Value;
use shared_model::Timestamp;
use shared_runtime::identity::Actor;

use cloud_content::kinds;

// The members that pages show. Words are text and not enums, so that a new one is still shown.
#[derive(Debug, Deserialize)]
pub struct PlanSeen {
    pub id: String,
    pub file_id: String,
    pub kind: String,
    pub state: String,
    pub stale: bool,
    pub no_op: bool,
    pub operations: usize,
    pub base_version_id: String,
    pub proposal_sha256: String,
    pub summary: Summary,
    /// Empty in a list.
    #[serde(default)]
    pub changes: Vec<Change>,
    pub warnings: Vec<Warning>,
    pub review: Option<Review>,
    pub actor: Actor,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    pub applied_version_id: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Summary {
    pub inserted: usize,
    pub replaced: usize,
    pub deleted: usize,
    pub moved: usize,
    pub cells_changed: usize,
    pub bytes_before: u64,
    pub bytes_after: u64,
}

#[derive(Debug, Deserialize)]
pub struct Change {
    /// `insert`, `replace`, `delete` or `move`.
    pub kind: String,
    pub block_id: Option<String>,
    pub sheet: Option<String>,
    pub cell: Option<String>,
    pub range: Option<String>,
    pub page_id: Option<String>,
    pub slide_id: Option<String>,
    pub element_id: Option<String>,
    pub member: Option<String>,
    /// The part before it; null at the beginning.
    #[serde(default, deserialize_with = "present")]
    pub after_id: Option<Option<String>>,
    pub before: Value,
    pub after: Value,
}

// Null means the beginning; absent means that the change moves nothing.
fn present<'de, D: serde::Deserializer<'de>>(input: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(input).map(Some)
}

#[derive(Debug, Deserialize)]
pub struct Warning {
    pub code: String,
    #[serde(rename = "where")]
    pub place: String,
    /// `high`, `medium` or `low`.
    pub severity: String,
    pub detail: String,
}

#[derive(Debug, Deserialize)]
pub struct Review {
    pub requested_by: Actor,
    pub note: Option<String>,
    pub verdict: Option<String>,
    pub by: Option<Actor>,
    pub reason: Option<String>,
    pub at: Option<Timestamp>,
}

impl PlanSeen {
    pub fn href(&self) -> String {
        format!("/f/{}/plans/{}", self.file_id, self.id)
    }

    pub fn state_word(&self) -> &str {
        match self.state.as_str() {
            "proposed" => "Proposed",
            "in_review" => "In review",
            "approved" => "Approved",
            "rejected" => "Rejected",
            "discarded" => "Discarded",
            "applied" => "Applied",
            "expired" => "Expired",
            other => other,
        }
    }

    /// The operation that applies this kind of plan.
    pub fn apply_operation(&self) -> Option<&'static str> {
        kinds::of_plan(&self.kind).map(|kind| kind.apply.id)
    }
}
