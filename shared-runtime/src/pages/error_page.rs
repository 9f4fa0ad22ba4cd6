//! Pages for refusals and failures.

use actix_web::{
    HttpRequest, HttpResponse, HttpResponseBuilder,
    http::{StatusCode, header},
};
use maud::{Markup, html};
use shared_model::{NextAction, Refusal};

use super::{language::Language, layout, page::Page, text::Text, typed};
use crate::{base::request_id::RequestId, http::reply::ReplyBody};

pub fn response(request: &HttpRequest, id: &RequestId, refusal: Refusal) -> HttpResponse {
    let status = StatusCode::from_u16(refusal.code.status).expect("a status of the code table");
    let mut builder = HttpResponseBuilder::new(status);
    let next = refusal.next_action(false);
    let seconds = next.as_ref().and_then(NextAction::after_seconds);
    if let Some(seconds) = seconds {
        builder.insert_header((header::RETRY_AFTER, seconds.to_string()));
    }
    // Challenges are for programs: browsers do not know bearer tokens.
    let wanted = [header::ALLOW, header::CONNECTION];
    for (name, value) in refusal.headers.iter().filter(|(name, _)| wanted.iter().any(|wanted| wanted == *name)) {
        builder.insert_header((*name, value.as_str()));
    }
    if status == StatusCode::PAYLOAD_TOO_LARGE || refusal.headers.iter().any(|(name, _)| *name == "connection") {
        // The rest of the body must not be read as the next request.
        builder.force_close();
    }
    let body = html! {
        p { (in_english(&refusal.message)) }
        @if status == StatusCode::NOT_FOUND {
            p { (text!("It may have been deleted, or you may not have access to it.")) }
            p { a.button href="/" { (text!("Go to the home page")) } }
        }
        (what_next(next.as_ref()))
        (typed::kept(request))
        p.note { (text!("Request {id}", id = html! { code { (id.as_str()) } })) }
    };
    let reply = layout::reply(request, Page::new(title(status), body).status(status));
    for (name, value) in reply.headers {
        builder.insert_header((name, value));
    }
    match reply.body {
        ReplyBody::Plain(bytes) => builder.body(bytes),
        ReplyBody::Payload { .. } | ReplyBody::Stream(_) | ReplyBody::Nothing => builder.finish(),
    }
}

/// A text of the API, such as a refusal: it is English in every language.
pub fn in_english(text: &str) -> Markup {
    match Language::current() {
        Language::English => html! { (text) },
        // So that a screen reader does not read it as German.
        Language::German => html! { span lang=(Language::English.tag()) { (text) } },
    }
}

/// For a form that is submitted without a session.
pub fn session_is_over(request: &HttpRequest, sign_in: &str) -> Page {
    let body = html! {
        p { (text!("Nothing was changed, because your session has ended. Sign in and submit the form again.")) }
        (typed::kept(request))
        p { a.button href=(sign_in) { (text!("Sign in")) } }
    };
    Page::new(text!("You are signed out"), body).status(StatusCode::UNAUTHORIZED)
}

fn title(status: StatusCode) -> Text {
    match status.as_u16() {
        400 | 415 | 422 => text!("The request is not valid"),
        401 => text!("You are not signed in"),
        403 => text!("You may not do this"),
        404 => text!("There is no such page"),
        405 => text!("This page does not support that method"),
        409 | 412 => text!("It has changed in the meantime"),
        413 => text!("This is too large"),
        429 => text!("Too many requests"),
        503 => text!("The service cannot do this right now"),
        500.. => text!("Something went wrong on our side"),
        _ => text!("This was refused"),
    }
}

/// The next action in words for people.
pub fn what_next(next: Option<&NextAction>) -> Markup {
    html! {
        @match next {
            Some(NextAction::Wait { after_seconds } | NextAction::RetrySameKey { after_seconds } | NextAction::Poll { after_seconds, .. }) => {
                p { (text!("Try again in {seconds} s.", seconds = after_seconds)) }
            }
            Some(NextAction::RequestScope { scope }) => {
                p {
                    (text!("The person who gave you access can allow this. The scope is {scope}.", scope = html! { code { (scope) } }))
                }
            }
            Some(NextAction::CorrectRequest { problems }) if problems.len() > 1 => {
                ul { @for problem in problems { li { code { (problem.at) } " " (problem.rule) } } }
            }
            Some(NextAction::Refresh { .. } | NextAction::Rebase { .. }) => p { (text!("Load the page again, then decide.")) }
            ,
            Some(NextAction::ContactSupport) => p { (text!("If this happens again, send the request's id to the operator.")) }
            ,
            _ => {}
        }
    }
}
