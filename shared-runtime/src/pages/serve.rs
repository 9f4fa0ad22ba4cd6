//! The way of a request for a page: limit, session, fields, verb, HTML.

use std::{rc::Rc, sync::Arc};

use actix_web::{HttpMessage as _, HttpRequest, HttpResponse, Route, http::header, web};
use shared_model::{Error, NextAction, Refusal, code, words};

use super::{
    declared::Declared,
    fields::Fields,
    forms, layout,
    page::{Redirect, Shown},
    problem,
    session::{self, Presented, Session},
    visit::{Visit, Visitor},
};
use crate::{
    context::Context,
    http::{admission, argument, asked_resource, edge, reply::Reply},
};

/// Where people sign in.
pub const SIGN_IN_PATH: &str = "/sign-in";
/// Where the issuer sends people back to.
pub const CALLBACK_PATH: &str = "/sign-in/callback";
/// Where they are told that they are signed out.
pub const SIGNED_OUT_PATH: &str = "/signed-out";

/// Answers a request for a page.
pub async fn answer<V, Verb, Out, S>(
    page: Arc<Declared>,
    verb: Verb,
    request: HttpRequest,
    payload: web::Payload,
) -> HttpResponse
where
    V: Visitor,
    Verb: Fn(V) -> Out,
    Out: Future<Output = Result<S, Error>>,
    S: Into<Shown>,
{
    let run = async {
        let shown = match admit::<V>(&page, &request, payload).await? {
            Admitted::Visitor(visitor) => verb(visitor).await?.into(),
            Admitted::Elsewhere(shown) => shown,
        };
        Ok(reply(&request, shown))
    };
    edge::answer_as(&request, Some(&page.contract), run, |id, refusal| problem::response(&request, id, refusal)).await
}

/// The answer to a method that a page lacks.
pub fn wrong_method(methods: Vec<String>) -> Route {
    let methods: Rc<[String]> = methods.into();
    web::route().to(move |request: HttpRequest| {
        let methods = Rc::clone(&methods);
        async move {
            let run = async {
                admission::charge_anonymous(argument::context(&request), &request).await?;
                let refusal = code::METHOD_NOT_ALLOWED
                    .because(format!("This page takes {}.", words::all_of(&methods)))
                    .next(NextAction::UseMethod { methods: methods.to_vec() })
                    .header(header::ALLOW.as_str(), methods.join(", "));
                Err(refusal.into())
            };
            edge::answer_as(&request, None, run, |id, refusal| problem::response(&request, id, refusal)).await
        }
    })
}

enum Admitted<V> {
    Visitor(V),
    /// Without a session: where there will be one.
    Elsewhere(Shown),
}

async fn admit<V: Visitor>(
    page: &Declared,
    request: &HttpRequest,
    payload: web::Payload,
) -> Result<Admitted<V>, Error> {
    let context = argument::context(request);
    let limit = page.contract.limit;
    let is_form = page.is_form();
    let session = if V::SIGNS_IN { find_session(context, request).await? } else { None };
    let subject = match &session {
        Some(session) => session.identity.grant_id.clone(),
        None => admission::address(context, request),
    };
    admission::charge(context, request, limit, &subject).await?;
    if V::SIGNS_IN && session.is_none() {
        return Ok(Admitted::Elsewhere(to_sign_in(context, request, is_form)));
    }
    let query = request.query_string().as_bytes();
    let fields = if is_form {
        Fields::read(query, |_| None)?;
        let body = forms::read(context, request, payload).await?;
        Fields::read(&body, |name| page.field(name))?
    } else {
        Fields::read_some(query, |name| page.field(name), page.ignores_others)?
    };
    if let Some(session) = session.as_ref().filter(|_| is_form) {
        refuse_forged(session, &fields)?;
    }
    let visit = Visit { context: context.clone(), http: request.clone(), fields };
    V::of(visit, session).map(Admitted::Visitor)
}

/// The session of the request's cookie; none where it is missing, altered, expired or revoked.
async fn find_session(context: &Context, request: &HttpRequest) -> Result<Option<Arc<Session>>, Error> {
    let Some(presented) = Presented::read(context, request) else { return Ok(None) };
    let challenge = asked_resource::challenge(context, request);
    let token = secrecy::ExposeSecret::expose_secret(&presented.token);
    let identity = match context.verifier.authenticate(token, challenge).await {
        Ok(identity) => identity,
        Err(Error::Refused(refusal)) if refusal.code.status == 401 => return Ok(None),
        Err(other) => return Err(other),
    };
    let session = Arc::new(presented.session(context, identity));
    request.extensions_mut().insert(Arc::clone(&session));
    Ok(Some(session))
}

/// Leads a reader to the sign-in, and back. A form that was submitted is lost: a policy for forms would not let a browser follow
/// to the issuer, so a page says what to do.
fn to_sign_in(context: &Context, request: &HttpRequest, is_form: bool) -> Shown {
    let asked =
        if is_form { request.path() } else { request.uri().path_and_query().map_or("/", |asked| asked.as_str()) };
    let query = url::form_urlencoded::Serializer::new(String::new()).append_pair("return_to", asked).finish();
    let sign_in = format!("{SIGN_IN_PATH}?{query}");
    if request.path() == layout::SIGN_OUT_PATH {
        return Redirect::to(SIGNED_OUT_PATH).cookie(session::end(context, request)).into();
    }
    if is_form {
        return problem::session_is_over(&sign_in).into();
    }
    Redirect::to(sign_in).cookie(session::end(context, request)).into()
}

fn refuse_forged(session: &Session, fields: &Fields) -> Result<(), Refusal> {
    if fields.get(forms::CSRF).is_some_and(|sent| session.has_csrf(sent)) {
        return Ok(());
    }
    let message = "The form is not one of this session. Go back, load the page again, and submit it anew.";
    Err(code::OWNERSHIP_DENIED.because(message))
}

fn reply(request: &HttpRequest, shown: Shown) -> Reply {
    match shown {
        Shown::Page(page) => layout::reply(request, *page),
        Shown::Reply(reply) => reply,
    }
}
