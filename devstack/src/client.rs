//! The stack as its own first client: plain HTTP to this machine.

use std::time::Duration;

use reqwest::{RequestBuilder, header::CONTENT_TYPE};
use serde_json::Value;

use crate::error::{StackError, cannot};

/// Sends requests.
pub struct Client {
    client: reqwest::Client,
    /// Base URLs of services, and where they are reached from here.
    ways: Vec<(String, String)>,
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The body.
    pub body: Value,
}

impl Client {
    /// A client that no proxy of the environment comes between.
    pub fn new() -> Result<Self, StackError> {
        Self::by(Vec::new())
    }

    /// The same, where some base URLs are not what leads to their services from here.
    pub fn by(ways: Vec<(String, String)>) -> Result<Self, StackError> {
        let client = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(10)).build();
        client.map(|client| Self { client, ways }).map_err(cannot("make an HTTP client"))
    }

    fn way(&self, url: &str) -> String {
        let way = |(from, to): &(String, String)| url.strip_prefix(from.as_str()).map(|path| format!("{to}{path}"));
        self.ways.iter().find_map(way).unwrap_or_else(|| url.to_owned())
    }

    /// A GET; with an access token where the operation asks for one.
    pub async fn get(&self, url: &str, token: Option<&str>) -> Result<Answer, StackError> {
        let request = self.client.get(self.way(url));
        send(match token {
            Some(token) => request.bearer_auth(token),
            None => request,
        })
        .await
    }

    /// A POST; with an access token and an idempotency key where the operation asks for them.
    pub async fn post(&self, url: &str, by: Option<(&str, &str)>, body: &Value) -> Result<Answer, StackError> {
        let mut request =
            self.client.post(self.way(url)).header(CONTENT_TYPE, "application/json").body(body.to_string());
        if let Some((token, key)) = by {
            request = request.bearer_auth(token).header("idempotency-key", key);
        }
        send(request).await
    }
}

impl Answer {
    /// The body of a 2xx; of any other answer, the error that it means for `what`.
    pub fn accepted(self, what: &str) -> Result<Value, StackError> {
        match self.status {
            200..300 => Ok(self.body),
            status => Err(StackError::new(format!("cannot {what}: {status} {}", self.body))),
        }
    }
}

async fn send(request: RequestBuilder) -> Result<Answer, StackError> {
    let answer = request.send().await.map_err(cannot("reach a service of the stack"))?;
    let status = answer.status().as_u16();
    let body = answer.bytes().await.map_err(cannot("read a service's answer"))?;
    let body = serde_json::from_slice(&body).map_err(cannot("read a service's answer"))?;
    Ok(Answer { status, body })
}
