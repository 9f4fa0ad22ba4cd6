//! What a page's verb returns: a page, or where to go instead.

use actix_web::http::StatusCode;
use maud::Markup;
use shared_model::{Code, Etag};

use crate::http::reply::{Reply, ReplyBody};

/// A page: a title, and what stands below it.
pub struct Page {
    pub(super) status: StatusCode,
    pub(super) title: String,
    pub(super) heading: Option<Markup>,
    pub(super) body: Markup,
    pub(super) is_public: bool,
    pub(super) etag: Option<Etag>,
    pub(super) cookies: Vec<String>,
}

impl Page {
    /// 200 with this title, which is the `h1` too, and this below it.
    pub fn new(title: impl Into<String>, body: Markup) -> Self {
        let (status, title) = (StatusCode::OK, title.into());
        Self { status, title, heading: None, body, is_public: false, etag: None, cookies: Vec::new() }
    }

    /// With another status.
    pub fn status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    /// With the status of a refusal with this code, which the page tells of.
    pub fn refused_with(mut self, code: &Code) -> Self {
        self.status = StatusCode::from_u16(code.status).unwrap_or(self.status);
        self
    }

    /// With something else inside of the `h1`.
    pub fn heading(mut self, heading: Markup) -> Self {
        self.heading = Some(heading);
        self
    }

    /// The same for everyone: shared caches may keep it for five minutes, and search engines may find it.
    pub fn public(mut self) -> Self {
        self.is_public = true;
        self
    }

    /// With a cookie, as the header `Set-Cookie` takes it.
    pub(super) fn cookie(mut self, cookie: String) -> Self {
        self.cookies.push(cookie);
        self
    }

    /// With an entity tag of all that the page shows: whoever has the page already is answered 304.
    pub fn tagged(mut self, etag: Etag) -> Self {
        self.etag = Some(etag);
        self
    }
}

/// 303: what is to be read instead, at a path of the service.
pub struct Redirect {
    pub(super) location: String,
    pub(super) cookies: Vec<String>,
}

impl Redirect {
    /// To this path of the service, with its leading slash.
    pub fn to(path: impl Into<String>) -> Self {
        Self { location: path.into(), cookies: Vec::new() }
    }

    /// With a cookie, as the header `Set-Cookie` takes it.
    pub(super) fn cookie(mut self, cookie: String) -> Self {
        self.cookies.push(cookie);
        self
    }

    fn into_reply(self) -> Reply {
        let mut headers = vec![("location".to_owned(), self.location)];
        headers.extend(self.cookies.into_iter().map(|cookie| ("set-cookie".to_owned(), cookie)));
        headers.push(("vary".to_owned(), "cookie".to_owned()));
        Reply { status: StatusCode::SEE_OTHER, body: ReplyBody::Nothing, headers }
    }
}

/// What a page's verb shows.
pub enum Shown {
    /// A page.
    Page(Box<Page>),
    /// What is neither HTML nor needs a frame.
    Reply(Reply),
}

impl From<Page> for Shown {
    fn from(page: Page) -> Self {
        Self::Page(Box::new(page))
    }
}

impl From<Redirect> for Shown {
    fn from(redirect: Redirect) -> Self {
        Self::Reply(redirect.into_reply())
    }
}

impl From<Reply> for Shown {
    fn from(reply: Reply) -> Self {
        Self::Reply(reply)
    }
}
