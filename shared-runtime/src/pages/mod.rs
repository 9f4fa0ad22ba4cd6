//! Pages for people: HTML made on the server, without script, beside the operations of the API.
//!
//! A service declares its pages apart from its operations ([`crate::Service::pages`]); they are in no OpenAPI document. A page
//! has the frame of every request (request id, span, measures, limit, `catch_unwind`); what a verb refuses with or fails with
//! becomes a page of the same status.
//!
//! # How a page is written
//!
//! ```
//! use maud::html;
//! use shared_model::Error;
//! use shared_runtime::pages::{Page, Pages, Redirect, SignedIn, Visit};
//!
//! fn declare(pages: &mut Pages) {
//!     pages.link("/things", "Things"); // in the header's navigation
//!     pages.get("/about", "about_page", about);
//!     pages.get("/things", "things_page", list).takes(&["q", "cursor"]);
//!     pages.post("/things/{thing_id}", "change_thing_page", change).takes(&["name", "etag"]);
//! }
//!
//! /// For everyone: the argument is a [`Visit`].
//! async fn about(_: Visit) -> Result<Page, Error> {
//!     Ok(Page::new("About", html! { p { "Things, and what they are." } }).public())
//! }
//!
//! /// For whoever has signed in: the argument is [`SignedIn`]. Others are led to the sign-in, and back.
//! async fn list(visit: SignedIn) -> Result<Page, Error> {
//!     let q = visit.value("q").unwrap_or_default();
//!     // An operation of the API: the same scopes, limits and rules; what it refuses with becomes the page's refusal.
//!     let things = visit.operation("list_things").query("q", q).answer().await?;
//!     Ok(Page::new("Things", html! {
//!         form method="get" action="/things" {
//!             label for="q" { "Search" }
//!             input id="q" name="q" type="search" value=(q) {}
//!             button { "Search" }
//!         }
//!         @if visit.may("rename_thing") {
//!             // With the hidden fields against forged and doubled submissions.
//!             (visit.form("/things/thing_1", html! { input name="name" {} button { "Rename" } }))
//!         }
//!         pre { (things) }
//!     }))
//! }
//!
//! /// A form's submission: its fields are checked before the verb runs, and so is the hidden `csrf`.
//! async fn change(visit: SignedIn) -> Result<Redirect, Error> {
//!     let (thing_id,): (String,) = visit.path()?;
//!     let renamed = visit.operation("rename_thing").path(&[&thing_id]).once();
//!     let body = serde_json::json!({"name": visit.value("name")});
//!     renamed.if_match(visit.value("etag").unwrap_or_default()).json(body).answer().await?;
//!     Ok(Redirect::to("/things"))
//! }
//! ```
//!
//! - A GET takes its query parameters, a POST the fields of a form (`application/x-www-form-urlencoded`, 64 KiB at most): those
//!   that [`Declared::takes`] names, each once at most; any other is 400.
//! - [`Visit::path`] parses path parameters as [`crate::Path`] does, with the same 404. [`Visit::state`] is a service's own state.
//! - [`SignedIn::operation`] carries an operation of the API out, under the visitor's own grant; `answer()` is its payload as JSON
//!   in its envelope, or the refusal; `send()` is either one as a value, for a page that shows the refusal itself.
//!   [`SignedIn::caller`] is the [`crate::Caller`] that a verb's own functions take. [`SignedIn::may`] says whether
//!   the scopes allow an operation: a button that would be refused is not shown.
//! - [`Page::new`] makes the `h1` of the title; the body's headings begin with `h2`. User text only through maud's escaping, with
//!   `dir="auto"`, names within `bdi`.
//! - A table or grid that may be wide is put into [`scrollable`], which gives it a label and the keyboard's focus.
//! - No script, no `style` attribute: the policy forbids both. Classes are in `assets/*.css`, which `stylesheet.rs` puts together.
//! - A public page is `.public()`: shared caches may keep it for five minutes; [`Page::tagged`] answers 304.

pub(crate) mod assets;
mod cookies;
mod declared;
mod fields;
mod forms;
mod layout;
mod operation;
mod page;
mod problem;
pub(crate) mod reference;
mod serve;
mod session;
pub(crate) mod sign_in;
mod stylesheet;
mod table;
mod visit;

pub use declared::Declared;
pub use layout::scrollable;
pub use operation::Call;
pub use page::{Page, Redirect, Shown};
pub use problem::what_next;
pub use reference::{CHANGELOG_PATH, DOCS_PATH, LLMS_PATH};
pub use session::{Session, session_cookie};
pub use table::Pages;
pub use visit::{SignedIn, Visit, Visitor};
