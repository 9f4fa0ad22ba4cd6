//! Two workspaces, made over HTTP by their members: one with a file of every native kind, one with a document.

mod bodies;
mod webhook;
mod writer;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use self::writer::Writer;
use crate::{client::Client, error::StackError, receiver::Receiver};

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
    /// Ada's webhook, which tells the stack's receiver of everything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub webhook_id: Option<String>,
    /// A document in the other workspace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_document_id: Option<String>,
}

/// Makes what is missing of `known`, the samples of the last start.
pub async fn make(
    client: &Client,
    base_url: &str,
    ada: &str,
    other: &str,
    receiver: &Receiver,
    known: &Ids,
) -> Result<Ids, StackError> {
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
        // After all files, which are no news.
        webhook_id: Some(webhook::make(ours, receiver, known.webhook_id.as_deref()).await?),
    })
}
