//! Requests to the issuer: bounded in time and bytes, without redirects; https, or http to this machine.

use std::{error::Error, time::Duration};

use reqwest::{Client, RequestBuilder, StatusCode, header, redirect};

use crate::base::{
    limited_body::{self, BodyError},
    tls,
};

// Metadata and key sets have a few kilobytes.
const MAX_BYTES: usize = 256 * 1024;
const TIMEOUT: Duration = Duration::from_secs(3);

/// Why the issuer could not be reached, for the log. Without the URL, which may hold a secret.
pub type Unreachable = Box<dyn Error + Send + Sync>;

pub async fn fetch(url: &str) -> Result<Vec<u8>, Unreachable> {
    let (status, bytes) = send(client(url)?.get(url)).await?;
    if status == StatusCode::OK { Ok(bytes) } else { Err(format!("the issuer answered {status}").into()) }
}

pub async fn send_form(url: &str, form: String) -> Result<(StatusCode, Vec<u8>), Unreachable> {
    send(client(url)?.post(url).header(header::CONTENT_TYPE, "application/x-www-form-urlencoded").body(form)).await
}

async fn send(request: RequestBuilder) -> Result<(StatusCode, Vec<u8>), Unreachable> {
    let response = request.header(header::ACCEPT, "application/json").send().await.map_err(plain)?;
    let status = response.status();
    let body: reqwest::Body = response.into();
    let bytes = limited_body::read(body, MAX_BYTES).await.map_err(|error| match error {
        BodyError::TooLong => format!("the answer is longer than {MAX_BYTES} bytes").into(),
        BodyError::Broken(error) => plain(error),
    })?;
    Ok((status, bytes))
}

// A new client for each request: requests are minutes apart, so no connection is worth keeping, and changed root
// certificates take effect.
fn client(url: &str) -> Result<Client, Unreachable> {
    tls::install_cryptography();
    let builder = Client::builder().timeout(TIMEOUT).redirect(redirect::Policy::none());
    if url.starts_with("https://") {
        Ok(builder.https_only(true).build()?)
    } else {
        // Plain http is only for this machine, so it needs no proxy and no certificates.
        Ok(builder.no_proxy().tls_certs_only([]).build()?)
    }
}

fn plain(error: reqwest::Error) -> Unreachable {
    error.without_url().into()
}
