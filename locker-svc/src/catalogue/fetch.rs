//! Asking an upstream for its catalogue: bounded in time and in bytes, checked whole. The operator has chosen the
//! address, so it may be an internal one; but no proxy and no redirect comes between.

use std::{
    error::Error,
    time::{Duration, SystemTime},
};

use reqwest::{
    Client, Response, StatusCode,
    header::{ACCEPT, CONTENT_TYPE, ETAG, IF_NONE_MATCH, LAST_MODIFIED},
    redirect,
};
use shared_model::{Failure, Timestamp, problem};
use shared_runtime::base::tls;

use super::{Catalogue, Trouble};

/// Bytes of an answer at most.
pub const MAX_BYTES: usize = 1_048_576;
/// Characters of the detail at most.
const DETAIL: usize = 500;

/// A good answer.
#[derive(Debug)]
pub enum Fetched {
    /// It is the one that we have.
    Same,
    /// Its catalogue.
    Catalogue {
        /// The catalogue.
        catalogue: Box<Catalogue>,
        /// The tag that it gave it.
        etag: Option<String>,
        /// When it was changed, as far as it tells.
        modified_at: Option<Timestamp>,
    },
}

/// No good answer: why, and more of it for the operator.
pub type Unfetched = (Trouble, String);

/// A client for one request, which takes so long at most, to the last byte. Requests are half a minute apart.
pub fn client(within: Duration) -> Result<Client, Failure> {
    tls::install_cryptography();
    let builder = Client::builder().no_proxy().redirect(redirect::Policy::none()).timeout(within);
    builder.build().map_err(|error| Failure::fault("cannot make an HTTP client").from_source(error))
}

/// Asks for the catalogue at `url`, unless it is still the one with this tag.
pub async fn fetch(client: &Client, url: &str, seen: Option<&str>) -> Result<Fetched, Unfetched> {
    let mut request = client.get(url).header(ACCEPT, "application/json");
    if let Some(etag) = seen {
        request = request.header(IF_NONE_MATCH, etag);
    }
    let response = request.send().await.map_err(no_answer)?;
    match response.status() {
        StatusCode::OK => {}
        StatusCode::NOT_MODIFIED if seen.is_some() => return Ok(Fetched::Same),
        status if status.is_redirection() && status != StatusCode::NOT_MODIFIED => {
            return Err((Trouble::Redirected, status.to_string()));
        }
        status => return Err((Trouble::WrongStatus, status.to_string())),
    }
    let media_type = header(&response, CONTENT_TYPE.as_str()).unwrap_or_default();
    if !media_type.split(';').next().is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json")) {
        return Err((Trouble::WrongMediaType, bounded(&media_type)));
    }
    let etag = header(&response, ETAG.as_str());
    let modified_at = header(&response, LAST_MODIFIED.as_str()).and_then(|text| http_date(&text));
    let body = body(response).await?;
    let catalogue =
        Catalogue::parse(&body).map_err(|problems| (Trouble::Invalid, bounded(&problem::describe(&problems))))?;
    Ok(Fetched::Catalogue { catalogue: Box::new(catalogue), etag, modified_at })
}

async fn body(mut response: Response) -> Result<Vec<u8>, Unfetched> {
    let too_large = || (Trouble::TooLarge, format!("more than {MAX_BYTES} bytes"));
    if response.content_length().is_some_and(|length| length > MAX_BYTES as u64) {
        return Err(too_large());
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(no_answer)? {
        if body.len() + chunk.len() > MAX_BYTES {
            return Err(too_large());
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn no_answer(error: reqwest::Error) -> Unfetched {
    let trouble = match &error {
        error if error.is_timeout() => Trouble::TimedOut,
        error if error.is_connect() => Trouble::Unreachable,
        _ => Trouble::Garbled,
    };
    let error = error.without_url();
    let mut detail = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        detail.push_str(&format!(": {cause}"));
        source = cause.source();
    }
    (trouble, bounded(&detail))
}

fn header(response: &Response, name: &str) -> Option<String> {
    Some(response.headers().get(name)?.to_str().ok()?.to_owned())
}

fn http_date(text: &str) -> Option<Timestamp> {
    let since = httpdate::parse_http_date(text).ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Some(Timestamp::from_seconds(0).plus(since))
}

fn bounded(text: &str) -> String {
    text.chars().take(DETAIL).collect()
}
