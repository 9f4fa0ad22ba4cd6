//! The page where people choose who to be. It works without script.

use actix_web::{HttpResponse, http::StatusCode, http::header, web};
use maud::{DOCTYPE, Markup, html};
use url::Url;

use super::{
    fields::Fields,
    people,
    request::{PATH, REPEATED, SignInRequest},
};

const STYLESHEET_PATH: &str = "/sign-in.css";
const STYLESHEET: &str = "\
:root { color-scheme: light dark; }
body { font: 1rem/1.55 system-ui, sans-serif; margin: 0; overflow-wrap: break-word; }
header { border-bottom: 1px solid #c9ced8; font-weight: 700; padding: 1rem; }
main { max-width: 34rem; margin: 2rem auto; padding: 0 1rem; }
summary { cursor: pointer; }
.scopes li { margin: 0; }
h1 { font-size: 1.5rem; line-height: 1.25; }
ul { list-style: none; padding: 0; }
li { margin: 0 0 .8rem; }
button { display: block; width: 100%; text-align: start; font: inherit; padding: .7rem 1rem; cursor: pointer; \
border: 1px solid #767c89; border-radius: .4rem; background: Canvas; color: CanvasText; }
button:hover { border-color: #1d4fc4; }
button strong { display: block; }
:focus-visible { outline: 3px solid #4b7bec; outline-offset: 2px; }
";

pub fn routes(app: &mut web::ServiceConfig) {
    let style = || async { HttpResponse::Ok().content_type("text/css; charset=utf-8").body(STYLESHEET) };
    app.route(STYLESHEET_PATH, web::get().to(style));
}

pub fn choice(fields: &Fields, request: &SignInRequest<'_>) -> HttpResponse {
    let body = html! {
        p {
            @match request.agent {
                Some(agent) => {
                    strong { (agent.name()) } " wants to work with " code { (request.resource) } " as an agent of yours. "
                }
                None => { "The service at " code { (request.resource) } " asks who you are. " }
            }
            "This issuer is for local tests only: choose a sample person, without a password."
        }
        @if !request.scope.is_empty() {
            details {
                summary { "What it asks for" }
                p { "Each of these is a permission. You give those of them that the person has." }
                ul.scopes { @for scope in request.scope.split(' ') { li { code { (scope) } } } }
            }
        }
        form method="post" action=(PATH) {
            @for name in REPEATED {
                @if let Some(value) = fields.get(name) { input type="hidden" name=(name) value=(value) {} }
            }
            ul {
                @for person in people::for_service(request.service) {
                    li {
                        button name="person" value=(person.subject) {
                            strong { (person.display_name) }
                            " " (person.may)
                        }
                    }
                }
                li { button name="person" value="nobody" { strong { "Nobody" } " Go back without signing in" } }
            }
        }
    };
    // `form-action` also applies to the redirect that follows the form, so the client's origin must be allowed.
    let origin = Url::parse(request.redirect_uri).map(|url| form_action(&url)).unwrap_or_default();
    shown(StatusCode::OK, "Who do you want to be?", body, &origin)
}

/// The origin of a page, or the scheme of a program.
fn form_action(url: &Url) -> String {
    if url.origin().is_tuple() { url.origin().ascii_serialization() } else { format!("{}:", url.scheme()) }
}

/// For requests that must not be answered with a redirect.
pub fn refused(rule: &str) -> HttpResponse {
    let body = html! { p { "The request cannot be answered: " (rule) "." } };
    shown(StatusCode::BAD_REQUEST, "This sign-in request is invalid", body, "")
}

fn shown(status: StatusCode, title: &str, body: Markup, form_action: &str) -> HttpResponse {
    let policy = format!(
        "default-src 'none'; style-src 'self'; img-src data:; form-action 'self' {form_action}; base-uri 'none'; frame-ancestors 'none'"
    );
    let document = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " – Fourfold's local issuer" }
                link rel="stylesheet" href=(STYLESHEET_PATH);
                // An empty icon, because browsers would otherwise request /favicon.ico.
                link rel="icon" href="data:,";
            }
            body { header { "Fourfold, on this machine" } main { h1 { (title) } (body) } }
        }
    };
    HttpResponse::build(status)
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CONTENT_SECURITY_POLICY, policy))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .body(document.into_string())
}
