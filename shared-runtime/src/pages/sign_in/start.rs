//! `GET /sign-in`: leads to the issuer.

use actix_web::http::header;
use shared_model::{Error, Refusal, code};
use url::Url;

use super::{
    attempt::Attempt,
    discovery::{self, Discovery},
    return_to, trouble,
};
use crate::{
    http::asked_resource,
    pages::{
        declared::Site,
        page::{Redirect, Shown},
        serve::CALLBACK_PATH,
        visit::Visit,
    },
};

/// Sends the browser to the issuer, and keeps what it must come back with.
pub async fn start(visit: Visit) -> Result<Shown, Error> {
    let context = &visit.context;
    let settings = &context.settings;
    let Some((client_id, issuer)) = settings.sign_in_client_id.as_ref().zip(settings.issuer.as_ref()) else {
        return Ok(trouble::not_set_up().into());
    };
    let site = visit.state::<Site>()?;
    let home = site.links.first().map_or("/", |link| link.path);
    let return_to = return_to(visit.value("return_to").unwrap_or(home))?;
    let server = visit.state::<Discovery>()?.of(context, &issuer.issuer).await?;
    let resource = asked_resource::challenge(context, &visit.http).resource();
    if let Some(elsewhere) = own_name(resource, &visit) {
        return Ok(Redirect::to(elsewhere).into());
    }
    let attempt = Attempt::begin(context, return_to);
    let mut url = Url::parse(&server.authorization_endpoint).map_err(|_| discovery::unreachable())?;
    url.query_pairs_mut()
        .append_pair("response_type", "code")
        .append_pair("client_id", client_id)
        .append_pair("redirect_uri", &format!("{resource}{CALLBACK_PATH}"))
        .append_pair("scope", &site.scopes.join(" "))
        .append_pair("state", &attempt.state)
        .append_pair("code_challenge", &attempt.challenge())
        .append_pair("code_challenge_method", "S256")
        .append_pair("resource", resource);
    Ok(Redirect::to(url).cookie(attempt.keep(context, &visit.http)?).into())
}

/// The same URL by the service's own name, where a browser on this machine asked by another, say localhost: the issuer sends it
/// back to that name, which then must have the cookie. Elsewhere a proxy may have its reasons for another `Host`.
fn own_name(resource: &str, visit: &Visit) -> Option<String> {
    let own = resource.strip_prefix("http://")?;
    let host = visit.http.headers().get(header::HOST)?.to_str().ok()?;
    (own != host).then(|| format!("{resource}{}", visit.asked()))
}

fn return_to(asked: &str) -> Result<&str, Refusal> {
    return_to::own_path(asked).ok_or_else(|| code::invalid_parameter("return_to", "must be a path of this service"))
}
