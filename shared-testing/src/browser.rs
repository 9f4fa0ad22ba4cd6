//! A signed-in browser: a session cookie, and forms with their hidden fields.

use std::rc::Rc;

use shared_model::Secret;
use shared_runtime::{Clock, base::surface::Surface, pages};

use crate::{caller::Caller, html, request::Request, response::Response, test_server::TestServer};

#[derive(Clone)]
pub struct Browser {
    server: Rc<TestServer>,
    cookie: String,
}

impl Browser {
    /// A session of the caller at the service with this base URL and secret.
    pub(crate) fn new(
        server: Rc<TestServer>,
        (surface, base_url, secret): (&Surface, &str, &Secret),
        caller: &Caller,
        clock: &Clock,
    ) -> Self {
        let cookie = pages::session_cookie(surface, base_url, secret, &caller.token(), clock.now());
        Self { server, cookie: cookie.expect("a session") }
    }

    pub fn with_cookie(&self, cookie: impl Into<String>) -> Self {
        Self { server: Rc::clone(&self.server), cookie: cookie.into() }
    }

    pub fn cookie(&self) -> &str {
        &self.cookie
    }

    pub fn get(&self, path: impl Into<String>) -> Request {
        Request::new(Rc::clone(&self.server), "GET", path.into()).header("cookie", &self.cookie)
    }

    /// Submits a form with exactly these fields.
    pub fn post(&self, path: impl Into<String>, fields: &[(&str, &str)]) -> Request {
        let body: Vec<String> =
            fields.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
        let request = Request::new(Rc::clone(&self.server), "POST", path.into()).header("cookie", &self.cookie);
        request.body("application/x-www-form-urlencoded", body.join("&"))
    }

    /// Submits the form with this `action`. Adds its hidden fields, which prevent forged and repeated submissions.
    #[track_caller]
    pub fn submit(&self, page: &Response, action: &str, fields: &[(&str, &str)]) -> Request {
        let html = page.body();
        let (csrf, key) = (html::hidden(&html, action, "csrf"), html::hidden(&html, action, "key"));
        self.post(action, &[&[("csrf", csrf.as_str()), ("key", key.as_str())], fields].concat())
    }
}

/// A file that a form uploads.
#[derive(Clone, Copy, Debug)]
pub struct FormFile<'f> {
    pub field: &'f str,
    pub name: &'f str,
    pub media_type: &'f str,
    pub bytes: &'f [u8],
}

impl Browser {
    /// Submits a form with exactly these fields and a file, as `multipart/form-data`.
    pub fn post_file(&self, path: impl Into<String>, fields: &[(&str, &str)], file: FormFile<'_>) -> Request {
        const BOUNDARY: &str = "----FormBoundaryOfATest";
        let mut body = Vec::new();
        for (name, value) in fields {
            let head = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
            body.extend_from_slice(head.as_bytes());
        }
        let FormFile { field, name, media_type, bytes } = file;
        let disposition = format!("Content-Disposition: form-data; name=\"{field}\"; filename=\"{name}\"");
        body.extend_from_slice(
            format!("--{BOUNDARY}\r\n{disposition}\r\nContent-Type: {media_type}\r\n\r\n").as_bytes(),
        );
        body.extend_from_slice(bytes);
        body.extend_from_slice(format!("\r\n--{BOUNDARY}--\r\n").as_bytes());
        let request = Request::new(Rc::clone(&self.server), "POST", path.into()).header("cookie", &self.cookie);
        request.body(&format!("multipart/form-data; boundary={BOUNDARY}"), body)
    }
}

/// Encodes as forms do: percent-encodes everything except letters and digits.
fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}
