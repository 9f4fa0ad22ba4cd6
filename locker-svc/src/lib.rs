//! The locker: the catalogue of rooms, the subscriptions that pay for them, their exports, and tests of the connection
//! to their models.

pub mod attestations;
pub mod catalogue;
mod codes;
pub mod commands;
pub mod connection_tests;
pub mod dsse;
pub mod exports;
mod guide;
pub mod ids;
pub mod image_digest;
pub mod import;
pub mod operations;
mod permissions;
pub mod rooms;
pub mod routes;
mod schema;
pub mod subscriptions;
pub mod tools;

use shared_model::{Envelope, code, limits};
use shared_runtime::{Service, Surface, migrations};

/// What differs from the other services: 400 for all invalid input, 404 for a wrong method (spec: Locker error body).
pub static SURFACE: Surface = Surface {
    name: "locker",
    title: "Fourfold Locker",
    about: "Rooms: their catalogue and subscriptions, exports as signed packages that are downloaded in parts, and \
            tests of the models that rooms are configured with.",
    version: "v0.1.1",
    port: 8081,
    envelope: Envelope::DataMeta,
    invalid_field: &code::INVALID_REQUEST,
    wrong_method: &code::NOT_FOUND,
    body_bytes: limits::BODY_BYTES,
    claims: &[],
    codes: codes::ALL,
};

/// The service, ready to start.
pub fn service() -> Service {
    Service::new(&SURFACE, routes::declare, migrations!())
        .document(include_str!("../../openapi/locker.json"))
        .pages(guide::declare)
        .tools(tools::tools)
        .jobs(|context| {
            catalogue::measure(&context.metrics);
            vec![catalogue::job(), connection_tests::job()]
        })
        .sweeps(&[operations::SWEEP])
        .stores_blobs()
        .calls_out()
}
