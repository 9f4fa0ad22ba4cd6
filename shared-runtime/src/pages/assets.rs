//! The URLs of the stylesheet, the script and the icon.

use actix_web::http::StatusCode;
use shared_model::{Error, code};

use super::{
    request::PageRequest,
    routes::Pages,
    script::SCRIPT,
    stylesheet::{ICON, Stylesheet},
};
use crate::http::{
    compression::{Coding, VARY},
    reply::{Reply, ReplyBody},
};

// A year: a changed stylesheet has another name.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";
const ONE_DAY: &str = "public, max-age=86400";

pub fn declare(pages: &mut Pages) {
    pages.get("/assets/{name}", "page_asset", asset);
}

async fn asset(visit: PageRequest) -> Result<Reply, Error> {
    let (name,): (String,) = visit.path()?;
    let stylesheet = visit.state::<Stylesheet>()?;
    let coding = Coding::accepted(visit.http.headers());
    let (media_type, cache, bytes) = match name.as_str() {
        "icon.svg" => ("image/svg+xml", ONE_DAY, coding.encode(ICON.to_vec())),
        name if name == stylesheet.name() => ("text/css; charset=utf-8", IMMUTABLE, stylesheet.text().bytes(coding)),
        name if name == SCRIPT.name => ("text/javascript; charset=utf-8", IMMUTABLE, SCRIPT.text.bytes(coding)),
        _ => return Err(code::not_found().into()),
    };
    let headers =
        [("content-type", media_type), ("cache-control", cache), VARY, ("cross-origin-resource-policy", "same-origin")];
    let mut headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    headers.extend(coding.content_encoding());
    Ok(Reply { status: StatusCode::OK, body: ReplyBody::Plain(bytes), headers })
}
