#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod audit;
pub mod codes;
pub mod column;
pub mod commands;
pub mod cosigning;
pub mod events;
mod guide;
pub mod log;
pub mod markets;
pub mod model;
pub mod pages;
pub mod routes;
pub mod self_check;
pub mod signers;
pub mod startup;
pub mod tables;
pub mod tools;
pub mod witness;

use shared_model::{Envelope, code, limits};
use shared_runtime::{Service, Surface, migrations, state::db::Migrations};

use crate::cosigning::WitnessSettings;

pub static SURFACE: Surface = Surface {
    name: "trust",
    title: "Fourfold Trust-publishing API",
    about: "Signed market events in a log that anyone can verify. There are no tokens: the signature in the body \
            authenticates a published event, and every read is public.",
    version: "v1",
    port: 8084,
    envelope: Envelope::DataMeta,
    invalid_field: &code::INVALID_FIELD,
    wrong_method: &code::METHOD_NOT_ALLOWED,
    body_bytes: limits::BODY_BYTES,
    claims: &[],
    codes: codes::ALL,
};

// The witness is a service of its own with a database of its own, but the same tables: one migration serves both.
const MIGRATIONS: Migrations = migrations! { "2026-11-24-000001_trust": both postgres sqlite; };

pub fn service() -> Service {
    Service::new(&SURFACE, routes::declare, MIGRATIONS)
        .document(include_str!("../../openapi/trust.json"))
        .pages(guide::declare)
        .tools(tools::tools)
        .pages(pages::declare)
        .keeps_log()
        .prepared(startup::prepare)
        .settings::<WitnessSettings>()
        .metrics(&[&self_check::DAMAGED, &self_check::CHECKED, &cosigning::run::COSIGNED, &cosigning::run::FAILURES])
        .calls_out()
}
