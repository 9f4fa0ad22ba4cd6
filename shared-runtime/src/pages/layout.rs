//! What is around every page: document, header, navigation, footer; and its headers.

use std::sync::Arc;

use actix_web::{
    HttpMessage as _, HttpRequest,
    http::{StatusCode, header},
    web,
};
use maud::{DOCTYPE, Markup, html};
use shared_model::Etag;

use super::{declared::Site, forms, page::Page, session::Session, stylesheet};
use crate::{
    base::surface::Surface,
    http::{
        argument,
        reply::{Reply, ReplyBody},
    },
};

/// Nothing but our own stylesheet, pictures of our own, and forms to ourselves.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; \
                      frame-ancestors 'none'";

/// Where the form to sign out is submitted.
pub const SIGN_OUT_PATH: &str = "/sign-out";

/// A region that scrolls by itself where it is wider than the screen; `label` is its name for who cannot see it.
pub fn scrollable(label: &str, inside: Markup) -> Markup {
    html! { div.scrollable role="region" aria-label=(label) tabindex="0" { (inside) } }
}

/// A page with all that is around it.
pub fn reply(request: &HttpRequest, page: Page) -> Reply {
    let mut headers = headers(&page);
    headers.extend(page.cookies.iter().map(|cookie| ("set-cookie".to_owned(), cookie.clone())));
    if let Some(etag) = page.etag {
        headers.push(("etag".to_owned(), etag.to_string()));
        if page.status == StatusCode::OK && is_known(request, etag) {
            return Reply { status: StatusCode::NOT_MODIFIED, body: ReplyBody::Nothing, headers };
        }
    }
    let session = request.extensions().get::<Arc<Session>>().cloned();
    let status = page.status;
    let html = document(request, page, session.as_deref()).into_string();
    headers.push(("content-type".to_owned(), "text/html; charset=utf-8".to_owned()));
    Reply { status, body: ReplyBody::Plain(html.into_bytes()), headers }
}

fn is_known(request: &HttpRequest, etag: Etag) -> bool {
    let known = request.headers().get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    known.is_some_and(|known| etag.is_named_by(known))
}

fn headers(page: &Page) -> Vec<(String, String)> {
    let mut headers = vec![
        ("content-security-policy", POLICY),
        ("cross-origin-opener-policy", "same-origin"),
        ("referrer-policy", "no-referrer"),
        ("x-content-type-options", "nosniff"),
    ];
    headers.extend(match page.is_public {
        true => vec![("cache-control", "public, max-age=300")],
        false => {
            vec![("cache-control", "private, no-store"), ("vary", "cookie"), ("x-robots-tag", "noindex, nofollow")]
        }
    });
    headers.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn document(request: &HttpRequest, page: Page, session: Option<&Session>) -> Markup {
    let surface = argument::context(request).surface;
    let product = product(surface);
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (page.title) " – " (product) }
                link rel="stylesheet" href=(stylesheet::href());
                link rel="icon" type="image/svg+xml" href=(stylesheet::ICON_PATH);
            }
            body {
                a.skip href="#main" { "Skip to the content" }
                header.top { (top(request, product, session)) }
                main #main {
                    h1 dir="auto" {
                        @match &page.heading {
                            Some(heading) => (heading),
                            None => (page.title),
                        }
                    }
                    (page.body)
                }
                footer { p { (surface.title) " " (surface.version) } }
            }
        }
    }
}

fn top(request: &HttpRequest, product: &str, session: Option<&Session>) -> Markup {
    let site = request.app_data::<web::Data<Site>>();
    let links = site.map(|site| site.links.as_slice()).unwrap_or_default();
    html! {
        p.product { (product) }
        @if !links.is_empty() {
            nav aria-label="Site" {
                ul {
                    @for link in links {
                        li { a href=(link.path) aria-current=[(request.path() == link.path).then_some("page")] { (link.name) } }
                    }
                }
            }
        }
        @if let Some(session) = session {
            div.who {
                p { "Signed in as " bdi { (session.display_name()) } }
                (forms::form(session, SIGN_OUT_PATH, "", html! { button.quiet { "Sign out" } }))
            }
        }
    }
}

/// The service's name for people.
fn product(surface: &Surface) -> &'static str {
    surface.title.strip_suffix(" API").unwrap_or(surface.title)
}
