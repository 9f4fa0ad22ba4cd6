//! Pages, and the sign-in to them, under a service of a few.

mod compression;
mod frame;
mod issuer;
mod jar;
mod origins;
mod sessions;
mod sign_in;

use maud::html;
use serde::Serialize;
use serde_json::Value;
use shared_model::{Envelope, Error, Failure, code};
use shared_runtime::{
    Answer, Caller, Context, Once, Permission, Routes, Surface,
    base::surface::Claim,
    page_text,
    pages::{Page, PageRequest, Pages, Redirect, SignedIn, Texts, scrollable},
    service::Service,
    state::{db::Migrations, rate_limit::LimitClass},
    translations,
};
use utoipa::ToSchema;

static SURFACE: Surface = Surface {
    name: "gallery",
    title: "A gallery API",
    about: "Nothing but a test.",
    version: "v1",
    envelope: Envelope::TopLevel,
    invalid_field: &code::INVALID_FIELD,
    wrong_method: &code::METHOD_NOT_ALLOWED,
    body_bytes: 1024,
    port: 8086,
    claims: &[Claim::WorkspaceId, Claim::Actor],
    codes: &[],
};

const READ: LimitClass = LimitClass { name: "read", per_minute: 1_000 };

const TEXTS: Texts = Texts { german: &[translations! { "Gallery" => "Galerie", "Title" => "Titel" }] };

struct Look;

impl Permission for Look {
    const SCOPE: &'static str = "gallery.look";
}

struct Hang;

impl Permission for Hang {
    const SCOPE: &'static str = "gallery.hang";
}

#[derive(Serialize, ToSchema)]
struct Picture {
    painter: String,
}

async fn read_picture(caller: Caller<Look>) -> Result<Answer<Picture>, Error> {
    Ok(Answer::ok(&Picture { painter: caller.subject.clone() })?)
}

async fn hang_picture(caller: Caller<Hang>, once: Once, context: Context) -> Result<Answer<Picture>, Error> {
    let painter = caller.subject.clone();
    context.once(once, move |_| Ok(Answer::ok(&Picture { painter: painter.clone() })?)).await
}

fn routes(routes: &mut Routes) {
    routes.get("/v1/picture", "read_picture", &READ, read_picture).summary("A picture.");
    routes.post("/v1/picture/hang", "hang_picture", &READ, hang_picture).summary("Hangs it.");
}

fn pages(pages: &mut Pages) {
    pages.link("/w", page_text!(TEXTS, "Gallery")).asks_for(&["gallery.look", "gallery.hang"]);
    pages.get("/about", "about_page", about);
    pages.get("/w", "gallery_page", gallery).takes(&["q"]);
    pages.post("/w", "hang_page", hang).takes(&["title"]).typed(&[("title", page_text!(TEXTS, "Title"))]);
    pages.get("/broken", "broken_page", broken);
    pages.get("/pictures/{number}", "picture_page", picture);
    pages.post("/pictures/{number}/hang", "hang_picture_page", hang);
    pages.post("/tidy", "tidy_page", hang);
}

async fn about(_: PageRequest) -> Result<Page, Error> {
    Ok(Page::new("About", html! { p { "Pictures." } }).public())
}

async fn gallery(visit: SignedIn) -> Result<Page, Error> {
    let picture: Value = visit.operation("read_picture").answer().await?;
    let body = html! {
        p { "By " bdi { (picture["painter"].as_str().unwrap_or_default()) } }
        p { "Looked for: " q { (visit.value("q").unwrap_or_default()) } }
        (scrollable("Sizes", html! { table { tr { td { "1" } } } }))
        @if visit.may("hang_picture") { (visit.form("/w", html! { button { "Hang" } })) }
    };
    Ok(Page::new(page_text!(TEXTS, "Gallery"), body))
}

/// The second time nothing happens: the page says so, where another would lead on.
async fn hang(visit: SignedIn) -> Result<Redirect, Error> {
    let hung: Value = visit.operation("hang_picture").once().answer().await?;
    let replayed = hung["replayed"].as_bool().unwrap_or(false);
    Ok(Redirect::to(format!("/w?q={}{}", visit.value("title").unwrap_or("none"), if replayed { "-again" } else { "" })))
}

async fn broken(visit: SignedIn) -> Result<Page, Error> {
    match visit.context.base_url().is_empty() {
        true => Ok(Page::new("Whole", html! {})),
        false => Err(Failure::fault("the secret cause").into()),
    }
}

async fn picture(visit: PageRequest) -> Result<Page, Error> {
    let (number,): (String,) = visit.path()?;
    let number: u32 = number.parse().map_err(|_| code::not_found())?;
    Ok(Page::new(format!("Picture {number}"), html! {}))
}

fn service() -> Service {
    Service::new(&SURFACE, routes, Migrations::NONE).pages(pages)
}
