//! Two workspaces, filled over HTTP by their members. One has a file of every native kind, the other has one document.

mod bodies;
mod webhook;
mod writer;

use serde_json::{Value, json};

use self::writer::Writer;
use crate::{client::Client, error::StackError, receiver::Receiver, sample_ids::CloudIds};

/// Makes the samples that are missing. `known` are those of the last start.
pub async fn make(
    client: &Client,
    base_url: &str,
    ada: &str,
    other: &str,
    receiver: &Receiver,
    known: &CloudIds,
) -> Result<CloudIds, StackError> {
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
    Ok(CloudIds {
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
        // After all files: the webhook would otherwise report each of them at the first start.
        webhook_id: Some(webhook::make(ours, receiver, known.webhook_id.as_deref()).await?),
    })
}
