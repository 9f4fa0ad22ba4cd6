//! Two workspaces, made over HTTP by their members: one with a file of every native kind, one with a document.

mod bodies;

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
    /// A folder of theirs, with the spreadsheet, the note, the publication and the presentation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder_id: Option<String>,
    /// A document with every kind of block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document_id: Option<String>,
    /// A budget with formulas, formats and validation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spreadsheet_id: Option<String>,
    /// A note.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note_id: Option<String>,
    /// A publication of one page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub publication_id: Option<String>,
    /// A presentation of two slides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presentation_id: Option<String>,
    /// A comment of Ada's on a block of the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment_id: Option<String>,
    /// An upload of Ada's that waits for its chunks: 1 500 000 zeros.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upload_id: Option<String>,
    /// A document in the other workspace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_document_id: Option<String>,
}

/// Makes what is missing of `known`, the samples of the last start.
pub async fn make(client: &Client, base_url: &str, ada: &str, other: &str, known: &Ids) -> Result<Ids, StackError> {
    let workspaces =
        client.get(&format!("{base_url}/v1/workspaces"), Some(ada)).await?.accepted("list Ada's workspaces")?;
    let ours = Writer { client, base_url, token: ada };
    let theirs = Writer { token: other, ..ours };
    let document = ours.file(known.document_id.as_deref(), "documents", "welcome", bodies::welcome()).await?;
    let folder = ours.file(known.folder_id.as_deref(), "folders", "folder", json!({"name": "Summer fair"})).await?;
    let within = |mut body: Value| {
        body["parent_id"] = json!(folder);
        body
    };
    let budget = within(bodies::budget());
    let shopping = within(bodies::shopping());
    let poster = within(bodies::poster());
    let talk = within(bodies::talk());
    Ok(Ids {
        workspace_id: workspaces["workspaces"][0]["id"].as_str().map(str::to_owned),
        spreadsheet_id: Some(ours.file(known.spreadsheet_id.as_deref(), "spreadsheets", "budget", budget).await?),
        note_id: Some(ours.file(known.note_id.as_deref(), "notes", "shopping", shopping).await?),
        publication_id: Some(ours.file(known.publication_id.as_deref(), "publications", "poster", poster).await?),
        presentation_id: Some(ours.file(known.presentation_id.as_deref(), "presentations", "talk", talk).await?),
        comment_id: Some(ours.comment(known.comment_id.as_deref(), &document).await?),
        upload_id: Some(ours.upload(known.upload_id.as_deref()).await?),
        other_document_id: Some(
            theirs.file(known.other_document_id.as_deref(), "documents", "elsewhere", bodies::elsewhere()).await?,
        ),
        folder_id: Some(folder),
        document_id: Some(document),
    })
}

#[derive(Clone, Copy)]
struct Writer<'a> {
    client: &'a Client,
    base_url: &'a str,
    token: &'a str,
}

impl Writer<'_> {
    /// The id of a file or folder: the known one if it can still be read, else that of a new one.
    async fn file(&self, known: Option<&str>, collection: &str, key: &str, body: Value) -> Result<String, StackError> {
        if let Some(id) = known {
            let url = format!("{}/v1/files/{id}", self.base_url);
            if self.client.get(&url, Some(self.token)).await?.status == 200 {
                return Ok(id.to_owned());
            }
        }
        self.made(&format!("/v1/{collection}"), key, &body, "/file/id").await
    }

    /// The id of a comment on the first block of a document, likewise.
    async fn comment(&self, known: Option<&str>, document: &str) -> Result<String, StackError> {
        let path = format!("/v1/files/{document}/comments");
        let listed = self.read(&format!("{path}?limit=100")).await?;
        let mut ids = listed["items"].as_array().into_iter().flatten().filter_map(|comment| comment["id"].as_str());
        if let Some(id) = ids.find(|id| known == Some(id)) {
            return Ok(id.to_owned());
        }
        let read = self.read(&format!("/v1/documents/{document}")).await?;
        let anchor = json!({"block_id": read["content"]["blocks"][0]["id"]});
        self.made(&path, "comment", &json!({"text": "Shall we greet Bob by name?", "anchor": anchor}), "/comment/id")
            .await
    }

    /// The id of an upload that can be gone on with, likewise.
    async fn upload(&self, known: Option<&str>) -> Result<String, StackError> {
        if let Some(id) = known {
            let url = format!("{}/v1/uploads/{id}", self.base_url);
            if self.client.get(&url, Some(self.token)).await?.body["upload"]["state"] == "pending" {
                return Ok(id.to_owned());
            }
        }
        self.made("/v1/uploads", "upload", &bodies::zeros(), "/upload/id").await
    }

    async fn read(&self, path: &str) -> Result<Value, StackError> {
        let url = format!("{}{path}", self.base_url);
        self.client.get(&url, Some(self.token)).await?.accepted(&format!("read {path}"))
    }

    /// The id, at this pointer of the answer, of what is made.
    async fn made(&self, path: &str, key: &str, body: &Value, id: &str) -> Result<String, StackError> {
        let url = format!("{}{path}", self.base_url);
        // The key lets a start that was interrupted here find what it has made.
        let key = format!("sample-{key}");
        let made =
            self.client.post(&url, Some((self.token, &key)), body).await?.accepted(&format!("make the {key}"))?;
        match made.pointer(id).and_then(Value::as_str) {
            Some(id) => Ok(id.to_owned()),
            None => Err(StackError::new(format!("the {key} was made, but its id is not told: {made}"))),
        }
    }
}
