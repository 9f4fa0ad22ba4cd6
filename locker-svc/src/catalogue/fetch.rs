//! One request to an upstream for its catalogue, limited in time and bytes.
//! The operator chose the address, so it may be an internal one. Proxies and redirects are not followed.

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

const MAX_BYTES: usize = 1_048_576;
// It is stored in a row and printed on one line.
const DETAIL_CHARS: usize = 500;

#[derive(Debug)]
pub enum UpstreamAnswer {
    /// 304: the catalogue still has the ETag that was sent.
    NotModified,
    Catalogue {
        catalogue: Box<Catalogue>,
        etag: Option<String>,
        modified_at: Option<Timestamp>,
    },
}

#[derive(Debug)]
pub struct FetchError {
    pub kind: FetchErrorKind,
    pub detail: String,
}

impl FetchError {
    fn new(kind: FetchErrorKind, detail: &str) -> Self {
        Self { kind, detail: detail.chars().take(DETAIL_CHARS).collect() }
    }
}

// A new client for each request: polls are half a minute apart, so a kept connection would mostly be idle.
pub fn client(timeout: Duration) -> Result<Client, Failure> {
    tls::install_cryptography();
    let builder = Client::builder().no_proxy().redirect(redirect::Policy::none()).timeout(timeout);
    builder.build().map_err(|error| Failure::fault("cannot make an HTTP client").from_source(error))
}

/// Requests the catalogue at `url`, conditionally when an ETag is given.
pub async fn fetch(client: &Client, url: &str, known_etag: Option<&str>) -> Result<UpstreamAnswer, FetchError> {
    let mut request = client.get(url).header(ACCEPT, "application/json");
    if let Some(etag) = known_etag {
        request = request.header(IF_NONE_MATCH, etag);
    }
    let response = request.send().await.map_err(no_answer)?;
    match response.status() {
        StatusCode::OK => {}
        StatusCode::NOT_MODIFIED if known_etag.is_some() => return Ok(UpstreamAnswer::NotModified),
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
    Ok(UpstreamAnswer::Catalogue { catalogue: Box::new(catalogue), etag, modified_at })
}

fn no_answer(error: reqwest::Error) -> FetchError {
    let kind = match &error {
        error if error.is_timeout() => FetchErrorKind::TimedOut,
        error if error.is_connect() => FetchErrorKind::Unreachable,
        _ => FetchErrorKind::Garbled,
    };
    // The URL may contain a secret query, so it is left out. The operator knows it anyway.
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
