//! Pages for people: HTML made on the server. They work without the one script.
//!
//! A service declares its pages apart from its operations ([`crate::Service::pages`]); they are not in the OpenAPI document.
//! Like every request, a page has a request id, a span, metrics and a rate limit. A refusal or a failure becomes a page
//! with the same status.
//!
//! # How a page is written
//!
//! ```
//! use maud::html;
//! use serde_json::Value;
//! use shared_model::Error;
//! use shared_runtime::{
//!     page_text,
//!     pages::{Page, PageRequest, Pages, Redirect, SignedIn, Texts},
//!     translations,
//! };
//!
//! // In a file for each language. A service writes `text!("Things")`, with a macro of its own for its table.
//! const TEXTS: Texts = Texts { german: &[translations! { "Things" => "Dinge" }] };
//!
//! fn declare(pages: &mut Pages) {
//!     pages.link("/things", page_text!(TEXTS, "Things")); // in the header's navigation
//!     pages.get("/about", "about_page", about);
//!     pages.get("/things", "things_page", list).takes(&["q", "cursor"]);
//!     pages.post("/things/{thing_id}", "change_thing_page", change).takes(&["name", "etag"]);
//! }
//!
//! /// For everyone: the argument is a [`PageRequest`].
//! async fn about(_: PageRequest) -> Result<Page, Error> {
//!     Ok(Page::new("About", html! { p { "Things, and what they are." } }).public())
//! }
//!
//! /// For people who have signed in: the argument is [`SignedIn`]. Others are sent to the sign-in, and back.
//! async fn list(visit: SignedIn) -> Result<Page, Error> {
//!     let q = visit.value("q").unwrap_or_default();
//!     // An operation of the API, with its scopes, limits and rules. Its refusal becomes the page's refusal.
//!     let things: Value = visit.operation("list_things").query("q", q).answer().await?;
//!     Ok(Page::new("Things", html! {
//!         form method="get" action="/things" {
//!             label for="q" { "Search" }
//!             input id="q" name="q" type="search" value=(q) {}
//!             button { "Search" }
//!         }
//!         @if visit.may("rename_thing") {
//!             // Adds hidden fields against forged and repeated submissions.
//!             (visit.form("/things/thing_1", html! { input name="name" {} button { "Rename" } }))
//!         }
//!         pre { (things) }
//!     }))
//! }
//!
//! /// Handles a form: its fields and its hidden `csrf` are checked before the verb runs.
//! async fn change(visit: SignedIn) -> Result<Redirect, Error> {
//!     let (thing_id,): (String,) = visit.path()?;
//!     let renamed = visit.operation("rename_thing").path(&[&thing_id]).once();
//!     let body = serde_json::json!({"name": visit.value("name")});
//!     renamed.if_match(visit.value("etag").unwrap_or_default()).json(body).answer::<Value>().await?;
//!     Ok(Redirect::to("/things"))
//! }
//! ```
//!
//! - A GET takes query parameters, a POST the fields of a form (at most 64 KiB, or [`PageDeclaration::holds`]).
//!   [`PageDeclaration::takes`] names them, each may come once. Any other is 400. [`PageDeclaration::takes_file`] adds
//!   a file.
//! - [`PageDeclaration::typed`] names the fields into which people type. If the form cannot be shown again, as after
//!   the session's end, the page of the refusal shows their texts.
//! - [`SignedIn::operation`] calls an operation under the person's own grant. `answer()` returns its JSON, or makes its
//!   refusal the page's. `send()` returns either one, for a page that shows the refusal itself. [`SignedIn::may`] tells
//!   whether the scopes allow an operation: do not show buttons that would be refused.
//! - [`Page::new`] makes the `h1`; headings of the body begin with `h2`. Put user text through maud's escaping, with
//!   `dir="auto"`, and names within `bdi`. Put wide tables into [`scrollable`].
//! - Every visible text is in the table of each language ([`Texts`]). The build and a test of the sources see to it.
//!   Refusals stay English: put them into [`in_english`].
//! - No inline scripts and no `style` attributes: the content security policy forbids both. The one script is
//!   `assets/script.js`; nothing depends on it. It follows `aria-keyshortcuts` and [`Page::watched`]. Classes are in `assets/*.css`, and in the
//!   service's own [`Pages::stylesheet`].
//! - `.public()` allows shared caches to keep a page for five minutes; [`Page::etag`] answers 304.

// First, because others use its macro.
#[macro_use]
mod texts;

pub(crate) mod assets;
mod cookies;
mod counts;
mod declaration;
mod docs_path;
mod documents;
mod ended_sessions;
mod error_page;
mod fields;
mod forms;
mod hidden_fields;
mod language;
mod layout;
pub mod multipart;
mod operation;
mod page;
pub(crate) mod reference;
mod request;
mod routes;
mod script;
mod sent_file;
mod serve;
mod session;
mod shown_paths;
pub(crate) mod sign_in;
mod stylesheet;
mod text;
mod typed;
mod units;
mod unknown;

pub use declaration::PageDeclaration;
pub use documents::{Document, Documents, Section};
pub use ended_sessions::SWEEP as ENDED_SESSIONS;
pub use error_page::{in_english, what_next};
pub use language::Language;
pub use layout::scrollable;
pub use operation::Call;
pub use page::{Page, PageResponse, Redirect};
pub use reference::{CHANGELOG_PATH, DOCS_PATH, LLMS_PATH};
pub use request::{PageArgument, PageRequest, SignedIn};
pub use routes::Pages;
pub use sent_file::{FileField, SentFile};
pub use session::{Session, session_cookie};
pub use sign_in::SignInClient;
pub use stylesheet::content_style;
pub use text::{Table, Text, Texts, counted};
pub use typed::{TypedText, what_was_typed};
pub use units::{bytes, time};
