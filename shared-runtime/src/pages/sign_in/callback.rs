//! `GET /sign-in/callback`: the issuer has sent somebody back.

use actix_web::HttpRequest;
use shared_model::{Error, Failure};

use super::{
    attempt::Attempt,
    discovery::{self, Discovery},
    trouble,
};
use crate::{
    context::Context,
    http::asked_resource,
    identity::authorization_server::{Exchange, NoToken},
    pages::{
        page::{Page, Redirect, Shown},
        serve::CALLBACK_PATH,
        session,
        visit::Visit,
    },
};

/// Characters of a code at most.
const CODE: usize = 4096;

/// Exchanges the code for a token, and begins a session with it. What was kept for this is used up, whatever comes of it.
pub async fn callback(visit: Visit) -> Result<Shown, Error> {
    let used_up = Attempt::end(&visit.context, &visit.http);
    Ok(match complete(&visit).await? {
        Completed::Session { return_to, cookie } => Redirect::to(return_to).cookie(cookie).cookie(used_up).into(),
        Completed::Trouble(page) => page.cookie(used_up).into(),
    })
}

enum Completed {
    Session { return_to: String, cookie: String },
    Trouble(Page),
}

async fn complete(visit: &Visit) -> Result<Completed, Error> {
    let (context, http) = (&visit.context, &visit.http);
    let settings = &context.settings;
    let Some((client_id, issuer)) = settings.sign_in_client_id.as_ref().zip(settings.issuer.as_ref()) else {
        return Ok(Completed::Trouble(trouble::not_set_up()));
    };
    let attempt = Attempt::kept(context, http).filter(|kept| kept.has_state(visit.value("state").unwrap_or_default()));
    let Some(attempt) = attempt else { return Ok(Completed::Trouble(trouble::not_begun_here())) };
    let server = visit.state::<Discovery>()?.of(context, &issuer.issuer).await?;
    // A code of another issuer must not be shown to this one (RFC 9207 §2.4).
    let is_of_issuer = match visit.value("iss") {
        Some(named) => named == issuer.issuer,
        None => !server.names_itself,
    };
    if !is_of_issuer {
        return Ok(Completed::Trouble(trouble::refused()));
    }
    if visit.value("error").is_some() {
        return Ok(Completed::Trouble(trouble::declined()));
    }
    let Some(code) = visit.value("code").filter(|code| (1..=CODE).contains(&code.len())) else {
        return Ok(Completed::Trouble(trouble::refused()));
    };
    let resource = asked_resource::challenge(context, http).resource();
    let redirect_uri = format!("{resource}{CALLBACK_PATH}");
    let exchange = Exchange { client_id, redirect_uri: &redirect_uri, code, verifier: &attempt.verifier, resource };
    match server.exchange(&exchange).await {
        Ok(token) => begin(context, http, &token, attempt.return_to).await,
        Err(NoToken::Refused(error)) => {
            tracing::info!(error, "the issuer refuses the code of a sign-in");
            Ok(Completed::Trouble(trouble::refused()))
        }
        Err(NoToken::Unasked(cause)) => {
            tracing::warn!(cause, "the issuer cannot be asked for the token of a sign-in");
            Err(discovery::unreachable().into())
        }
    }
}

/// Begins the session, if the service itself accepts the token.
async fn begin(context: &Context, http: &HttpRequest, token: &str, return_to: String) -> Result<Completed, Error> {
    let challenge = asked_resource::challenge(context, http);
    let identity = match context.verifier.authenticate(token, challenge).await {
        Ok(identity) => identity,
        Err(Error::Refused(refusal)) if refusal.code.status == 401 => {
            return Ok(Completed::Trouble(trouble::not_accepted(&refusal.message)));
        }
        Err(other) => return Err(other),
    };
    match session::begin(context, http, token, identity.expires_at)? {
        Some(cookie) => Ok(Completed::Session { return_to, cookie }),
        None => Err(Failure::fault("the issuer's access token is too long for a cookie: 2900 bytes at most").into()),
    }
}
