//! Placed orders, for the owners who placed them.

mod codes;
pub mod commands;
mod guide;
pub mod ids;
pub mod ordering_switch;
pub mod orders;
pub mod permissions;
pub mod routes;
mod schema;
pub mod tools;

use shared_model::{Envelope, code, limits};
use shared_runtime::{Service, Surface, base::surface::Claim, migrations};

/// The constants of the Orders API: a grant has a kind, and a wrong method is 405 (spec: Orders errors).
pub static SURFACE: Surface = Surface {
    name: "orders",
    title: "Fourfold Orders",
    about: "Placed orders, for the owners who placed them. Amounts are whole pence; the service computes them and \
            refuses what does not add up.",
    version: "v1",
    port: 8083,
    envelope: Envelope::DataMeta,
    invalid_field: &code::INVALID_FIELD,
    wrong_method: &code::METHOD_NOT_ALLOWED,
    body_bytes: limits::BODY_BYTES,
    claims: &[Claim::GrantKind],
    codes: codes::ALL,
};

/// The orders service, ready to start.
pub fn service() -> Service {
    Service::new(&SURFACE, routes::declare, migrations!())
        .document(include_str!("../../openapi/orders.json"))
        .pages(guide::declare)
        .tools(tools::tools)
}
