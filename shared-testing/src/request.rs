//! Requests that tests send.

use std::{
    future::IntoFuture,
    pin::Pin,
    rc::Rc,
    sync::atomic::{AtomicU64, Ordering},
};

use serde_json::Value;

use crate::{response::Response, test_server::TestServer, wire};

/// Sent by `.await`, exactly as written: nothing is checked or normalised.
#[derive(Clone)]
pub struct Request {
    server: Rc<TestServer>,
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    announced: Option<usize>,
}

impl Request {
    pub(crate) fn new(server: Rc<TestServer>, method: &str, path: String) -> Self {
        Self { server, method: method.to_owned(), path, headers: Vec::new(), body: Vec::new(), announced: None }
    }

    pub fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    pub fn without_header(mut self, name: &str) -> Self {
        self.headers.retain(|(own, _)| !own.eq_ignore_ascii_case(name));
        self
    }

    /// Sets `Idempotency-Key`.
    pub fn key(self, key: &str) -> Self {
        self.header("idempotency-key", key)
    }

    /// Sets an unused `Idempotency-Key`.
    pub fn fresh_key(self) -> Self {
        static KEYS: AtomicU64 = AtomicU64::new(1);
        let number = KEYS.fetch_add(1, Ordering::Relaxed);
        self.key(&format!("key-{}-{number}", std::process::id()))
    }

    pub fn json(self, body: impl Into<Value>) -> Self {
        self.body("application/json", body.into().to_string())
    }

    pub fn body(mut self, media_type: &str, bytes: impl Into<Vec<u8>>) -> Self {
        self.body = bytes.into();
        self.without_header("content-type").header("content-type", media_type)
    }

    /// Sends this `Content-Length`, whatever the body.
    pub fn announcing(mut self, length: usize) -> Self {
        self.announced = Some(length);
        self
    }

    /// Replaces the path.
    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }

    /// Replaces the method.
    pub fn by(mut self, method: &str) -> Self {
        self.method = method.to_owned();
        self
    }

    /// With its query.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// The first header of this name.
    pub(crate) fn header_value(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers.find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    pub fn json_body(&self) -> Option<Value> {
        serde_json::from_slice(&self.body).ok()
    }

    /// Sends it; an error if there is no answer.
    pub async fn send(self) -> std::io::Result<Response> {
        let mut bytes = format!("{} {} HTTP/1.1\r\n", self.method, self.path).into_bytes();
        if !self.headers.iter().any(|(name, _)| name == "host") {
            bytes.extend_from_slice(format!("host: {}\r\n", self.server.address).as_bytes());
        }
        for (name, value) in &self.headers {
            bytes.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
        }
        let length = self.announced.unwrap_or(self.body.len());
        if length > 0 || self.method != "GET" && self.method != "HEAD" {
            bytes.extend_from_slice(format!("content-length: {length}\r\n").as_bytes());
        }
        bytes.extend_from_slice(b"\r\n");
        bytes.extend_from_slice(&self.body);
        let response = wire::exchange(self.server.address, &bytes, self.method != "HEAD").await?;
        self.server.remember(&response);
        Ok(response)
    }
}

/// Sends all requests at the same time, each on its own connection. Answers are in the order of the requests.
pub async fn together(requests: impl IntoIterator<Item = Request>) -> Vec<Response> {
    futures_util::future::join_all(requests.into_iter().map(IntoFuture::into_future)).await
}

impl IntoFuture for Request {
    type Output = Response;
    type IntoFuture = Pin<Box<dyn Future<Output = Response>>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let named = format!("{} {}", self.method, self.path);
            self.send().await.unwrap_or_else(|error| panic!("no answer to {named}: {error}"))
        })
    }
}
