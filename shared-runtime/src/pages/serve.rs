//! The path of a request for a page: limit, session, fields, verb, HTML.

use std::{pin::Pin, rc::Rc, sync::Arc};

use actix_web::{HttpMessage as _, HttpRequest, HttpResponse, Route, http::header, web};
use shared_model::{Error, NextAction, Refusal, code, words};

use super::{
    counts,
    declaration::PageDeclaration,
    error_page,
    fields::Fields,
    forms,
    hidden_fields::CSRF,
    language::Language,
    layout, multipart,
    multipart::Submission,
    page::{PageResponse, Redirect},
    request::PageRequest,
    sent_file::FileField,
    session::{self, Session, SessionCookie},
    shown_paths::ShownPaths,
    typed,
};
use crate::{
    context::Context,
    http::{
        admission, argument, edge,
        grant_check::GrantCheck,
        incoming_body::{BodyTimeouts, IncomingBody},
        reply::Reply,
        resource_for_host,
    },
    state::bounds::Holder,
};

pub const SIGN_IN_PATH: &str = "/sign-in";
/// The redirect URI at the issuer.
pub const CALLBACK_PATH: &str = "/sign-in/callback";
pub const SIGNED_OUT_PATH: &str = "/signed-out";

/// A verb of a page, called with the request and the session.
pub type CallPage = dyn Fn(PageRequest, Option<Arc<Session>>) -> Result<Running, Error> + Send + Sync;

pub type Running = Pin<Box<dyn Future<Output = Result<PageResponse, Error>>>>;

pub async fn answer(
    page: Arc<PageDeclaration>,
    call: Arc<CallPage>,
    request: HttpRequest,
    payload: web::Payload,
) -> HttpResponse {
    let run = async {
        let shown = match admit(&page, &request, payload).await? {
            Admitted::Proceed(visit, session) => call(visit, session)?.await?,
            Admitted::Elsewhere(shown) => shown,
        };
        if matches!(shown, PageResponse::Page(_)) {
            // After the verb, which may have changed them.
            counts::add(&request).await?;
        }
        Ok(reply(&request, shown))
    };
    let shown =
        edge::answer_as(&request, Some(&page.contract), run, |id, refusal| error_page::response(&request, id, refusal));
    Language::asked(&request).of(shown).await
}

pub fn wrong_method(methods: Vec<String>) -> Route {
    let methods: Rc<[String]> = methods.into();
    web::route().to(move |request: HttpRequest| {
        let methods = Rc::clone(&methods);
        async move {
            let run = async {
                admission::charge_anonymous(argument::context(&request), &request).await?;
                let refusal = code::METHOD_NOT_ALLOWED
                    .because(format!("This page takes {}.", words::join_and(&methods)))
                    .next(NextAction::UseMethod { methods: methods.to_vec(), problems: Vec::new() })
                    .header(header::ALLOW.as_str(), methods.join(", "));
                Err(refusal.into())
            };
            let shown = edge::answer_as(&request, None, run, |id, refusal| error_page::response(&request, id, refusal));
            Language::asked(&request).of(shown).await
        }
    })
}

enum Admitted {
    Proceed(PageRequest, Option<Arc<Session>>),
    /// No session: the way to the sign-in.
    Elsewhere(PageResponse),
}

async fn admit(page: &PageDeclaration, request: &HttpRequest, payload: web::Payload) -> Result<Admitted, Error> {
    let context = argument::context(request);
    let limit = page.contract.limit;
    let is_form = page.is_form();
    let session = if page.signs_in { find_session(context, request).await? } else { None };
    // A session is found first, so that people behind one address have limits of their own.
    let address = admission::address(context, request);
    let (subject, holder) = match &session {
        Some(session) => (&session.identity.grant_id, Holder::Grant(&session.identity.grant_id)),
        None => (&address, Holder::Address(&address)),
    };
    admission::charge(context, request, limit, subject).await?;
    admission::hold(context, request, holder)?;
    if page.signs_in && session.is_none() {
        // Read all the same: a person may have typed for longer than the session lasted.
        if !page.typed.is_empty() && typed::is_from_own_page(request) {
            let Submission { fields, .. } = submission(page, request, payload, None).await?;
            typed::keep(request, &Arc::new(fields), page.typed);
        }
        return Ok(Admitted::Elsewhere(to_sign_in(context, request, is_form)));
    }
    let query = request.query_string().as_bytes();
    let Submission { fields, file } = if is_form {
        // A form's values belong into its body: URLs end up in histories and logs.
        Fields::read(query, |_| false)?;
        let check = session.as_ref().map(|session| GrantCheck::new(context, request, &session.identity));
        submission(page, request, payload, check).await?
    } else {
        let fields = Fields::read_some(query, |name| page.has_field(name), page.ignores_others)?;
        Submission { fields, file: None }
    };
    let fields = Arc::new(fields);
    typed::keep(request, &fields, page.typed);
    if let Some(session) = session.as_ref().filter(|_| is_form) {
        refuse_forged(session, &fields)?;
    }
    let visit = PageRequest { context: context.clone(), http: request.clone(), fields, typed: page.typed, file };
    Ok(Admitted::Proceed(visit, session))
}

/// Reads the body of a form.
async fn submission(
    page: &PageDeclaration,
    request: &HttpRequest,
    payload: web::Payload,
    check: Option<GrantCheck>,
) -> Result<Submission, Error> {
    let within = argument::context(request).settings.body_timeout;
    let timeouts = match page.file {
        Some(_) => BodyTimeouts::of_bytes(within),
        None => BodyTimeouts::of_text(within),
    };
    // Counted, because a form stays in memory until its verb has run.
    let body = IncomingBody::new(request, payload, page.max_bytes, timeouts);
    // The message names the limit of the file, not that of the whole form: the person chose the file.
    let body = body.map_err(|refusal| page.file.map_or(refusal, FileField::too_large))?;
    let body = body.checked(check).counted(request)?;
    match page.file {
        Some(file) => multipart::read(request, body, page, file).await,
        None => {
            let body = forms::read(request, body).await?;
            Ok(Submission { fields: Fields::read(&body, |name| page.has_field(name))?, file: None })
        }
    }
}

/// The session in the request's cookie; `None` when it is missing, altered, expired, revoked or ended.
async fn find_session(context: &Context, request: &HttpRequest) -> Result<Option<Arc<Session>>, Error> {
    let Some(presented) = SessionCookie::read(context, request) else { return Ok(None) };
    let challenge = resource_for_host::challenge(context, request);
    let token = secrecy::ExposeSecret::expose_secret(&presented.token);
    let identity = match context.verifier.authenticate(token, challenge).await {
        Ok(identity) => identity,
        // An expired token is not an error for a person: they sign in again.
        Err(Error::Refused(refusal)) if refusal.code.status == 401 => return Ok(None),
        Err(other) => return Err(other),
    };
    let Some(session) = presented.session(context, identity).await? else { return Ok(None) };
    let session = Arc::new(session);
    request.extensions_mut().insert(Arc::clone(&session));
    Ok(Some(session))
}

/// Leads to the sign-in and back.
fn to_sign_in(context: &Context, request: &HttpRequest, is_form: bool) -> PageResponse {
    if request.path() == layout::SIGN_OUT_PATH {
        return Redirect::to(SIGNED_OUT_PATH).cookies(session::end(context, request)).into();
    }
    if is_form {
        let shown = request.app_data::<web::Data<ShownPaths>>();
        let sign_in = match shown.and_then(|shown| shown.nearest(request.path())) {
            Some(path) => sign_in_and_return_to(path),
            None => SIGN_IN_PATH.to_owned(),
        };
        // A page, not a redirect: the policy for forms would not let a browser follow one to the issuer.
        return error_page::session_is_over(request, &sign_in).into();
    }
    let asked = request.uri().path_and_query().map_or("/", |asked| asked.as_str());
    Redirect::to(sign_in_and_return_to(asked)).cookies(session::end(context, request)).into()
}

fn sign_in_and_return_to(path: &str) -> String {
    let query = url::form_urlencoded::Serializer::new(String::new()).append_pair("return_to", path).finish();
    format!("{SIGN_IN_PATH}?{query}")
}

fn refuse_forged(session: &Session, fields: &Fields) -> Result<(), Refusal> {
    if fields.get(CSRF).is_some_and(|sent| session.has_csrf(sent)) {
        return Ok(());
    }
    Err(code::OWNERSHIP_DENIED
        .because("The form does not belong to this session. Go back, load the page again, and submit it again."))
}

fn reply(request: &HttpRequest, shown: PageResponse) -> Reply {
    match shown {
        PageResponse::Page(page) => layout::reply(request, *page),
        PageResponse::Reply(reply) => reply,
    }
}
