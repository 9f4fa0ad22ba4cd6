#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod cli;
mod codes;
mod guide;
pub mod ids;
pub mod ordering_switch;
pub mod orders;
mod pages;
pub mod permissions;
pub mod routes;
mod tables;
pub mod tools;

use shared_model::{Envelope, code, limits};
use shared_runtime::{Service, Surface, base::surface::Claim, migrations};

// Unlike Cloud and Locker, a grant has a kind here: only owner grants are accepted. Clients depend on 405 for a wrong
// method.
pub static SURFACE: Surface = Surface {
    name: "orders",
    title: "Fourfold Orders",
    about: "Place orders and read your own. Amounts are whole pence; the service computes them.",
    version: "v1",
    port: 8083,
    envelope: Envelope::DataMeta,
    invalid_field: &code::INVALID_FIELD,
    wrong_method: &code::METHOD_NOT_ALLOWED,
    body_bytes: limits::BODY_BYTES,
    claims: &[Claim::GrantKind],
    codes: codes::ALL,
};

pub fn service() -> Service {
    Service::new(&SURFACE, routes::declare, migrations! { "2026-11-24-000001_orders": both postgres sqlite; })
        .document(include_str!("../../openapi/orders.json"))
        .pages(pages::declare)
        .pages(guide::declare)
        .tools(tools::tools)
}
