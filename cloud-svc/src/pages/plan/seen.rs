//! A plan, as the operations answer it.

use serde::Deserialize;
use serde_json::Value;
use shared_model::Timestamp;
use shared_runtime::identity::Actor;

/// The members of a plan that pages show.
#[derive(Debug, Deserialize)]
pub struct PlanSeen {
    /// Its id.
    pub id: String,
    /// The file that it would change.
    pub file_id: String,
    /// The kind of content.
    pub kind: String,
    /// Where it is on its way.
    pub state: String,
    /// Whether the file has changed since.
    pub stale: bool,
    /// Whether it changes nothing.
    pub no_op: bool,
    /// The number of its operations.
    pub operations: usize,
    /// The version that it is for.
    pub base_version_id: String,
    /// SHA-256 of what it comes to.
    pub proposal_sha256: String,
    /// Its changes, counted.
    pub summary: Summary,
    /// Its changes; none in a list.
    #[serde(default)]
    pub changes: Vec<Change>,
    /// What to look at.
    pub warnings: Vec<Warning>,
    /// Its review.
    pub review: Option<Review>,
    /// Who proposed it.
    pub actor: Actor,
    /// When it was proposed.
    pub created_at: Timestamp,
    /// When it can no longer be applied.
    pub expires_at: Timestamp,
    /// The version that came of it.
    pub applied_version_id: Option<String>,
}

/// Changes, counted.
#[derive(Debug, Deserialize)]
pub struct Summary {
    /// Parts that are new.
    pub inserted: usize,
    /// Parts that are another.
    pub replaced: usize,
    /// Parts that go.
    pub deleted: usize,
    /// Parts that move.
    pub moved: usize,
    /// Cells.
    pub cells_changed: usize,
    /// Bytes before.
    pub bytes_before: u64,
    /// Bytes after.
    pub bytes_after: u64,
}

/// One change.
#[derive(Debug, Deserialize)]
pub struct Change {
    /// `insert`, `replace`, `delete` or `move`.
    pub kind: String,
    /// The block.
    pub block_id: Option<String>,
    /// The sheet.
    pub sheet: Option<String>,
    /// The cell.
    pub cell: Option<String>,
    /// Rows, columns or cells.
    pub range: Option<String>,
    /// The page.
    pub page_id: Option<String>,
    /// The slide.
    pub slide_id: Option<String>,
    /// The element.
    pub element_id: Option<String>,
    /// A member of the content.
    pub member: Option<String>,
    /// After which part it comes; null at the beginning.
    #[serde(default, deserialize_with = "present")]
    pub after_id: Option<Option<String>>,
    /// What is there.
    pub before: Value,
    /// What will be there.
    pub after: Value,
}

/// Null is something else than absence.
fn present<'de, D: serde::Deserializer<'de>>(input: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(input).map(Some)
}

/// A warning.
#[derive(Debug, Deserialize)]
pub struct Warning {
    /// What it is.
    pub code: String,
    /// Where.
    #[serde(rename = "where")]
    pub place: String,
    /// `high`, `medium` or `low`.
    pub severity: String,
    /// More.
    pub detail: String,
}

/// A review.
#[derive(Debug, Deserialize)]
pub struct Review {
    /// Who asked for it.
    pub requested_by: Actor,
    /// What they asked.
    pub note: Option<String>,
    /// The verdict.
    pub verdict: Option<String>,
    /// Whose it is.
    pub by: Option<Actor>,
    /// Why.
    pub reason: Option<String>,
    /// When.
    pub at: Option<Timestamp>,
}

impl PlanSeen {
    /// Its page.
    pub fn href(&self) -> String {
        format!("/f/{}/plans/{}", self.file_id, self.id)
    }

    /// Its state in words.
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

    /// The operation that applies plans of its kind.
    pub fn apply_operation(&self) -> Option<&'static str> {
        Some(match self.kind.as_str() {
            "docs" => "apply_document_edit",
            "sheets" => "apply_spreadsheet_edit",
            "note" => "apply_note_edit",
            "publication" => "apply_publication_edit",
            "presentation" => "apply_presentation_edit",
            _ => return None,
        })
    }
}
