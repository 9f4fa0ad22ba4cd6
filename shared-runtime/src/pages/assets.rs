//! The URLs of the stylesheet, the script and the icon.

use actix_web::http::StatusCode;
use shared_model::{Error, code};

use super::{
    request::PageRequest,
    routes::Pages,
    script::SCRIPT,
    stylesheet::{ICON, Stylesheet},
};
use crate::http::reply::{Reply, ReplyBody};

// A year: a changed stylesheet has another name.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";
const ONE_DAY: &str = "public, max-age=86400";

pub fn declare(pages: &mut Pages) {
    pages.get("/assets/{name}", "page_asset", asset);
}

async fn asset(visit: PageRequest) -> Result<Reply, Error> {
    let (name,): (String,) = visit.path()?;
    let stylesheet = visit.state::<Stylesheet>()?;
    let (media_type, cache, bytes) = match name.as_str() {
        "icon.svg" => ("image/svg+xml", ONE_DAY, ICON.to_vec()),
        name if name == stylesheet.name() => {
            ("text/css; charset=utf-8", IMMUTABLE, stylesheet.text().as_bytes().to_vec())
        }
        name if name == SCRIPT.name => ("text/javascript; charset=utf-8", IMMUTABLE, SCRIPT.text.as_bytes().to_vec()),
        _ => return Err(code::not_found().into()),
    };
    let headers =
        [("content-type", media_type), ("cache-control", cache), ("cross-origin-resource-policy", "same-origin")];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    Ok(Reply { status: StatusCode::OK, body: ReplyBody::Plain(bytes), headers })
}
