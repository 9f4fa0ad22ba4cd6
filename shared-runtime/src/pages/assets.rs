//! The stylesheet and the icon, as they are served.

use actix_web::http::StatusCode;
use shared_model::{Error, code};

use super::{stylesheet, table::Pages, visit::Visit};
use crate::http::reply::{Reply, ReplyBody};

/// A year: another stylesheet has another name.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";
const ONE_DAY: &str = "public, max-age=86400";

/// Declares both.
pub fn declare(pages: &mut Pages) {
    pages.get("/assets/{name}", "page_asset", asset);
}

async fn asset(visit: Visit) -> Result<Reply, Error> {
    let (name,): (String,) = visit.path()?;
    let (media_type, cache, bytes) = match name.as_str() {
        "icon.svg" => ("image/svg+xml", ONE_DAY, stylesheet::ICON.to_vec()),
        name if name == stylesheet::name() => ("text/css; charset=utf-8", IMMUTABLE, stylesheet::text()),
        _ => return Err(code::not_found().into()),
    };
    let headers =
        [("content-type", media_type), ("cache-control", cache), ("cross-origin-resource-policy", "same-origin")];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    Ok(Reply { status: StatusCode::OK, body: ReplyBody::Plain(bytes), headers })
}
