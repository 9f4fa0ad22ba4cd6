//! One request to an upstream for its catalogue, bounded in time and bytes. The operator has chosen the address, so it may
//! be an internal one; proxies and redirects are not followed.

use std::time::{Duration, SystemTime};

use reqwest::{
    Client, Response, StatusCode,
    header::{ACCEPT, CONTENT_TYPE, ETAG, IF_NONE_MATCH, LAST_MODIFIED},
    redirect,
};
use shared_model::{Failure, Timestamp, problem};
use shared_runtime::base::{
    limited_body::{self, BodyError},
    tls,
};

use super::{content::Catalogue, upstream::FetchErrorKind};

/// Bytes of an answer at most.
const MAX_BYTES: usize = 1_048_576;
/// Characters of an error's detail at most.
const DETAIL_CHARS: usize = 500;

/// A good answer.
#[derive(Debug)]
pub enum Fetched {
    /// 304: the catalogue is the one with the tag that was sent.
    NotModified,
    /// 200.
    Catalogue {
        /// The catalogue.
        catalogue: Box<Catalogue>,
        /// Its `ETag`.
        etag: Option<String>,
        /// Its `Last-Modified`.
        modified_at: Option<Timestamp>,
    },
}

/// Why there is no catalogue.
#[derive(Debug)]
pub struct FetchError {
    /// The kind.
    pub kind: FetchErrorKind,
    /// The details, for the operator.
    pub detail: String,
}

impl FetchError {
    fn new(kind: FetchErrorKind, detail: &str) -> Self {
        Self { kind, detail: detail.chars().take(DETAIL_CHARS).collect() }
    }
}

/// A client for one request. No connection is kept: requests are half a minute apart.
pub fn client(timeout: Duration) -> Result<Client, Failure> {
    tls::install_cryptography();
    let builder = Client::builder().no_proxy().redirect(redirect::Policy::none()).timeout(timeout);
    builder.build().map_err(|error| Failure::fault("cannot make an HTTP client").from_source(error))
}

/// Requests the catalogue at `url`, unless it is still the one with this tag.
pub async fn fetch(client: &Client, url: &str, known_etag: Option<&str>) -> Result<Fetched, FetchError> {
    let mut request = client.get(url).header(ACCEPT, "application/json");
    if let Some(etag) = known_etag {
        request = request.header(IF_NONE_MATCH, etag);
    }
    let response = request.send().await.map_err(no_answer)?;
    match response.status() {
        StatusCode::OK => {}
        StatusCode::NOT_MODIFIED if known_etag.is_some() => return Ok(Fetched::NotModified),
        status if status.is_redirection() && status != StatusCode::NOT_MODIFIED => {
            return Err(FetchError::new(FetchErrorKind::Redirected, &status.to_string()));
        }
        status => return Err(FetchError::new(FetchErrorKind::WrongStatus, &status.to_string())),
    }
    let media_type = header(&response, CONTENT_TYPE.as_str()).unwrap_or_default();
    if !media_type.split(';').next().is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json")) {
        return Err(FetchError::new(FetchErrorKind::WrongMediaType, &media_type));
    }
    let etag = header(&response, ETAG.as_str());
    let modified_at = header(&response, LAST_MODIFIED.as_str()).and_then(|text| http_date(&text));
    let body = limited_body::read(reqwest::Body::from(response), MAX_BYTES).await.map_err(|error| match error {
        BodyError::TooLong => FetchError::new(FetchErrorKind::TooLarge, &format!("more than {MAX_BYTES} bytes")),
        BodyError::Broken(error) => no_answer(error),
    })?;
    let catalogue = Catalogue::parse(&body)
        .map_err(|problems| FetchError::new(FetchErrorKind::Invalid, &problem::describe(&problems)))?;
    Ok(Fetched::Catalogue { catalogue: Box::new(catalogue), etag, modified_at })
}

fn no_answer(error: reqwest::Error) -> FetchError {
    let kind = match &error {
        error if error.is_timeout() => FetchErrorKind::TimedOut,
        error if error.is_connect() => FetchErrorKind::Unreachable,
        _ => FetchErrorKind::Garbled,
    };
    // The operator knows the URL; the chain of causes says the rest.
    let failure = Failure::unavailable("no answer").from_source(error.without_url());
    FetchError::new(kind, &failure.to_string())
}

fn header(response: &Response, name: &str) -> Option<String> {
    Some(response.headers().get(name)?.to_str().ok()?.to_owned())
}

fn http_date(text: &str) -> Option<Timestamp> {
    let since = httpdate::parse_http_date(text).ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Some(Timestamp::from_seconds(0).plus(since))
}
