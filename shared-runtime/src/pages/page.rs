//! What verbs of pages return: a page, or a redirect.

use actix_web::http::StatusCode;
use maud::Markup;
use serde_json::Value;
use shared_model::{Code, Etag};

use crate::http::reply::{Reply, ReplyBody};

/// A title, and the content below it.
pub struct Page {
    pub(super) status: StatusCode,
    pub(super) title: String,
    pub(super) heading: Option<Markup>,
    pub(super) body: Markup,
    pub(super) beside: Option<Markup>,
    pub(super) is_public: bool,
    pub(super) is_english: bool,
    pub(super) etag: Option<Etag>,
    pub(super) watched: Option<String>,
    pub(super) cookies: Vec<String>,
}

impl Page {
    /// 200; the title is also the `h1`.
    pub fn new(title: impl Into<String>, body: Markup) -> Self {
        let (status, title) = (StatusCode::OK, title.into());
        Self {
            status,
            title,
            heading: None,
            body,
            beside: None,
            is_public: false,
            is_english: false,
            etag: None,
            watched: None,
            cookies: Vec::new(),
        }
    }

    pub fn status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    /// With the status of a refusal that the page shows.
    pub fn refused_with(mut self, code: &Code) -> Self {
        self.status = StatusCode::from_u16(code.status).unwrap_or(self.status);
        self
    }

    /// With something else inside of the `h1`.
    pub fn heading(mut self, heading: Markup) -> Self {
        self.heading = Some(heading);
        self
    }

    /// With navigation next to the content.
    pub(super) fn beside(mut self, navigation: Markup) -> Self {
        self.beside = Some(navigation);
        self
    }

    /// The same for everyone: shared caches may store it for five minutes, and search engines may index it.
    pub fn public(mut self) -> Self {
        self.is_public = true;
        self
    }

    /// In English for everyone, with all that is around it.
    pub(super) fn english(mut self) -> Self {
        self.is_english = true;
        self
    }

    /// With cookies, as the header `Set-Cookie` takes them.
    pub(super) fn cookies(mut self, cookies: impl IntoIterator<Item = String>) -> Self {
        self.cookies.extend(cookies);
        self
    }

    /// With a path that the script asks whether the page is still up to date: `{"is_current": false, "by": "Ada"}`.
    pub fn watched(mut self, path: String) -> Self {
        self.watched = Some(path);
        self
    }

    /// With an entity tag of everything that the page shows, for 304.
    pub fn etag(mut self, etag: Etag) -> Self {
        self.etag = Some(etag);
        self
    }
}

/// 303 to another page.
pub struct Redirect {
    pub(super) location: String,
    pub(super) cookies: Vec<String>,
}

impl Redirect {
    /// To a path of the service, or to the URL of its blob store. Never take it from a client.
    pub fn to(path: impl Into<String>) -> Self {
        Self { location: path.into(), cookies: Vec::new() }
    }

    /// With a cookie, as the header `Set-Cookie` takes it.
    pub(super) fn cookie(mut self, cookie: String) -> Self {
        self.cookies.push(cookie);
        self
    }

    /// With these cookies too.
    pub(super) fn cookies(mut self, cookies: impl IntoIterator<Item = String>) -> Self {
        self.cookies.extend(cookies);
        self
    }

    pub(super) fn into_reply(self) -> Reply {
        let mut headers = vec![("location".to_owned(), self.location)];
        headers.extend(self.cookies.into_iter().map(|cookie| ("set-cookie".to_owned(), cookie)));
        headers.push(("vary".to_owned(), "cookie".to_owned()));
        Reply { status: StatusCode::SEE_OTHER, body: ReplyBody::Nothing, headers }
    }
}

pub enum PageResponse {
    Page(Box<Page>),
    /// An answer without a frame.
    Reply(Reply),
}

impl PageResponse {
    /// JSON for the script of the pages.
    pub fn json(value: &Value) -> Self {
        let headers =
            [("content-type", "application/json"), ("cache-control", "private, no-store"), ("vary", "cookie")];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        Self::Reply(Reply { status: StatusCode::OK, body: ReplyBody::Plain(value.to_string().into_bytes()), headers })
    }

    /// Bytes that an element of a page shows, such as a picture.
    // Opened by itself it is a document of its own, so it gets a sandbox. Nothing runs in it, and it has no session.
    pub fn bytes(media_type: &str, bytes: Vec<u8>) -> Self {
        let headers = [
            ("content-type", media_type),
            ("cache-control", "private, no-store"),
            ("content-security-policy", "default-src 'none'; sandbox; frame-ancestors 'none'"),
            ("cross-origin-resource-policy", "same-origin"),
            ("vary", "cookie"),
        ];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        Self::Reply(Reply { status: StatusCode::OK, body: ReplyBody::Plain(bytes), headers })
    }
}

impl From<Page> for PageResponse {
    fn from(page: Page) -> Self {
        Self::Page(Box::new(page))
    }
}

impl From<Redirect> for PageResponse {
    fn from(redirect: Redirect) -> Self {
        Self::Reply(redirect.into_reply())
    }
}

impl From<Reply> for PageResponse {
    fn from(reply: Reply) -> Self {
        Self::Reply(reply)
    }
}
