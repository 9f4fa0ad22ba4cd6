//! Private workspace files for people and AI agents (spec: Cloud API).
//!
//! A grant selects one workspace. A file has a record, which its etag names, and immutable versions, each of which
//! keeps canonical JSON text. Start reading at [`routes`].

pub mod cloud;
pub mod codes;
pub mod documents;
pub mod files;
pub mod ids;
pub mod limits;
pub mod permissions;
pub mod routes;
mod schema;
pub mod service_information;
pub mod versions;
pub mod workspaces;

use std::sync::Arc;

use actix_web::web;
use diesel_migrations::{EmbeddedMigrations, embed_migrations};
use shared_model::{Envelope, code};
use shared_runtime::{Surface, base::surface::Claims, jobs, service::server::Service, state::db::Migrations};

pub use cloud::Cloud;
pub use ids::{FileId, VersionId, WorkspaceId};

/// The manners of the cloud service.
pub static SURFACE: Surface = Surface {
    name: "cloud",
    title: "Fourfold Cloud API",
    version: "v1.8.3",
    envelope: Envelope::TopLevel,
    invalid_field: &code::INVALID_FIELD,
    wrong_method: &code::METHOD_NOT_ALLOWED,
    body_bytes: limits::REQUEST_BYTES,
    claims: Claims::Workspace,
    codes: codes::ALL,
};

const SQLITE: EmbeddedMigrations = embed_migrations!("migrations/sqlite");
const POSTGRES: EmbeddedMigrations = embed_migrations!("migrations/postgres");

/// The cloud service, ready to be started.
pub fn service() -> Service {
    Service {
        surface: &SURFACE,
        routes: routes::declare,
        migrations: Migrations { sqlite: || SQLITE, postgres: || POSTGRES },
        on_first_seen: workspaces::on_first_seen,
        state: Arc::new(|context, app| {
            app.app_data(web::Data::new(Cloud::of(context)));
        }),
        jobs: jobs::none(),
        sweeps: &[],
    }
}
