//! Trust: signed markets events, published once, in order, for everyone to check.

pub mod canonical;
pub mod codes;
pub mod commands;
pub mod events;
pub mod log;
pub mod markets;
pub mod routes;
pub mod schema;
pub mod signers;
pub mod signing;
mod words;

use std::sync::Arc;

use diesel_migrations::{EmbeddedMigrations, embed_migrations};
use shared_model::{Envelope, code, limits};
use shared_runtime::{Surface, base::surface::Claims, jobs, service::server::Service, state::db::Migrations};

pub use signing::signed_body;

/// The manners of this service.
pub static SURFACE: Surface = Surface {
    name: "trust",
    title: "Fourfold Trust-publishing API",
    version: "v1",
    envelope: Envelope::DataMeta,
    invalid_field: &code::INVALID_FIELD,
    wrong_method: &code::METHOD_NOT_ALLOWED,
    body_bytes: limits::BODY_BYTES,
    claims: Claims::Common,
    codes: codes::ALL,
};

const SQLITE: EmbeddedMigrations = embed_migrations!("migrations/sqlite");
const POSTGRES: EmbeddedMigrations = embed_migrations!("migrations/postgres");

/// The service, ready to be started.
pub fn service() -> Service {
    Service {
        surface: &SURFACE,
        routes: routes::routes,
        migrations: Migrations { sqlite: || SQLITE, postgres: || POSTGRES },
        on_first_seen: |_, _, _| Ok(()),
        state: Arc::new(|_, _| ()),
        jobs: jobs::none(),
        sweeps: &[],
    }
}
