//! `GET /sign-in/callback`: the issuer sends the person back.

use actix_web::HttpRequest;
use shared_model::Error;

use super::{
    attempt::SignInAttempt,
    discovery::{self, Discovery},
    error_pages,
    settings::SignInClient,
};
use crate::{
    context::Context,
    http::resource_for_host,
    identity::authorization_server::{CodeExchangeError, Exchange, loggable},
    pages::{
        page::{Page, PageResponse, Redirect},
        request::PageRequest,
        serve::CALLBACK_PATH,
        session,
    },
};

const MAX_CODE_LENGTH: usize = 4096;
/// The error of a person who does not want to sign in (RFC 6749 §4.1.2.1).
const DECLINED: &str = "access_denied";

/// Exchanges the code for a token, and starts a session with it. The stored attempt is then used up. After
/// a 503 the browser may load the page again.
pub async fn callback(visit: PageRequest) -> Result<PageResponse, Error> {
    let (context, http) = (&visit.context, &visit.http);
    let settings = &context.settings;
    let client = settings.groups.get::<SignInClient>();
    let Some((client, issuer)) = client.zip(settings.issuer.as_ref()) else {
        return Ok(error_pages::not_set_up().into());
    };
    // A link of another site has the state of no attempt, and ends none.
    let Some(attempt) = SignInAttempt::from_cookie(context, http, visit.value("state").unwrap_or_default()) else {
        return Ok(error_pages::not_begun_here().into());
    };
    let used_up = attempt.clear_cookies(context, http);
    Ok(match complete(&visit, client, &issuer.issuer, attempt).await? {
        Completed::Session { return_to, cookie } => Redirect::to(return_to).cookie(cookie).cookies(used_up).into(),
        Completed::ErrorPage(page) => page.cookies(used_up).into(),
    })
}

enum Completed {
    Session { return_to: String, cookie: String },
    ErrorPage(Page),
}

async fn complete(
    visit: &PageRequest,
    client: &SignInClient,
    issuer: &str,
    attempt: SignInAttempt,
) -> Result<Completed, Error> {
    let (context, http) = (&visit.context, &visit.http);
    let server = visit.state::<Discovery>()?.metadata(context, issuer, client).await?;
    // A code of another issuer must not be sent to this one (RFC 9207 §2.4).
    let named = visit.value("iss");
    let is_of_issuer = match named {
        Some(named) => named == issuer,
        None => !server.sends_iss,
    };
    if !is_of_issuer {
        tracing::info!(iss = named.map(loggable), "the answer to a sign-in is not of the issuer");
        return Ok(Completed::ErrorPage(error_pages::refused()));
    }
    // The text of the error is the issuer's, for logs of its own; a person gets ours.
    match visit.value("error") {
        None => {}
        Some(DECLINED) => return Ok(Completed::ErrorPage(error_pages::declined())),
        Some(error) => {
            tracing::info!(error = loggable(error), "the issuer refused a sign-in");
            return Ok(Completed::ErrorPage(error_pages::refused()));
        }
    }
    let Some(code) = visit.value("code").filter(|code| (1..=MAX_CODE_LENGTH).contains(&code.len())) else {
        return Ok(Completed::ErrorPage(error_pages::refused()));
    };
    let resource = resource_for_host::challenge(context, http).resource();
    let redirect_uri = format!("{resource}{CALLBACK_PATH}");
    let code_verifier = attempt.verifier(context);
    let exchange =
        Exchange { client_id: &client.id, redirect_uri: &redirect_uri, code, verifier: &code_verifier, resource };
    match server.exchange(&exchange).await {
        Ok(token) => begin(context, http, &token, attempt.return_to).await,
        Err(CodeExchangeError::Refused(error)) => {
            tracing::info!(error, "the issuer refused the code of a sign-in");
            Ok(Completed::ErrorPage(error_pages::refused()))
        }
        Err(CodeExchangeError::Unreachable(cause)) => {
            tracing::warn!(cause, "the issuer cannot be reached for the token of a sign-in");
            Err(discovery::unreachable().into())
        }
    }
}

/// Starts the session, if the service itself accepts the token.
async fn begin(context: &Context, http: &HttpRequest, token: &str, return_to: String) -> Result<Completed, Error> {
    let challenge = resource_for_host::challenge(context, http);
    let identity = match context.verifier.authenticate(token, challenge).await {
        Ok(identity) => identity,
        Err(Error::Refused(refusal)) if refusal.code.status == 401 => {
            return Ok(Completed::ErrorPage(error_pages::not_accepted(&refusal.message)));
        }
        Err(other) => return Err(other),
    };
    let cookie = session::begin(context, http, token, identity.expires_at)?;
    Ok(Completed::Session { return_to, cookie })
}
