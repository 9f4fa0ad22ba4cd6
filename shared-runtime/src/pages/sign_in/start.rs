//! `GET /sign-in`: sends the browser to the issuer.

use actix_web::http::header;
use shared_model::{Error, Refusal, code};
use url::Url;

use super::{
    attempt::SignInAttempt,
    discovery::{self, Discovery},
    error_pages, return_to,
    settings::SignInClient,
};
use crate::{
    http::resource_for_host,
    pages::{
        declaration::Site,
        page::{PageResponse, Redirect},
        request::PageRequest,
        serve::CALLBACK_PATH,
    },
};

/// Redirects to the issuer, and stores what the browser must come back with.
pub async fn start(visit: PageRequest) -> Result<PageResponse, Error> {
    let context = &visit.context;
    let settings = &context.settings;
    let client = settings.groups.get::<SignInClient>();
    let Some((client, issuer)) = client.zip(settings.issuer.as_ref()) else {
        return Ok(error_pages::not_set_up().into());
    };
    let site = visit.state::<Site>()?;
    let home = site.links.first().map_or("/", |link| link.path);
    let return_to = return_to(visit.value("return_to").unwrap_or(home))?;
    let server = visit.state::<Discovery>()?.metadata(context, &issuer.issuer, client).await?;
    let resource = resource_for_host::challenge(context, &visit.http).resource();
    if let Some(elsewhere) = own_name(resource, &visit) {
        return Ok(Redirect::to(elsewhere).into());
    }
    let attempt = SignInAttempt::begin(context, return_to);
    let mut url = Url::parse(&server.authorization_endpoint).map_err(|_| discovery::unreachable())?;
    url.query_pairs_mut()
        .append_pair("response_type", "code")
        .append_pair("client_id", &client.id)
        .append_pair("redirect_uri", &format!("{resource}{CALLBACK_PATH}"))
        .append_pair("scope", &site.scopes.join(" "))
        .append_pair("state", &attempt.state)
        .append_pair("code_challenge", &attempt.challenge(context))
        .append_pair("code_challenge_method", "S256")
        // RFC 8707: the token is for this service alone.
        .append_pair("resource", resource);
    Ok(Redirect::to(url).cookies(attempt.set_cookies(context, &visit.http)).into())
}

/// The same URL with the service's own host name, if the browser used another one.
fn own_name(resource: &str, visit: &PageRequest) -> Option<String> {
    // The issuer redirects to the own name, where the browser must have the cookie. Only in clear text, which is this
    // machine: elsewhere a proxy may have its reasons for another Host.
    let own = resource.strip_prefix("http://")?;
    let host = visit.http.headers().get(header::HOST)?.to_str().ok()?;
    (own != host).then(|| format!("{resource}{}", visit.asked()))
}

fn return_to(asked: &str) -> Result<&str, Refusal> {
    return_to::own_path(asked).ok_or_else(|| code::invalid_parameter("return_to", "must be a path of this service"))
}
