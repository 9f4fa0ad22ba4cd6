//! What surrounds every page: document, header, navigation, footer, HTTP headers.

use std::sync::Arc;

use actix_web::{
    HttpMessage as _, HttpRequest,
    http::{StatusCode, header},
    web,
};
use maud::{DOCTYPE, Markup, Render, html};
use shared_model::Etag;

use super::{
    counts::Counts,
    declaration::Site,
    forms,
    language::Language,
    page::Page,
    script::{self, SCRIPT},
    session::Session,
    stylesheet::Stylesheet,
};
use crate::{
    base::surface::ICON_PATH,
    base::surface::Surface,
    http::{
        argument,
        compression::{Coding, VARY},
        reply::{Reply, ReplyBody},
    },
};

// One script, from this service and never from text: even a page that shows hostile text cannot run any other.
const POLICY: &str = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; \
                      media-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

pub const SIGN_OUT_PATH: &str = "/sign-out";
pub const SESSION_PATH: &str = "/session";

/// A region that scrolls sideways when it is too wide; `label` names it for screen readers.
pub fn scrollable(label: impl Render, inside: Markup) -> Markup {
    html! { div.scrollable role="region" aria-label=(label) tabindex="0" { (inside) } }
}

/// The answer with a complete page; 304 for a known entity tag.
pub fn reply(request: &HttpRequest, page: Page) -> Reply {
    let is_the_same_for_all = page.is_public && page.is_english;
    let coding = if is_the_same_for_all { Coding::accepted(request.headers()) } else { Coding::Identity };
    let mut headers = headers(&page);
    headers.extend(page.cookies.iter().map(|cookie| ("set-cookie".to_owned(), cookie.clone())));
    if let Some(etag) = page.etag.map(|etag| coding.etag(etag)) {
        headers.push(("etag".to_owned(), etag.to_string()));
        // Refusals have no version.
        if page.status == StatusCode::OK && is_known(request, etag) {
            return Reply { status: StatusCode::NOT_MODIFIED, body: ReplyBody::Nothing, headers };
        }
    }
    let session = request.extensions().get::<Arc<Session>>().cloned();
    let status = page.status;
    let language = if page.is_english { Language::English } else { Language::current() };
    let html = language.of_part(|| document(request, page, session.as_deref())).into_string();
    headers.push(("content-type".to_owned(), "text/html; charset=utf-8".to_owned()));
    headers.extend(coding.content_encoding());
    Reply { status, body: ReplyBody::Plain(coding.encode(html.into_bytes())), headers }
}

/// Whether the client has what this tag is of.
pub(super) fn is_known(request: &HttpRequest, etag: Etag) -> bool {
    let known = request.headers().get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    known.is_some_and(|known| etag.matches_if_none_match(known))
}

fn headers(page: &Page) -> Vec<(String, String)> {
    let mut headers = vec![
        ("content-security-policy", POLICY),
        ("cross-origin-opener-policy", "same-origin"),
        ("referrer-policy", "no-referrer"),
        ("x-content-type-options", "nosniff"),
    ];
    headers.extend(match page.is_public {
        true if page.is_english => vec![("cache-control", "public, max-age=300"), VARY],
        true => vec![("cache-control", "public, max-age=300"), ("vary", "accept-language")],
        // Pages show private content. `vary` keeps caches from mixing up the pages of two people.
        false => vec![
            ("cache-control", "private, no-store"),
            ("vary", "cookie, accept-language"),
            ("x-robots-tag", "noindex, nofollow"),
        ],
    });
    headers.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn document(request: &HttpRequest, page: Page, session: Option<&Session>) -> Markup {
    let surface = argument::context(request).surface;
    let product = product(surface);
    let stylesheet = request.app_data::<web::Data<Stylesheet>>().expect("every app with pages has a stylesheet");
    html! {
        (DOCTYPE)
        html lang=(Language::current().tag()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (page.title) " – " (product) }
                link rel="stylesheet" href=(stylesheet.href());
                // Deferred: the page is shown first. Its words come with the page, which knows the language.
                script src=(SCRIPT.href()) data-words=(script::words()) defer {}
                link rel="icon" type="image/svg+xml" href=(ICON_PATH);
            }
            body {
                a.skip href="#main" { (text!("Skip to the content")) }
                header.top { (top(request, product, session)) }
                @match &page.beside {
                    Some(navigation) => div.columns { (navigation) (content(&page)) },
                    None => (content(&page)),
                }
                footer { p { (surface.title) " " (surface.version) } }
            }
        }
    }
}

fn content(page: &Page) -> Markup {
    html! {
        main #main data-watch=[&page.watched] {
            h1 dir="auto" {
                @match &page.heading {
                    Some(heading) => (heading),
                    None => (page.title),
                }
            }
            (page.body)
        }
    }
}

fn top(request: &HttpRequest, product: &str, session: Option<&Session>) -> Markup {
    let site = request.app_data::<web::Data<Site>>();
    let links = site.map(|site| site.links.as_slice()).unwrap_or_default();
    let extensions = request.extensions();
    let count = |path: &str| extensions.get::<Counts>().and_then(|counts| counts.of(path));
    html! {
        p.product { (product) }
        @if !links.is_empty() {
            nav aria-label=(text!("Site")) {
                ul {
                    @for link in links {
                        li {
                            a href=(link.path) aria-current=[(request.path() == link.path).then_some("page")] aria-keyshortcuts=(link.key()) {
                                (link.name)
                                @if let Some(count) = count(link.path) {
                                    " " span.count { (count) span.hidden { " " (text!("waiting")) } }
                                }
                            }
                        }
                    }
                }
            }
        }
        @if let Some(session) = session {
            div.who {
                p {
                    a href=(SESSION_PATH) {
                        (text!("Signed in as {person}", person = html! { bdi { (session.display_name()) } }))
                    }
                }
                (forms::form(session, SIGN_OUT_PATH, "", html! { button.quiet { (text!("Sign out")) } }))
            }
        }
    }
}

fn product(surface: &Surface) -> &'static str {
    surface.title.strip_suffix(" API").unwrap_or(surface.title)
}
