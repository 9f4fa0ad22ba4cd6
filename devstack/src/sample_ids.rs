//! Ids of the sample data, as `stack.json` stores them. A sample that could not be made is left out.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SampleIds {
    pub locker: LockerIds,
    pub cloud: CloudIds,
    pub orders: OrdersIds,
    pub trust: TrustIds,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LockerIds {
    /// Has an attested image and the local model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room_id: Option<String>,
    /// The same, but no model is configured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room_without_model_id: Option<String>,
    /// 20 parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub export_id: Option<String>,
    /// Belongs to the other owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_export_id: Option<String>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CloudIds {
    /// Shared by Ada and Bob.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workspace_id: Option<String>,
    /// Contains the spreadsheet, the note, the publication and the presentation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spreadsheet_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub publication_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presentation_id: Option<String>,
    /// On a block of the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment_id: Option<String>,
    /// Waits for its chunks: 1 500 000 zeros.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upload_id: Option<String>,
    /// Sends every event to the stack's receiver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub webhook_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_document_id: Option<String>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct OrdersIds {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_order_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draft_order_id: Option<String>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TrustIds {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub market_id: Option<String>,
}
