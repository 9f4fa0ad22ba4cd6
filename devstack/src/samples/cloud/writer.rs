//! Makes samples over HTTP, or finds those of the last start.

use serde_json::{Value, json};

use super::bodies;
use crate::{client::Client, error::StackError};

/// Makes samples as one caller.
#[derive(Clone, Copy)]
pub struct Writer<'a> {
    pub client: &'a Client,
    pub base_url: &'a str,
    pub token: &'a str,
}

impl Writer<'_> {
    /// The id of a file or folder: the known one if it can still be read, otherwise that of a new one.
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

    /// The id of a comment on the first block of a document: known or new, as for files.
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

    /// The id of an upload that still accepts chunks: known or new.
    pub async fn upload(&self, known: Option<&str>) -> Result<String, StackError> {
        if let Some(id) = known {
            let url = format!("{}/v1/uploads/{id}", self.base_url);
            if self.client.get(&url, Some(self.token)).await?.body["upload"]["state"] == "pending" {
                return Ok(id.to_owned());
            }
        }
        self.made("/v1/uploads", "upload", &bodies::zeros(), "/upload/id").await
    }

    pub async fn read(&self, path: &str) -> Result<Value, StackError> {
        let url = format!("{}{path}", self.base_url);
        self.client.get(&url, Some(self.token)).await?.accepted(&format!("read {path}"))
    }

    /// Sends a command and returns the id at the pointer `id` of the answer.
    async fn made(&self, path: &str, key: &str, body: &Value, id: &str) -> Result<String, StackError> {
        // The key is that of the sample, so a start that was interrupted here finds what it made.
        let made = self.command(path, key, body).await?;
        match made.pointer(id).and_then(Value::as_str) {
            Some(id) => Ok(id.to_owned()),
            None => Err(StackError::new(format!("the sample {key} was made, but the answer has no id: {made}"))),
        }
    }

    /// Sends a command. `key` names the sample.
    pub async fn command(&self, path: &str, key: &str, body: &Value) -> Result<Value, StackError> {
        let url = format!("{}{path}", self.base_url);
        let key = format!("sample-{key}");
        self.client.post(&url, Some((self.token, &key)), body).await?.accepted(&format!("send {path}"))
    }
}
