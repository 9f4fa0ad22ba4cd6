//! Pages for refusals and failures.

use actix_web::{
    HttpRequest, HttpResponse, HttpResponseBuilder,
    http::{StatusCode, header},
};
use maud::{Markup, html};
use shared_model::{NextAction, Refusal};

use super::{layout, page::Page};
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
        p { (refusal.message) }
        @if status == StatusCode::NOT_FOUND {
            p { "It may have been deleted, or you may not have access to it." }
            p { a.button href="/" { "Go to the start" } }
        }
        (what_next(next.as_ref()))
        p.note { "Request " code { (id.as_str()) } }
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

/// For a form that is submitted without a session.
pub fn session_is_over(sign_in: &str) -> Page {
    let body = html! {
        p { "Nothing was changed, because your session has ended. Sign in and submit the form again." }
        p { a.button href=(sign_in) { "Sign in" } }
    };
    Page::new("You are signed out", body).status(StatusCode::UNAUTHORIZED)
}

fn title(status: StatusCode) -> &'static str {
    match status.as_u16() {
        400 | 415 | 422 => "The request is not valid",
        401 => "You are not signed in",
        403 => "You may not do this",
        404 => "There is no such page",
        405 => "This page does not support that method",
        409 | 412 => "It has changed in the meantime",
        413 => "The form is too long",
        429 => "Too many requests",
        503 => "The service cannot do this right now",
        500.. => "Something went wrong on our side",
        _ => "This was refused",
    }
}

/// The next action in words for people.
pub fn what_next(next: Option<&NextAction>) -> Markup {
    html! {
        @match next {
            Some(NextAction::Wait { after_seconds } | NextAction::RetrySameKey { after_seconds } | NextAction::Poll { after_seconds, .. }) => {
                p { "Try again in " (after_seconds) " s." }
            }
            Some(NextAction::RequestScope { scope }) => {
                p { "The person who gave you access can allow this. The scope is " code { (scope) } "." }
            }
            Some(NextAction::CorrectRequest { problems }) if problems.len() > 1 => {
                ul { @for problem in problems { li { code { (problem.at) } " " (problem.rule) } } }
            }
            Some(NextAction::Refresh { .. } | NextAction::Rebase { .. }) => p { "Load the page again, then decide." },
            Some(NextAction::ContactSupport) => p { "If this happens again, send the request's id to the operator." },
            _ => {}
        }
    }
}
