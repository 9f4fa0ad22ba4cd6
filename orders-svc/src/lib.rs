//! Placed orders, for the owners who placed them.

mod codes;
pub mod commands;
pub mod ids;
pub mod ordering;
pub mod orders;
pub mod permissions;
pub mod routes;
mod schema;

use std::sync::Arc;

use diesel_migrations::{EmbeddedMigrations, embed_migrations};
use shared_model::{Envelope, code, limits};
use shared_runtime::{Surface, base::surface::Claims, jobs, service::server::Service, state::db::Migrations};

const SQLITE: EmbeddedMigrations = embed_migrations!("migrations/sqlite");
const POSTGRES: EmbeddedMigrations = embed_migrations!("migrations/postgres");

/// The manners of the Orders API: a grant has a kind, and a wrong method is 405 (spec: Orders errors).
pub static SURFACE: Surface = Surface {
    name: "orders",
    title: "Fourfold Orders",
    version: "v1",
    envelope: Envelope::DataMeta,
    invalid_field: &code::INVALID_FIELD,
    wrong_method: &code::METHOD_NOT_ALLOWED,
    body_bytes: limits::BODY_BYTES,
    claims: Claims::GrantKind,
    codes: codes::ALL,
};

/// The orders service, ready to start.
pub fn service() -> Service {
    Service {
        surface: &SURFACE,
        routes: routes::declare,
        migrations: Migrations { sqlite: || SQLITE, postgres: || POSTGRES },
        on_first_seen: |_, _, _| Ok(()),
        state: Arc::new(|_, _| {}),
        jobs: jobs::none(),
        sweeps: &[],
    }
}
