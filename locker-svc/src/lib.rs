#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod attestations;
pub mod catalogue;
pub mod cli;
mod codes;
pub mod connection_tests;
pub mod dsse;
pub mod exports;
mod guide;
pub mod ids;
pub mod image_digest;
pub mod import;
pub mod long_running;
mod pages;
mod permissions;
pub mod rooms;
pub mod routes;
pub mod subscriptions;
mod tables;
pub mod tools;

use shared_model::{Envelope, code, limits};
use shared_runtime::{Service, Surface, migrations};

// Unlike the other services, Locker answers invalid input with 400 and a wrong method with 404. Its clients depend on
// that.
pub static SURFACE: Surface = Surface {
    name: "locker",
    title: "Fourfold Locker",
    about: "Rooms: their catalogue and subscriptions, exports as signed packages that are downloaded in parts, and \
            tests of the models that rooms use.",
    version: "v0.1.1",
    port: 8081,
    envelope: Envelope::DataMeta,
    invalid_field: &code::INVALID_REQUEST,
    wrong_method: &code::NOT_FOUND,
    body_bytes: limits::BODY_BYTES,
    claims: &[],
    codes: codes::ALL,
};

pub fn service() -> Service {
    Service::new(
        &SURFACE,
        routes::declare,
        migrations! {
            "2026-11-24-000001_locker": both postgres sqlite;
            "2026-11-25-000001_rooms_of_owner": both;
        },
    )
    .document(include_str!("../../openapi/locker.json"))
    .pages(pages::declare)
    .pages(guide::declare)
    .tools(tools::tools)
    .jobs(|context| {
        catalogue::measure(&context.metrics);
        vec![catalogue::job(), connection_tests::job()]
    })
    .metrics(&[&catalogue::CHECKS])
    .sweeps(&[long_running::SWEEP, catalogue::SWEEP])
    // Parts of exports are blobs; everything else is in the database.
    .stores_blobs()
    // Two of the three features call other machines: connection tests and the followed catalogue.
    .calls_out()
}
