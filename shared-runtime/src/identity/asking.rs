//! Requests to the issuer: bounded in time and bytes, never redirected; https, or http of this very machine.

use std::{error::Error, time::Duration};

use reqwest::{Client, RequestBuilder, StatusCode, header, redirect};

use crate::base::{
    limited_body::{self, BodyError},
    tls,
};

/// What an issuer says is a few kilobytes; what is longer is none of it.
const MAX_BYTES: usize = 256 * 1024;
/// How long an issuer may take to answer.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Why the issuer could not be asked, for the log; without the URL, which may hold a secret.
pub type Unasked = Box<dyn Error + Send + Sync>;

/// The document at a URL.
pub async fn fetch(url: &str) -> Result<Vec<u8>, Unasked> {
    let (status, bytes) = ask(client(url)?.get(url)).await?;
    if status == StatusCode::OK { Ok(bytes) } else { Err(format!("the issuer answered {status}").into()) }
}

/// The answer to a form that is sent to a URL.
pub async fn send_form(url: &str, form: String) -> Result<(StatusCode, Vec<u8>), Unasked> {
    ask(client(url)?.post(url).header(header::CONTENT_TYPE, "application/x-www-form-urlencoded").body(form)).await
}

async fn ask(request: RequestBuilder) -> Result<(StatusCode, Vec<u8>), Unasked> {
    let response = request.header(header::ACCEPT, "application/json").send().await.map_err(plain)?;
    let status = response.status();
    let body: reqwest::Body = response.into();
    let bytes = limited_body::read(body, MAX_BYTES).await.map_err(|error| match error {
        BodyError::TooLong => format!("the answer is longer than {MAX_BYTES} bytes").into(),
        BodyError::Broken(error) => plain(error),
    })?;
    Ok((status, bytes))
}

/// A client for one request: requests are minutes apart, so nothing is kept open, and new root certificates are seen.
fn client(url: &str) -> Result<Client, Unasked> {
    tls::install_cryptography();
    let builder = Client::builder().timeout(TIMEOUT).redirect(redirect::Policy::none());
    if url.starts_with("https://") {
        Ok(builder.https_only(true).build()?)
    } else {
        // Plain http is for this very machine: no proxy, and no certificate is ever looked at.
        Ok(builder.no_proxy().tls_certs_only([]).build()?)
    }
}

fn plain(error: reqwest::Error) -> Unasked {
    error.without_url().into()
}
