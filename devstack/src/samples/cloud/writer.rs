//! Making samples over HTTP, and finding those of the last start.

use serde_json::{Value, json};

use super::bodies;
use crate::{client::Client, error::StackError};

/// Makes samples as whoever has the token.
#[derive(Clone, Copy)]
pub struct Writer<'a> {
    /// What sends.
    pub client: &'a Client,
    /// Where the service is.
    pub base_url: &'a str,
    /// Whose samples they are.
    pub token: &'a str,
}

impl Writer<'_> {
    /// The id of a file or folder: the known one if it can still be read, else that of a new one.
    pub async fn file(
        &self,
        known: Option<&str>,
        collection: &str,
        key: &str,
        body: Value,
    ) -> Result<String, StackError> {
        if let Some(id) = known {
            let url = format!("{}/v1/files/{id}", self.base_url);
            if self.client.get(&url, Some(self.token)).await?.status == 200 {
                return Ok(id.to_owned());
            }
        }
        self.made(&format!("/v1/{collection}"), key, &body, "/file/id").await
    }

    /// The id of a comment on the first block of a document, likewise.
    pub async fn comment(&self, known: Option<&str>, document: &str) -> Result<String, StackError> {
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
    pub async fn upload(&self, known: Option<&str>) -> Result<String, StackError> {
        if let Some(id) = known {
            let url = format!("{}/v1/uploads/{id}", self.base_url);
            if self.client.get(&url, Some(self.token)).await?.body["upload"]["state"] == "pending" {
                return Ok(id.to_owned());
            }
        }
        self.made("/v1/uploads", "upload", &bodies::zeros(), "/upload/id").await
    }

    /// What a GET answers.
    pub async fn read(&self, path: &str) -> Result<Value, StackError> {
        let url = format!("{}{path}", self.base_url);
        self.client.get(&url, Some(self.token)).await?.accepted(&format!("read {path}"))
    }

    /// The id, at this pointer of the answer, of what is made.
    async fn made(&self, path: &str, key: &str, body: &Value, id: &str) -> Result<String, StackError> {
        // The key lets a start that was interrupted here find what it has made.
        let made = self.command(path, key, body).await?;
        match made.pointer(id).and_then(Value::as_str) {
            Some(id) => Ok(id.to_owned()),
            None => Err(StackError::new(format!("the sample {key} was made, but its id is not told: {made}"))),
        }
    }

    /// What a command answers; the key is that of a sample.
    pub async fn command(&self, path: &str, key: &str, body: &Value) -> Result<Value, StackError> {
        let url = format!("{}{path}", self.base_url);
        let key = format!("sample-{key}");
        self.client.post(&url, Some((self.token, &key)), body).await?.accepted(&format!("send {path}"))
    }
}
