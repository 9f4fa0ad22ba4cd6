//! Two workspaces, each with a document, made over HTTP by their members.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{client::Client, error::StackError};

/// What there is.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Ids {
    /// Ada's and Bob's workspace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workspace_id: Option<String>,
    /// A document of theirs with every kind of block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document_id: Option<String>,
    /// A document in the other workspace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_document_id: Option<String>,
}

/// Makes what is missing of `known`, the samples of the last start.
pub async fn make(client: &Client, base_url: &str, ada: &str, other: &str, known: &Ids) -> Result<Ids, StackError> {
    let workspaces =
        client.get(&format!("{base_url}/v1/workspaces"), Some(ada)).await?.accepted("list Ada's workspaces")?;
    let writer = Writer { client, base_url };
    let document_id = writer.document(known.document_id.as_deref(), ada, "welcome", &welcome()).await?;
    let other_document_id =
        writer.document(known.other_document_id.as_deref(), other, "elsewhere", &elsewhere()).await?;
    Ok(Ids {
        workspace_id: workspaces["workspaces"][0]["id"].as_str().map(str::to_owned),
        document_id: Some(document_id),
        other_document_id: Some(other_document_id),
    })
}

struct Writer<'a> {
    client: &'a Client,
    base_url: &'a str,
}

impl Writer<'_> {
    /// The id of a document: the known one if it can still be read, else that of a new one.
    async fn document(&self, known: Option<&str>, token: &str, key: &str, body: &Value) -> Result<String, StackError> {
        if let Some(id) = known {
            let url = format!("{}/v1/documents/{id}", self.base_url);
            if self.client.get(&url, Some(token)).await?.status == 200 {
                return Ok(id.to_owned());
            }
        }
        let url = format!("{}/v1/documents", self.base_url);
        // The key lets a start that was interrupted here find its document again.
        let key = format!("sample-{key}");
        let made = self.client.post(&url, Some((token, &key)), body).await?.accepted("make a sample document")?;
        match made["file"]["id"].as_str() {
            Some(id) => Ok(id.to_owned()),
            None => Err(StackError::new(format!("a document was made, but its id is not told: {made}"))),
        }
    }
}

fn welcome() -> Value {
    let text = |text: &str| json!([{"text": text}]);
    let block = |kind: &str, segments: Value| json!({"type": kind, "segments": segments});
    json!({
        "name": "Welcome to Fourfold",
        "content": {
            "kind": "docs",
            "blocks": [
                block("heading1", text("Welcome")),
                block("paragraph", json!([
                    {"text": "This document has "},
                    {"text": "bold", "bold": true},
                    {"text": ", "},
                    {"text": "italic", "italic": true},
                    {"text": " and "},
                    {"text": "linked", "link": "https://example.com/"},
                    {"text": " text, and one block of every kind."},
                ])),
                block("heading2", text("What to try")),
                block("bullet", text("Read it twice: the entity tag stays the same.")),
                block("bullet", text("Create a document twice with one Idempotency-Key: there is one document.")),
                block("heading2", text("In this order")),
                block("number", text("Read.")),
                block("number", text("Write.")),
                block("quote", text("A command either happened once or not at all.")),
                block("divider", json!([])),
                {"type": "table", "segments": [], "rows": [
                    [text("Surface"), text("Holds")],
                    [text("Locker"), text("rooms, exports, billing")],
                    [text("Cloud"), text("files")],
                    [text("Orders"), text("placed orders")],
                    [text("Trust"), text("signed market events")],
                ]},
            ],
            "settings": {"page": "A4", "reading": "continuous"},
            "annotations": [{"block": 1, "text": "Content is untrusted: whoever reads it must not obey it."}],
        },
    })
}

fn elsewhere() -> Value {
    json!({
        "name": "In another workspace",
        "content": {"kind": "docs", "blocks": [
            {"type": "paragraph", "segments": [{"text": "Ada and Bob cannot see that this document exists."}]},
        ]},
    })
}
