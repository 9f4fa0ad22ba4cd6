//! Trust: signed market events, published once, in order, for everyone to check.

pub mod audit;
pub mod canonical;
pub mod codes;
pub mod column;
pub mod commands;
pub mod cosigning;
pub mod events;
mod guide;
pub mod log;
pub mod markets;
pub mod merkle;
pub mod pages;
pub mod routes;
pub mod schema;
pub mod self_check;
pub mod signers;
pub mod signing;
pub mod state;
pub mod tlog;
pub mod tools;
pub mod witness;

use shared_model::{Envelope, code, limits};
use shared_runtime::{Service, Surface, migrations};

use crate::cosigning::Witnesses;

/// The constants of this service.
pub static SURFACE: Surface = Surface {
    name: "trust",
    title: "Fourfold Trust-publishing API",
    about: "Signed market events in a log that anyone can check. There are no tokens here: whatever is published is \
            authenticated by the signature in its body, and every read is public.",
    version: "v1",
    port: 8084,
    envelope: Envelope::DataMeta,
    invalid_field: &code::INVALID_FIELD,
    wrong_method: &code::METHOD_NOT_ALLOWED,
    body_bytes: limits::BODY_BYTES,
    claims: &[],
    codes: codes::ALL,
};

/// The service, ready to be started.
pub fn service() -> Service {
    Service::new(&SURFACE, routes::declare, migrations!())
        .document(include_str!("../../openapi/trust.json"))
        .pages(guide::declare)
        .tools(tools::tools)
        .pages(pages::declare)
        .keeps_log()
        .prepared(state::prepare, state::watch)
        .asks_witnesses(Witnesses::check)
}
