//! An HTTP client for the stack's own services.

use std::time::Duration;

use reqwest::{RequestBuilder, header::CONTENT_TYPE};
use serde_json::Value;

use crate::error::{StackError, cannot};

pub struct Client {
    client: reqwest::Client,
    /// Public base URLs, each with the URL that reaches the service from this process.
    routes: Vec<(String, String)>,
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub body: Value,
}

impl Client {
    /// A client that ignores the environment's proxy settings: all services are local.
    pub fn new() -> Result<Self, StackError> {
        Self::with_routes(Vec::new())
    }

    /// A client that sends requests for some base URLs elsewhere: in a container, 127.0.0.1 is not the service.
    pub fn with_routes(routes: Vec<(String, String)>) -> Result<Self, StackError> {
        // Long enough for a first write on a cold PostgreSQL.
        let client = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(10)).build();
        client.map(|client| Self { client, routes }).map_err(cannot("make an HTTP client"))
    }

    fn route(&self, url: &str) -> String {
        let way = |(from, to): &(String, String)| url.strip_prefix(from.as_str()).map(|path| format!("{to}{path}"));
        self.routes.iter().find_map(way).unwrap_or_else(|| url.to_owned())
    }

    pub async fn get(&self, url: &str, token: Option<&str>) -> Result<Answer, StackError> {
        let request = self.client.get(self.route(url));
        send(match token {
            Some(token) => request.bearer_auth(token),
            None => request,
        })
        .await
    }

    /// Sends a POST. `by` is an access token and an idempotency key.
    pub async fn post(&self, url: &str, by: Option<(&str, &str)>, body: &Value) -> Result<Answer, StackError> {
        let mut request =
            self.client.post(self.route(url)).header(CONTENT_TYPE, "application/json").body(body.to_string());
        if let Some((token, key)) = by {
            request = request.bearer_auth(token).header("idempotency-key", key);
        }
        send(request).await
    }
}

impl Answer {
    /// The body of a 2xx answer; otherwise an error: "cannot `what`: …".
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
